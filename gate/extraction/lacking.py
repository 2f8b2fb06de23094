"""Answers that say that what was given does not suffice: `Insufficient context`, `It cannot be determined`.

`LEAD` and `STARTS` are regular expressions for the beginning of a sentence; `lacking` reads what is no sentence. Each
ends with the matter that is missing, so that no claim rides along.
"""

from __future__ import annotations

import re

DOCS = (
    r"(?:(?:the|this|these|those|that|your|our|my|any|provided|given|available|official|current|supplied|retrieved|"
    r"attached|reference|product|company)\s+){0,4}(?:[\w'-]+\s+){0,2}"
    r"(?:documentation|docs?|documents?|contexts?|sources?|materials?|passages?|excerpts?|knowledge base|information|"
    r"manuals?|guides?|pages?|texts?|articles?)(?: (?:i|that i|you|we)(?: have| was given| gave me| "
    r"provided)?)?(?: provided)?"
)
_GIVEN = r"(?:available|provided|given|supplied|at hand|found)"
_WHAT = r"(?:information|info|contexts?|data|details?|evidence|knowledge|documentation|an answer|answers?)"
_KNOWN = r"(?:the |any |some )?(?:relevant |specific |sufficient |further |additional |enough |clear |definitive )*"
_MORE = r"(?:more|further|additional)"
_FEW = r"(?:insufficient|inadequate|not (?:enough|sufficient|adequate))"
_SAY = r"(?:answer|respond|reply|determine|say|tell|conclude|confirm|address|give|provide)"
_END = rf"(?:(?=$)| (?:in|from|with|by|using|based on|within) {DOCS}(?=$| to {_SAY}\b)| (?=to {_SAY}\b))"
_DONE = r"(?:provided|given|included|mentioned|specified|contained|stated|listed|present|found|available|covered)"
LEAD = (
    rf"(?:based (?:only |solely )?(?:up)?on|according to|judging by|going by|from|given|in|with) {DOCS}"
    r"(?: (?:alone|only|above))?|hmm+|uh+|um+|well|oh"
)
_ASKED = r"(?:your|this|that|the) (?:question|query|inquiry|topic|subject)"
_REQUEST = r"(?:your|this|that|the) request"  # what it asks for may be what is out of scope: of a warranty, say
_BEYOND = r"(?:'s| is| goes| falls| lies) (?:simply |unfortunately |well |far )?(?:beyond|outside|out)(?: of)?"
_HALT = r"(?=$|,| (?:i|you|we|that|which|as|at|here|above|below|on|about)\b)"  # no `materials warranty`
_MINE = (
    r"(?:(?:the scope of )?(?:what i(?:'m able| am able| can| could| know| have| was given)|"
    rf"my (?:current )?(?:area|knowledge|expertise|remit|abilit(?:y|ies)|capabilit(?:y|ies)|training|competence|role)|"
    rf"{DOCS}{_HALT})|(?:my|our) (?:scope|knowledge|expertise|remit)(?=$))"
)
STARTS = "|".join((
    rf"there(?:'s| is| are| was| were) (?:also |simply |currently )?(?:{_FEW}|no) {_KNOWN}{_WHAT}(?: {_GIVEN})?{_END}",
    rf"there (?:isn'?t|aren'?t|wasn'?t|weren'?t) (?:enough |any |sufficient ){_KNOWN}{_WHAT}(?: {_GIVEN})?{_END}",
    rf"{DOCS} (?:is|are|was) (?:simply )?{_FEW}{_END}",
    rf"(?:this|that|it|the answer|(?:the|your|this) (?:exact )?question) (?:cannot|can'?t|can not|could not) be "
    rf"(?:answered|determined|inferred|derived|established|answered with certainty){_END}",
    rf"(?:this|that|such|the|the requested|the necessary) (?:information|info|answers?|details?) "
    rf"(?:isn'?t|aren'?t|(?:is|are|was) not) (?:currently )?{_DONE}(?: to me)?{_END}",
    rf"no {_KNOWN}(?:information|info|contexts?|answers?|details?|evidence) "
    rf"(?:(?:is|are|was|were|could be|has been|can be) )?{_DONE}{_END}",
    rf"(?:i|we)(?:'d| would)? (?:need|require) {_MORE} (?:specific )?{_WHAT}{_END}",
    rf"{_MORE} {_WHAT} (?:is|are|would be) (?:needed|required|necessary){_END}",
    rf"(?:i|we) (?:currently )?lack (?:the )?{_KNOWN}(?:necessary )?{_WHAT}{_END}",
    r"(?:i|we) have no (?:idea|clue)",
    r"(?:i|we) (?:don'?t|do not|didn'?t|did not) (?:see|have|find) anything (?:about|on|regarding|concerning)",
    rf"(?:this|that|it|{_ASKED}|{_REQUEST}){_BEYOND} (?:{_MINE}|(?:the )?scope(?=$| here$))",
    rf"{_ASKED}{_BEYOND} the scope of(?: (?!(?:which|that|who|and)\b)[a-z'-]+){{1,8}}(?=$)",
))  # fmt: skip
_TO = rf"to (?:{_SAY}|be sure)(?: (?:this|that|the|your|an?|it|definitive(?:ly)?|question|query|request|answer))*"
_SORRY = r"(?:(?:sorry|unfortunately|apologies|honestly|hmm+|oh|well)[,:]? (?:but )?){0,2}"
_WHOLE = re.compile(
    _SORRY
    + "(?:"
    + "|".join((
        rf"(?:{_FEW}) {_KNOWN}{_WHAT}(?: {_GIVEN})?(?: {_TO})?",
        rf"(?:{_WHAT}) (?:is )?{_FEW}(?: {_TO})?",
        rf"no {_KNOWN}(?:information|info|answer|contexts?|details?)(?: {_GIVEN})?"
        r"(?: (?:on|about|regarding|for) (?:that|this|it))?",
        rf"(?:not|nothing) (?:{_DONE} |documented |said )?(?:about (?:that|this|it) )?in {DOCS}",
        rf"(?:unable|not able|impossible) {_TO}",
        r"(?:cannot|can'?t|could not)(?: be)? (?:answer(?:ed)?|say|tell|determined?)(?: (?:this|that|it|the question))?"
        rf"(?: (?:from|with|based on|using) {DOCS})?",
        r"no (?:idea|clue)(?:,? (?:sorry|mate|man|friend|my friend))?",
        r"(?:i )?(?:don'?t|do not) know|dunno|not sure|idk",
    ))
    + ")",
    re.IGNORECASE,
)  # fmt: skip
_MARK = re.compile(
    r"[\W_]*(?:n/?a|unknown|unanswerable|no[_ ]answer|none found|null|undefined|nan|object object)[\W_]*", re.IGNORECASE
)
# Questions that `None` answers, which elsewhere is what a program prints for an answer that is not there.
_COUNTED = re.compile(
    r"\b(?:any|which|what|who|whom|whose|how (?:many|much|often)|some|other|every|each)\b", re.IGNORECASE
)


def lacking(text: str) -> bool:
    """Whether `text`, a sentence or less without its full stop, says no more than that there is no answer."""
    return _WHOLE.fullmatch(text) is not None


def marked(answer: str, question: str = "") -> bool:
    """Whether a whole answer is the mark of one that is missing: `N/A`, `Unknown`, what a program prints for nothing
    (`null`; `None`, unless it answers the question). An item of a list is none."""
    if answer.strip() == "None" and question and not _COUNTED.search(question):
        return True
    return len(answer) < 50 and _MARK.fullmatch(answer) is not None
