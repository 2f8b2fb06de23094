"""What decided, for people: the words of the documents, verbatim with their line, and one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gate.judges.base import Finding, line_at
from gate.judges.line import Look
from gate.judges.reader import Scorer
from gate.judges.windows import clean, render
from gate.records import Label, Quote
from gate.store.passages import key_terms

TOGETHER = 0.6  # of the whole window's chance: a piece that has less by itself is quoted with the next best one
ALONE = 0.9  # of it: no other piece is read for a quote
MOST = 4  # pieces of a window that are read by themselves
_SHOWN = 60  # characters of an amount or a name that a sentence repeats


def quote_windows(looks: Sequence[Look], reader: Scorer) -> list[tuple[Quote, ...]]:
    """For each look the piece of its deciding window that decides by the reader's own score, read by itself; where no
    piece does alone, the two best in their order. The piece with most words of the claim is read first, the others only
    where it has less than ALONE of the window's chance. Errors: ModelFileError."""
    places = [_places(look) for look in looks]
    scores: list[dict[int, float]] = [{} for _ in looks]
    first = [(n, some[0]) for n, some in enumerate(places) if len(some) > 1]
    _read_alone(looks, first, scores, reader)
    rest = [(n, other) for n, at in first if scores[n][at] < ALONE * _chance(looks[n], at) for other in places[n][1:]]
    _read_alone(looks, rest, scores, reader)
    return [_quotes(look, some, given) for look, some, given in zip(looks, places, scores, strict=True)]


def _read_alone(
    looks: Sequence[Look], asked: Sequence[tuple[int, int]], scores: Sequence[dict[int, float]], reader: Scorer
) -> None:
    """Adds to the scores of a look what the reader gives a piece by itself; `asked`: (place of the look, piece)."""
    shown = [(looks[n].claim, looks[n].context, render(looks[n].pieces[at : at + 1])) for n, at in asked]
    for (n, at), row in zip(asked, reader.score(shown).tolist() if shown else [], strict=True):
        scores[n][at] = row[looks[n].denied]


def _quotes(look: Look, places: list[int], scores: dict[int, float]) -> tuple[Quote, ...]:
    if scores:
        ranked = sorted(_ranked(look, scores), key=lambda at: -scores[at])
        alone = _rival(look, look.pieces[ranked[0]].text) or scores[ranked[0]] >= TOGETHER * _chance(look, ranked[0])
        places = ranked[:1] if alone else sorted(ranked[:2])
    return tuple(
        Quote(passage.source, line_at(passage, piece.start), passage.text[piece.start : piece.end], round(chance, 4))
        for passage, piece, chance in (
            (look.item.evidence[look.pieces[at].passage], look.pieces[at], _chance(look, at)) for at in places
        )
    )


def _chance(look: Look, at: int) -> float:
    """What the reader gives the surest of the windows that hold a piece."""
    reads = [read for read in look.reads if read.window.first <= at < read.window.last]
    return max(read.contradicted if look.denied else read.supported for read in reads)


def _places(look: Look) -> list[int]:
    """The pieces that may decide: those with what an exact check found instead, else all of the deciding window; the
    MOST that share most words with the claim, these first."""
    window = look.deciding.window
    shown = {at for read in look.reads for at in range(read.window.first, read.window.last)}
    rivals = [at for at in shown if _rival(look, look.pieces[at].text)]
    return _ranked(look, rivals or range(window.first, window.last))[:MOST]


def _rival(look: Look, text: str) -> str:
    """What a text gives in place of what the claim says, by the exact check that denies it; empty without one."""
    names = next((finding.found for finding in look.findings if look.denied and finding.denied), ())
    return next((name for name in names if re.search(rf"(?<![\w.,]){re.escape(name)}(?!\w)", text)), "")


def _ranked(look: Look, places: Iterable[int]) -> list[int]:
    """The pieces that share most words with the claim first, then those that share most with its context, as a bare
    `Yes.` has no words of its own; else in their order."""
    claimed, about = set(key_terms(look.claim)), set(key_terms(look.context))

    def order(at: int) -> tuple[int, int, int]:
        held = set(key_terms(look.pieces[at].text))
        return -len(held & claimed), -len(held & about), at

    return sorted(places, key=order)


def justify(label: Label, look: Look, contradicted: bool, quotes: Sequence[Quote], *, case: bool = False) -> str:
    """One plain sentence that says what decided, in the words of the `quotes` that stand beside it; `contradicted`: the
    verdict says that the documents deny the claim; `case`: that nobody can be sure what its rule means for a case."""
    found = next((one for one in look.findings if one.denied), None) or next(iter(look.findings), None)
    if label is Label.SUPPORTED:
        head, why = "Supported", "the passage says so"
    else:
        head = "Not sure" if label is Label.WEAKLY_SUPPORTED else "Not in the documents"
        head = "Contradicted" if contradicted else head
        shown = next(filter(None, (_rival(look, clean(quote.quote)) for quote in quotes)), "")
        unsure = f"the chance that the documents say so is {100 * look.chance:.0f} %"
        silent = unsure if label is Label.WEAKLY_SUPPORTED else "no passage that was found says so"
        why = _otherwise(found, shown) if found else silent
    if case:
        why = "the question asks what a rule means for one case, which the local judge cannot tell"
    elif contradicted and (found is None or not found.denied):
        why = "the passage says otherwise"
    whole = len(look.claim) >= len(look.item.claim.text) // 2
    text = f"{head}: {why}."
    return text if whole else f"{text} This is about the weakest part of a long claim."


def _otherwise(finding: Finding, shown: str) -> str:
    said, found = _named(finding.said), _named(shown or next(iter(finding.found), ""))
    if finding.denied and found:
        return f"the passage has {found} where the claim has {said}"
    return f"the documents found for it do not have {said}"


def _named(text: str) -> str:
    """An amount or a name, short and without the stop of its sentence, so that it can stand anywhere in another."""
    return text[:_SHOWN].strip().rstrip(".,;:!?")
