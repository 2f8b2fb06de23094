"""Identifiers, options and paths by exact form, and terms of the claim that the documents do not know."""

from __future__ import annotations

import re

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.reading import SCOPE, Reading
from gate.judges.switches import one_of
from gate.text import parts, stem

_HEAVY = 0.55  # weight from which a missing word is worth a word
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)  # an amount, see check_amounts
_COUNTED = re.compile(r"\d[\d.,]*(?:k|m|bn|p|x)", re.IGNORECASE)  # with their unit or without one
# Names that a claim gives as cases of its own: `a topic such as`, `a file like`, `for example`.
_CASE = r"\b(?:such as|like|for example|for instance|e\.g\.|say),? [`'\"]{0,2}"
_CURL = re.compile(r"\bcurl\b")
_SHORT = re.compile(r"-[A-Za-z]")  # an option of curl, of which the documents of a server say nothing
_HELD = re.compile(r"[${:<]|\d+$")  # what stands for a value in a path
_WRITTEN = re.compile(r"[A-Za-z]\w{3,40}")
_SPOKEN = re.compile(r"[A-Za-z]+")  # PostgreSQL, SwiftCrate: names of things as well as of code


def check_names(alignment: Alignment) -> list[Finding]:
    """A finding for every name of the claim that stands nowhere; a conflict where the window has its like."""
    there = {form for sentence in alignment.sentences for code in sentence.reading.codes for form in _forms(code)}
    words = frozenset[str]().union(*(sentence.reading.keys | sentence.context for sentence in alignment.sentences))
    found = [finding for span in alignment.claim.spans if (finding := _unlike(alignment, span))]
    found += [finding for span in alignment.claim.spans if (finding := _other_form(alignment, span))]
    for code in _named(alignment.claim):
        if _forms(code) & there or (_plain_name(code) and all(stem(part) in words for part in parts(code))):
            continue
        if code.lower() in words or code.lower() in SCOPE or _ORDINAL.fullmatch(code):  # a unit is no name
            continue
        if _of_server(alignment, code) or _spelled_out(alignment, code):
            continue
        if re.search(_CASE + re.escape(code), alignment.claim.text, re.IGNORECASE) or _of_section(alignment, code):
            continue
        like = _like(alignment, code)
        if like:
            message = f"the document has '{like[1]}' where the claim has '{code}'"
            found.append(Finding("name", 0.9, message, True, like[0]))
        else:
            strength = 0.4 if _SPOKEN.fullmatch(code) else 0.9
            found.append(Finding("name missing", strength, f"'{code}' is not in the documents found"))
    return found


def _named(claim: Reading) -> list[str]:
    """The names of a claim, several as one of them; what is written of amounts is none (`£1k`, `50p`, `9am-6pm`,
    `10x`), nor is a version."""
    known = [number for number in claim.numbers if number.known or not number.unit]
    figures = {place for number in known for place in range(number.start, number.end)}
    return [
        one_of(code)
        for code in claim.codes
        if not _COUNTED.fullmatch(code)
        and code.lower().removeprefix("v") not in claim.versions
        and not _within(claim.plain, code, figures)
    ]


def _within(plain: str, code: str, figures: set[int]) -> bool:
    """Whether a name stands with all its letters and digits in places of amounts."""
    at = plain.find(code)
    return at >= 0 and all(place in figures for place in range(at, at + len(code)) if plain[place].isalnum())


def _unlike(alignment: Alignment, span: str) -> Finding | None:
    """Code without a letter or digit of its own (`{:?}`, `**`): it must stand in the documents as it is."""
    if any(c.isalnum() for c in span) or not span or any(span in s.reading.text for s in alignment.sentences):
        return None
    return Finding("name missing", 0.7, f"'{span}' is not in the documents found")


