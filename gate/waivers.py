"""Waivers: claims that a person has accepted, by fingerprint, with a reason and an end date.

A waiver takes a claim that is not supported out of the risk until its date. It never touches a claim that was not
judged, nor one that the documents deny unless it says so, and one that has ended counts for nothing but a loud reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import yaml
from pydantic import Field, ValidationError, field_validator

from gate.config.file import faults_of, read_values
from gate.config.parts import Name, Part
from gate.errors import ConfigError
from gate.measures.risk import clip

MOST = 10_000
LONGEST = 366  # days: what is accepted for longer is a document to be mended
_HEAD = "# Claims that a person has accepted; gate waive adds to it. docs/how-to/waive.md says how it is used.\n"
_HINT = "gate waive verdict.json CLAIM --reason WHY --until DATE writes the file"


class Waiver(Part):
    """One accepted claim: its fingerprint, the claim and question for people, why, by whom, and the last day.
    `contradicted`: it is accepted also where the documents deny it."""

    fingerprint: str = Field(pattern="^[0-9a-f]{16}$")
    claim: Name
    reason: Name
    who: Name
    until: date
    question: str = ""
    contradicted: bool = False

    @field_validator("until", mode="before")
    @classmethod
    def _is_a_day(cls, value: object) -> object:
        if isinstance(value, date) or (isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value)):
            return value
        raise ValueError("must be a date like 2027-01-31")


class _File(Part):
    waivers: tuple[Waiver, ...] = Field(default=(), max_length=MOST)


@dataclass(frozen=True, slots=True)
class Waived:
    """What the waivers do to a run: those that hold today by fingerprint and whether the documents deny the claim, and
    those that do not although their claim is there, as they have ended, would hold for more than LONGEST days, or do
    not accept that the documents deny it; and those whose claim no longer occurs."""

    accepted: Mapping[tuple[str, bool], Waiver]
    ended: tuple[Waiver, ...]
    endless: tuple[Waiver, ...]
    denied: tuple[Waiver, ...]
    unused: tuple[Waiver, ...]


def load_waivers(path: Path, needed: bool = False) -> tuple[Waiver, ...]:
    """The waivers of a file; none where there is no file and none is `needed`. Errors: ConfigError with every fault and
    its line."""
    if not (needed or path.exists()):
        return ()
    tree, faults = read_values(path, fill=False, blank=True)
    try:
        found = _File.model_validate(tree.value).waivers
    except ValidationError as error:
        found, faults = (), [*faults, *faults_of(error, _File, tree.lines)]
    if faults:
        raise ConfigError(str(path), tuple(sorted(faults, key=lambda fault: (fault.line, fault.where))), _HINT)
    return found


def apply(waivers: Sequence[Waiver], bad: Iterable[tuple[str, bool]], today: date) -> Waived:
    """What `waivers` do on a day to a run whose claims that are not supported have these fingerprints, each with
    whether the documents deny the claim. One claim has no part in what is said of another: shards of a run agree."""
    there, last = frozenset(bad), today + timedelta(days=LONGEST)
    marks = {mark for mark, _ in there}
    lasting = [one for one in waivers if today <= one.until <= last]
    accepted = {
        (mark, denied): one
        for one in lasting
        for mark, denied in ((one.fingerprint, False), (one.fingerprint, True))
        if (mark, denied) in there and (one.contradicted or not denied)
    }
    open_ = {mark for mark, denied in there if (mark, denied) not in accepted}
    left = [one for one in waivers if one.fingerprint in open_]
    return Waived(
        accepted,
        tuple(one for one in left if one.until < today),
        tuple(one for one in left if one.until > last),
        tuple(one for one in lasting if one.fingerprint in open_),
        tuple(one for one in waivers if one.fingerprint not in marks),
    )


def notes_of(found: Waived, part: bool) -> Iterator[str]:
    """What a reader should know of waivers; a `part` of a run, or one that left claims or
    questions open, says nothing about claims that are not there."""
    for one in found.ended:
        yield f'a waiver ended on {one.until}, so its claim counts again: "{clip(one.claim)}" ({clip(one.who)})'
    for one in found.endless:
        yield f'a waiver until {one.until} holds for no day, a year is the most: "{clip(one.claim)}" ({clip(one.who)})'
    for one in found.denied:
        yield (
            "a waiver does not hold where the documents deny its claim, so it counts (waive it anew, or mend the "
            f'document): "{clip(one.claim)}" ({clip(one.who)})'
        )
    for one in () if part else found.unused:
        yield f'a waiver has no claim any more, so it can go: "{clip(one.claim)}" (until {one.until})'


def comments(path: Path) -> str:
    """The comments and blank lines at the head of a file of waivers; empty where there is no file."""
    lines = path.read_text("utf-8-sig", "replace").splitlines(keepends=True) if path.is_file() else []
    own = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    return "".join(lines[:own])


def add(existing: Sequence[Waiver], waiver: Waiver) -> tuple[Waiver, ...]:
    """The waivers with one more, in place of one for the same claim; what that accepted stays accepted."""
    wide = any(one.contradicted for one in existing if one.fingerprint == waiver.fingerprint)
    renewed = waiver.model_copy(update={"contradicted": True}) if wide else waiver
    return (*(one for one in existing if one.fingerprint != waiver.fingerprint), renewed)


def text_of(waivers: Iterable[Waiver], head: str = "") -> str:
    """The file: YAML that loads to the same waivers, under a head of comments."""
    rows: list[Mapping[str, object]] = [one.model_dump(exclude_defaults=True) for one in waivers]
    return (head or _HEAD) + yaml.safe_dump({"waivers": rows}, sort_keys=False, allow_unicode=True, width=100)
