"""Headings, of Markdown and in bold: which lines are some, and what they say in front of the fragments under them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.extraction.leads import denies
from gate.extraction.lexicon import AUX, CLITICS, DETERMINERS, SUBJECTS
from gate.extraction.nonclaims import nonclaim
from gate.extraction.tokens import tokenise
from gate.extraction.verbs import finite
from gate.extraction.wording import one_line
from gate.text import Block

_BOLD = re.compile(r"(?:\*\*|__)(?=\S)[^*_\n]{1,80}(?:\*\*:?|__:?)")
_WIDEST = 80  # characters of a heading in bold
_NEAR = 40  # blocks that are looked through for another
_SHORT = 3  # words of a heading that only names something
_NUMBERED = re.compile(r"(?:(?:step|part|option)\s)?\d{1,2}[.):]\s+", re.IGNORECASE)
_DECOR = re.compile(
    r"[*_]{0,3}(?:[\u2190-\u21ff\u23e9-\u23ff\u25a0-\u2604\u260e-\u27bf\u2b05-\u2b55\U0001f1e6-\U0001faff"
    r"\ufe0f\u200d]+\s+)+"
)
_SAYING = frozenset("✅✓✔❌✗✘✖☑☒⛔🚫👍👎⭐★☆➕➖➡→")  # what they mark is right, wrong or rated
_GENERAL = re.compile(
    r"(?:the |quick |final |short |key |main |some |more |full |important |additional |brief |common )*"
    r"(?:answer|overview|summary|details?|steps?|instructions|notes?|tips|points?|takeaways?|highlights|facts|"
    r"information|info|results?|conclusion|explanation|introduction|background|response|examples?|"
    r"things to (?:know|note|keep in mind)|faqs?|frequently asked questions|step[- ]by[- ]step(?: guide)?|guide|"
    r"recommendations?|bottom line|tl;?dr)",
    re.IGNORECASE,
)
_NOT = re.compile(  # `What is not included`, `What not to do`
    r"what (?!happens)(?:(?!if\b|when\b|unless\b)[\w'’-]+ ){0,4}?(?:not|never|cannot|\w+n['’]t|to avoid)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*(?:\*\*|__)([^*_:\n]{2,40})(?::(?:\*\*|__)|(?:\*\*|__):)\s")
_ABOUT = re.compile(r"(?:how|why|what|when|where|who|which|whether)\b(?!.*\d)", re.IGNORECASE)
_STATES = AUX | SUBJECTS | CLITICS | DETERMINERS


def bold(text: str, blocks: Sequence[Block], i: int) -> bool:
    """Whether the i-th block is a heading: a line in bold without a figure, over something. The first line of an
    answer may be the answer itself, unless there are more of its kind."""
    if i + 1 >= len(blocks) or not _in_bold(text, blocks[i]):
        return False
    following = blocks[i + 1]
    listed = following.kind in ("item", "row", "code") or ": " in text[following.start : following.end][:60]
    return i > 0 or listed or any(_in_bold(text, block) for block in blocks[1:_NEAR])


def _in_bold(text: str, block: Block) -> bool:
    if block.kind != "text" or block.end - block.start > _WIDEST:
        return False
    line = text[block.start : block.end].strip()
    figures = any(c.isdigit() for c in line)
    return _BOLD.fullmatch(line) is not None and not figures and line.strip("*_:")[-1:] not in ".!?"


def section(heading: str) -> str:
    """What a heading says in front of a fragment under it, with a colon; empty for one that says nothing (`Summary`,
    `How it works`) or asks."""
    bare = one_line(heading[plain_from(heading) :])
    bare = _NUMBERED.sub("", bare, count=1).strip(" :*_")
    about = _ABOUT.match(bare) and not _NOT.match(bare)
    vague = bare.endswith(("?", ".", "!")) or _GENERAL.fullmatch(bare) or about or nonclaim(bare)
    return "" if vague else f"{bare}:"


def forbidden(text: str) -> str:
    """The label in bold that a paragraph begins with, where it denies what stands behind it (`**Never:** ..`)."""
    found = _LABEL.match(text)
    return f"{found[1].strip()}:" if found and denies(found[1]) else ""


def only_names(heading: str) -> bool:
    """Whether a heading only names what is told under it, though it may have a verb: `How it works`, `Breaking
    changes`."""
    bare = one_line(heading[plain_from(heading) :])
    found = tokenise(bare, 0, len(bare))
    if any(c.isdigit() for c in bare) or any(token.kind == "code" for token in found):
        return False
    if _ABOUT.match(bare) or len(found) == 1:
        return True
    states = any(token.text in _STATES for token in found)
    return len(found) <= _SHORT and not states and finite(found) in (-1, len(found) - 1)


def plain_from(text: str) -> int:
    """Where `text` begins behind pictures and arrows; before those that say something (a tick, a cross)."""
    found = _DECOR.match(text)
    return found.end() if found and found.end() < len(text) and not _SAYING & set(found[0]) else 0