def _other_form(alignment: Alignment, span: str) -> Finding | None:
    """A word of code that the window has in another form only: `static`, where it says `statics`."""
    focus = alignment.sentences[alignment.focus].reading
    if not _WRITTEN.fullmatch(span) or any(_stands(span, s.reading.plain) for s in alignment.window):
        return None
    if any(span in s.reading.spans or span in s.reading.codes for s in alignment.sentences):
        return None
    for other in focus.spans:
        if (
            other not in alignment.claim.spans
            and _WRITTEN.fullmatch(other)
            and stem(other.lower()) == stem(span.lower())
        ):
            return Finding(
                "name", 0.9, f"the document has '{other}' where the claim has '{span}'", True, alignment.focus
            )
    return None


def _stands(span: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(span)}(?!\w)", text, re.IGNORECASE) is not None


def check_missing(alignment: Alignment) -> list[Finding]:
    """The heaviest words that stand in no passage found."""
    terms = zip(alignment.terms, alignment.anywhere, strict=True)
    gone = [
        term
        for term, share in terms
        if not share and term.weight >= _HEAVY and not term.code and not term.key.startswith("#")
    ]
    return [Finding("word missing", term.weight, f"'{term.word}' is not in the documents found") for term in gone]


def _spelled_out(alignment: Alignment, code: str) -> bool:
    """Whether an acronym stands in the documents in full: ICU, for `intensive care unit`."""
    short = any(term.short and term.word == code.lower() for term in alignment.claim.terms)
    return short and any(code.lower() in sentence.reading.initials for sentence in alignment.sentences)


def _of_server(alignment: Alignment, code: str) -> bool:
    """Whether a name belongs to a call of curl: its option, or an address that is one of the documents and a path of
    theirs behind it."""
    if _SHORT.fullmatch(code):
        return _CURL.search(alignment.claim.text) is not None
    if not (code.startswith(("http://", "https://")) or ("/" in code and _CURL.search(alignment.claim.text))):
        return False
    known = {form.rstrip("/") for sentence in alignment.sentences for form in sentence.reading.codes}
    keys = frozenset[str]().union(*(sentence.reading.keys for sentence in alignment.sentences))
    base = max((other for other in known if "://" in other and code.startswith(other)), key=len, default="")
    path = [part for part in code[len(base) :].split("/") if part and not _HELD.match(part)]
    return bool(base or "://" not in code) and all(stem(piece) in keys for part in path for piece in parts(part))


def _of_section(alignment: Alignment, code: str) -> bool:
    """Whether a dotted name is a key in the table or list of its section: `run.memory` for `memory` under `run`."""
    owner, _, key = code.strip("-./:@~$#()").rpartition(".")
    if not owner or not key:
        return False
    owners = {stem(part) for part in parts(owner)}
    return any(
        sentence.reading.text.lstrip("|-* ").startswith(f"`{key}`")
        and owners <= sentence.context | sentence.reading.keys
        for sentence in alignment.sentences
    )


def _forms(code: str) -> set[str]:
    """The ways to write one name: with and without its owner, flags with and without dashes."""
    low = one_of(code).lower().strip("-./:@~$#()")
    pieces = re.split(r"[.:/]+", low)
    return {low, pieces[-1]} if len(pieces[-1]) > 2 and not low.startswith("/") and "/" not in code else {low}


def _plain_name(code: str) -> bool:
    """Capitals or digits only (`SSL`, `HTTP2`): written in many ways, so its words are enough."""
    return not re.search(r"[_./:]|[a-z][A-Z]|^-", code)


def _like(alignment: Alignment, code: str) -> tuple[int, str] | None:
    """A name in the window that shares half of its parts and that the claim does not have."""
    mine = {stem(part) for part in parts(code)}
    known = {other.lower() for other in alignment.claim.codes}
    for i in (alignment.focus, *range(alignment.first, alignment.last)):
        for other in alignment.sentences[i].reading.codes:
            theirs = {stem(part) for part in parts(other)}
            if other.lower() not in known and 2 * len(mine & theirs) >= max(len(mine), len(theirs)) > 1:
                return i, other
    return None
