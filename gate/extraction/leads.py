"""Lead-ins: whether one waits for what stands under it, and what the lead-ins above an item say together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gate.extraction import openers, polar
from gate.extraction.grammar import clause
from gate.extraction.lexicon import AUX, CLITICS, DETERMINERS, PREPOSITIONS, THIRD, third
from gate.extraction.nonclaims import nonclaim
from gate.extraction.tokens import tokenise
from gate.extraction.verbs import finite

_WAITING_LIST = (
    "be that to include includes including support use run command line you they we it who which using calling "
    "running sending"
)
_TYING_LIST = "if when whenever once unless until because since whether that provided although though where while"
_TYING = frozenset(_TYING_LIST.split())  # what an item says behind these is no statement: `The fee is waived if`
_CASES = re.compile(
    r"\b(?:in|under|on|if|when|whenever|unless|provided|except)\b(?: [\w'’-]+){0,3} (?:cases|circumstances|conditions|"
    r"situations|(?:the following|these)(?: [\w'’-]+){0,2}? (?:is|are|appl(?:y|ies)|holds?|happens?))\b",
    re.IGNORECASE,
)
_WAITING = PREPOSITIONS | AUX | CLITICS | THIRD | _TYING | frozenset(_WAITING_LIST.split())
_DENIES = re.compile(
    r"\b(?:not|never|no|cannot|avoid|refrain|stop|don['’]?ts|mistakes?|pitfalls?|errors?|wrong|forbidden|prohibited|banned|"
    r"barred|disallowed|excluded|exclu(?:des|sions?)|exceptions?|without)\b|n['’]t\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(r"(?:please )?(?:do not|don['’]t|never|avoid|refrain|stop)\b", re.IGNORECASE)
_OPEN_LIST = (
    "be that to of at for from by with as into than between via per without after within during including using "
    "calling running sending"
)
_OPEN = AUX | CLITICS | _TYING | frozenset(_OPEN_LIST.split())
_TRANSITIVE_LIST = (
    "support include offer provide have contain require accept allow list comprise cover use need take return mean "
    "say state read show recognise recognize define specify get give sell expect introduce involve name mention "
    "describe enable handle"
)
_TRANSITIVE = frozenset({form for verb in _TRANSITIVE_LIST.split() for form in (verb, third(verb))})
_VALUED = re.compile(r"(?P<name>[^:–—]{1,60}?)[*_]{0,3}(?: [-–—] |: | \()(?=\D{0,12}\d)")
_RELATIVE = re.compile(r"\b(?:what|which|that|who)\b", re.IGNORECASE)
_AIM = re.compile(r"(?:in order )?to \w.* it\b", re.IGNORECASE)  # an object, and no subject that waits for its verb
_JUST = "(?:(?:but|and|or|not|even|only|just) )*"
_WHEN = re.compile(
    rf"{_JUST}(?:if|when|whenever|unless|until|once|provided|except|as (?:long|soon) as)\b", re.IGNORECASE
)
_PLACE = re.compile(rf"{_JUST}(?:{'|'.join(sorted(PREPOSITIONS))})\b")
_PERSON = re.compile(r"\b(?:you|we|they|he|she) \w.*", re.IGNORECASE)
_QUALITY_LIST = (
    "key main core notable other additional supported available common new typical important basic advanced useful "
    "special following various different optional required current"
)
_QUALITIES = frozenset(_QUALITY_LIST.split())  # of what is listed
_THERE = re.compile(r"(?:there|here)(?:'s| is| are)\b", re.IGNORECASE)


def unfinished(lead: str) -> bool:
    """Whether a lead-in waits for an object: `The client supports`, `Install it with`, `Run the following command`."""
    bare = lead.rstrip("*_`: ")
    last = _last(bare)
    if last not in THIRD:
        return last in _WAITING and not (bare.lower().endswith("to do") and denies(bare))  # `What not to do`
    return _verb_last(bare) and not _RELATIVE.search(bare)  # "what the client supports" has its object


def empty(lead: str) -> bool:
    """Whether a lead-in says nothing without what stands under it: `The client supports`, `The plans are`."""
    bare = lead.rstrip("*_`: ")
    last = _last(bare)
    return last in _OPEN or (last in _TRANSITIVE and _verb_last(bare))


def ties(lead: str) -> bool:
    """Whether what stands under a lead-in is only supposed, though it be a clause: `The fee is waived if`, `It is shut
    in two cases`."""
    return (
        _last(lead.rstrip("*_`: ")) in _TYING
        or lead.lower().endswith(("as soon as", "as long as"))
        or (_CASES.search(lead) is not None)
    )


def goes_on(item: str) -> bool:
    """Whether an item goes on with the line above it, be that without a colon: `The fee is waived` + `if you are new`,
    `for students`."""
    bare = item.lstrip("*_ ")
    return _WHEN.match(bare) is not None or _PLACE.match(bare) is not None


def denies(lead: str) -> bool:
    """Whether an order that stands under a lead-in is none to follow: `Never`, `Common mistakes`."""
    return _DENIES.search(lead) is not None


def forbids(text: str) -> bool:
    """Whether an order says itself that something is not to be done: `Don't wait`, `Never open it`."""
    return _FORBIDS.match(text) is not None


def _last(bare: str) -> str:
    return bare.rsplit(maxsplit=1)[-1].lower().replace("’", "'") if bare else ""


def _verb_last(bare: str) -> bool:
    """Whether the last word is the verb: not the steps of `Steps`, the features of `It has these features`."""
    found = tokenise(bare, 0, len(bare))
    named = len(found) > 1 and (found[-2].text in DETERMINERS or found[-2].text in _QUALITIES)
    return not named and finite(found) == len(found) - 1


def name(lead: str) -> str:
    """What the items under a lead-in are about: `Pro` of `Pro - $25`, as the price is told apart; else all of it."""
    found = _VALUED.match(lead)
    said = tokenise(lead, 0, found.end()) if found else ()
    return found["name"] if found and finite(said) < 0 else lead


def chain(leads: Sequence[str]) -> list[str]:
    """Which of the lead-ins above an item, outermost first, belong to it: a clause needs none above it, and
    `There are two parts` is no part of what stands deeper than right under it."""
    found: list[str] = []
    for depth, lead in enumerate(leads, 1):
        said = _said(lead)
        if not said or (depth < len(leads) and _THERE.match(said)):
            continue
        if clause(tokenise(said, 0, len(said)), 0):
            found.clear()
        found.append(lead)
    return found


@lru_cache(maxsize=256)  # every item under a lead-in asks
def _said(lead: str) -> str:
    """A lead-in without yes, no and words of discourse; empty where nothing is said."""
    bare = lead[polar.head(lead) :] or ((found := _PERSON.search(lead)) and found[0]) or ""  # `No, you cannot`
    bare = bare[openers.strip_heads(bare) :]
    return "" if nonclaim(bare) else bare


def together(leads: Sequence[str]) -> str:
    """The lead-ins above an item, outermost first, as one; empty where they say nothing."""
    said = ""
    for lead in chain(leads):
        said = (joined(said) if said else "") + name(_said(lead))
    return said


def joined(lead: str) -> str:
    """A lead-in with what parts it from its item: `The client supports `, `Red mill: `, `To stop it: `."""
    waits = unfinished(lead) and not _AIM.fullmatch(lead)
    return lead + (" " if waits or lead.endswith(":") else ": ")
