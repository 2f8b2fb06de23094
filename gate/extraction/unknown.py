"""Sentences that say in English that the answer is not known (`I could not find it`), and nothing beside it."""

from __future__ import annotations

import re

from gate.extraction.grammar import clause
from gate.extraction.lacking import DOCS, LEAD, STARTS
from gate.extraction.lexicon import CONDITIONS, RELATIVES
from gate.extraction.tokens import tokenise
from gate.text import numbers

_SORRY = (
    r"(?:(?:sorry|unfortunately|apologies|i(?:'m| am) (?:really |very |so )?(?:sorry|afraid)|i apologi[sz]e|honestly|"
    r"at (?:the|this) moment|as an ai[\w ]{0,30}|that said|however|but|and|so|beyond that|other than "
    rf"that|{LEAD})[,:]?\s+(?:but |that )?){{0,3}}"
)
_KNOW = (
    r"(?:enough|any|the|that|this|specific|reliable|further|more|up-to-date|sufficient|exact|such|detailed|additional|"
    r"relevant|concrete|definitive|clear|an?)"
)
_MATTER = (
    r"(?:info|information|details?|data|knowledge|access|documentation|records?|answer|context|evidence|material|mention|"
    r"reference|figures?|way of knowing|insight)"
)
_NO_COMPOUND = r"(?! (?:caps?|restrictions?|limits?|controls?|fees?|plans?|cent(?:er|re)s?|retention|loss(?:es)?))"
_ABSTAIN = "|".join((
    r"i (?:really |simply |just |currently |actually )*(?:don'?t|do not|can'?t|cannot|can not|couldn'?t|could not) "
    r"(?:\w+ly )?"
    r"(?:know|find|answer|confirm|verify|tell|determine|say|locate|be (?:sure|certain)|speak to|comment on|recall|"
    r"(?:help|assist)(?: you)? with|guess|speculate)",
    rf"(?:i|we) (?:\w+ly )?(?:don'?t|do not) (?:currently )?(?:have|see|find) (?:{_KNOW} ){{0,3}}{_MATTER}"
    rf"{_NO_COMPOUND}",
    rf"(?:i|we) (?:have|found|find|see|saw|could find) (?:no (?:{_KNOW} ){{0,2}}{_MATTER}{_NO_COMPOUND}|"
    rf"nothing (?:about|on|regarding|concerning|relevant|specific|in {DOCS}))",
    r"i(?:'m| am| was|'ve been) (?:not(?: \w+ly| quite| 100 ?%)?|un) ?(?:sure|certain|aware|able to (?:find|answer|"
    r"confirm|verify|tell|help|"
    r"say))",
    r"i(?:'m| am| was) unable to (?:find|answer|confirm|verify|tell|help|say|locate|provide (?:an answer|that|this))",
    r"i (?:can'?t|cannot) (?:share|discuss|disclose|provide|give you|comment on) (?:that|this|it|such|any)"
    r"(?: (?:kind of )?(?:information|details?|data|advice))?",
    r"(?:but |though |although )?i (?:could|may|might) (?:well )?be (?:wrong|mistaken)",
    r"i(?:'d| would) (?:rather|prefer to) not (?:guess|say|speculate|answer)",
    rf"(?:as far as i can (?:see|tell),? )?{DOCS} (?:doesn'?t|does not|don'?t|do not|didn'?t|did not) (?:\w+ly )?"
    r"(?:mention|say|specify|state|cover|contain|include|describe|address|discuss|tell|list|explain|indicate|define|"
    r"answer|document|provide|go into|talk about)",
    rf"(?:there (?:is|are)|there's) (?:no|nothing|not (?:enough|any))(?: (?:{_KNOW} )?{_MATTER})? (?:about|on|"
    rf"regarding|"
    rf"concerning|of|for|in {DOCS})",
    rf"(?:this|that|it|the answer|the (?:exact )?\w+) (?:isn'?t|is not|wasn'?t) (?:mentioned|documented|covered|"
    rf"specified|"
    rf"stated|described|in) (?:anywhere )?(?:in |by )?{DOCS}",
    STARTS,
))  # fmt: skip
_START = re.compile(rf"{_SORRY}(?:{_ABSTAIN})\b", re.IGNORECASE)
_TAIL_BARRED = re.compile(
    r"\b(?:because|since|so (?!i\b)|but|although|though|however|except|why|how come|therefore|as)\b|[:;—–]|- ",
    re.IGNORECASE,
)
_GUESSED = re.compile(
    r", (?:so |and )?(?:maybe|perhaps|probably|possibly|presumably|likely|about|around|roughly|approximately|"
    r"at a guess|i(?:'d| would)? (?:think|guess|believe|suppose|assume|say))\b",
    re.IGNORECASE,
)
_APART = re.compile(
    r"(?: (?:for (?:sure|certain)|exactly|offhand|precisely|(?:about |of )?(?:that|this|it)))?,", re.IGNORECASE
)
_ASKS = RELATIVES | CONDITIONS | {"how", "what", "why"}


def unknown(text: str) -> bool:
    """Whether `text`, a sentence without its full stop, says that the answer is not known, and nothing beside it."""
    found = _START.match(text)
    if not found:
        return False
    tail = text[found.end() :]
    if _TAIL_BARRED.search(tail) or _GUESSED.search(tail) or (_APART.match(tail) and _counts(tail)):
        return False
    tokens = tokenise(tail, 0, len(tail))
    asked = bool(tokens) and tokens[0].text in _ASKS  # "whether a and b"
    joints = [i for i, token in enumerate(tokens) if token.text == "," or (token.text == "and" and not asked)]
    return not any(clause(tokens, i + 1) for i in joints)


def _counts(text: str) -> bool:
    """Whether a number stands in `text` that says how much: `30 euros`, not `one moment`."""
    return any(number.value != 1 for number in numbers(text))
