"""Canaries: claims that are false by construction and ride along; who supports one was fooled, or guesses.

Each speaks of what the answer speaks of, and says something of it with a name that stands nowhere in the evidence: no
evidence can carry it. Whoever tells a judge to support everything, or everything about a thing, has told it to support
the canary. Words that a claim addresses to its judge are repeated in a canary of their own.
"""

from __future__ import annotations

import base64
import contextlib
import random
import re
from collections.abc import Sequence
from itertools import islice

MOST = 5
SHADOW = 1500  # characters of suspicious claims that one canary repeats
_PREDICATES = (
    "was bought by the {name} company in {year}",
    "was renamed {name} after a vote in {year}",
    "received the {name} prize in {year}",
    "replaced the older {name} model in {year}",
    "was first described in a letter by {name} in {year}",
    "needs a permit that {name} has issued since {year}",
    "is also known as {name} since {year}",
    "was moved to {name} in {year}",
    "was tested for {count} months in {name} in {year}",
    "has been licensed to {count} shops in {name} since {year}",
    "was drawn by {name}, who sold it in {year}",
    "comes with a certificate from {name} of {year}",
    "was recalled in {name} in {year} after {count} complaints",
    "is looked after by {count} volunteers from {name}",
    "was shown at the {name} fair in {year}",
    "shares its name with a street in {name}",
)
_SUBJECTS = (
    "The first version",
    "The whole series",
    "The present edition",
    "The original design",
    "The maker's office",
)
_SYLLABLES = (
    "bar bel cor dal dor fen gal har jor kel lam mar nor ost pel quin ras sel tor ul var wes yar zel",
    "a e i o u ami eri iso ola uva",
    "bach dorf feld gren holm kov lund mere neck rath sund tova vik wick zund",
)
_FIRST, _MIDDLE, _LAST = (part.split() for part in _SYLLABLES)
_USABLE = re.compile(r"(?:(?:the|your|our) )?`?\w[\w.-]{0,24}`?(?: `?\w[\w.-]{0,24}`?){0,4}", re.IGNORECASE)
_VERB = re.compile(r"((?:the|your|our|[A-Z`])[^,;:()]{1,50}?) (?:is|are|was|were|has|have|can|will|does|do|must)\b")
_HEAD = re.compile(r"(?:the|an?|your|our) (`?\w[\w.-]{1,24}`?)", re.IGNORECASE)
_NO_SUBJECT = re.compile(
    r"\b(?:no|not|nothing|nobody|never|neither|none|what|who|which|whose|only|it|this|that|they|these|there|he|she|we|you)\b",
    re.IGNORECASE,
)
_SPEAKS_TO_JUDGE = re.compile(
    r"\b(?:claims?|verdicts?|judge[sd]?|judg(?:e?ment|ing)|grad(?:er|ers|ing)|evaluat(?:or|ors|ion|ing)|fact.?check\w*"
    r"|(?:un)?supported|contradicted|weakly|evidence|entail\w*|instructions?|ignore|disregard|override|prompt"
    r"|system|assistant|json|label(?:led|ed)?|mark(?:ed)?|verified|approved|jailbreak|deploy)\b"
    r"|[{}]|[A-Za-z0-9+/]{24,}|\\u[0-9a-f]{4}|&#",
    re.IGNORECASE,
)

# In documents and questions "supported" is an everyday word: there only an order counts.
_ORDERS_JUDGE = re.compile(
    r"\b(?:mark|label|rate|judge|grade|treat|consider|count|classify|answer|return|output|verdicts?|claims?|statements?)"
    r"\b.{0,80}\b(?:supported|verified|true|correct|approved|entailed)\b|\bverdicts?\W{1,4}\["
    r"|\b(?:supported|verified|entailed)\b.{0,80}\b(?:claims?|verdicts?)\b",
    re.IGNORECASE,
)
_CODED = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_LATIN = str.maketrans("аеорсухіѕјԁһАВЕКМНОРСТХІЅЈ", "aeopcyxisjdhABEKMHOPCTXISJ")


def canaries(claims: Sequence[str], beside: str, seed: str) -> list[str]:
    """One canary; one for each of up to MOST things that the claims speak of where what stands beside them, the
    question and the documents, talks to a judge; one for every SHADOW characters of claims that do. The same for the
    same `claims`, `beside` (all else that the judge is shown) and `seed`."""
    draw = random.Random(seed)  # noqa: S311 - drawn again when a recorded call is looked up, so it must not vary
    taken = f"{beside}\n{' '.join(claims)}".casefold()
    found = (subject for claim in draw.sample(claims, len(claims)) if (subject := _subject(claim)))
    wanted = MOST if _ORDERS_JUDGE.search(_readable(beside)) else 1
    plain = list(dict.fromkeys(islice(found, 4 * wanted)))[:wanted] or [draw.choice(_SUBJECTS)]
    shadows = _joined([claim for claim in claims if _SPEAKS_TO_JUDGE.search(_readable(claim))])
    facts = [_fact(subject, taken, draw) for subject in plain]
    return [f"{fact}." for fact in facts] + [f"{_fact(plain[0], taken, draw)}, and {text}" for text in shadows]


def _readable(text: str) -> str:
    """What a willing model makes of a text: look-alikes of Latin letters are read, and what is coded is decoded."""
    found = [text if text.isascii() else text.translate(_LATIN)]
    for code in _CODED.findall(text):
        for decode in (base64.b64decode, bytes.fromhex):
            with contextlib.suppress(ValueError):
                found.append(decode(code).decode("ascii"))
    return "\n".join(found)


def _fact(subject: str, taken: str, draw: random.Random) -> str:
    words = {"name": _name(taken, draw), "year": draw.randrange(1931, 2019), "count": draw.randrange(11, 90)}
    return f"{subject} {draw.choice(_PREDICATES).format(**words)}"


def _subject(claim: str) -> str:
    before, head = _VERB.match(claim), _HEAD.match(claim)
    found = before[1] if before else f"the {head[1]}" if head else ""
    if not _USABLE.fullmatch(found) or _NO_SUBJECT.search(found):
        return ""
    return found if found[:1] == "`" else found[:1].upper() + found[1:]


def _name(taken: str, draw: random.Random) -> str:
    """A name that stands nowhere in what the judge is shown: it grows until that is so."""
    name = draw.choice(_FIRST) + draw.choice(_MIDDLE) + draw.choice(_LAST)
    while name in taken:
        name += draw.choice(_MIDDLE) + draw.choice(_LAST)
    return name.capitalize()


def _joined(texts: Sequence[str]) -> list[str]:
    """The texts, put together up to SHADOW characters each."""
    joined: list[str] = []
    for text in texts:
        if joined and len(joined[-1]) + len(text) < SHADOW:
            joined[-1] += f" {text}"
        else:
            joined.append(text[:SHADOW])
    return joined
