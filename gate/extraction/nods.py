"""Answers that are nothing but a nod or a shake of the head: `No problem!`, a thumb."""

from __future__ import annotations

import re

from gate.extraction.polar import asked_for, declared, polar, with_question

_NOD = re.compile(
    r"sure(?: thing)?|you bet|no (?:problem|worries)|ok(?:ay)?|all ?right|fine|(?:sounds|looks) (?:good|right)|"
    r"(?:that|this|it)(?:'s| is) (?:right|correct|true|normal|fine|ok(?:ay)?|expected|intentional|by design|so)|"
    r"[👍✅☑✔🆗👌]",
    re.IGNORECASE,
)
_SHAKE = re.compile(r"[👎❌🚫✖⛔]")


def nodded(answer: str, question: str) -> str:
    """What an answer claims that is nothing but a nod (`No problem!`, a thumb): yes to a question for yes or no, empty
    where it is anything else."""
    bare = answer.replace("’", "'").strip(" *_.!\n\t\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
    asked = asked_for(question)
    said = "Yes" if _NOD.fullmatch(bare) else "No" if _SHAKE.fullmatch(bare) else ""
    if not said or not asked.endswith("?") or not polar(question):
        return ""
    return declared(asked, said) or with_question(f"{said}.", question)
