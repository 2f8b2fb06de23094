"""What decided, for people: the words of the documents, verbatim with their line, and one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from gate.judges.base import Finding, line_at
from gate.judges.line import Look
from gate.judges.reader import Scorer
from gate.judges.windows import render
from gate.records import Label, Quote
from gate.store.passages import key_terms

TOGETHER = 0.6  # of the whole window's chance: a piece that has less by itself is quoted with the next best one
MOST = 4  # pieces of a window that are read by themselves
_SHOWN = 60  # characters of an amount or a name that a sentence repeats


def quote_windows(looks: Sequence[Look], reader: Scorer) -> list[tuple[Quote, ...]]:
    """For each look the piece of its deciding window that decides by the reader's own score, read by itself; where no
    piece does alone, the two best in their order. Errors: ModelFileError."""
    places = [_places(look) for look in looks]
    asked = [
        (look.claim, look.context, render(look.pieces[at : at + 1]))
        for look, some in zip(looks, places, strict=True)
        for at in some
        if len(some) > 1
    ]
    rows = iter(reader.score(asked).tolist() if asked else [])
    scores = [
        {at: next(rows)[look.denied] for at in some} if len(some) > 1 else {}
        for look, some in zip(looks, places, strict=True)
    ]
    return [_quotes(look, some, given) for look, some, given in zip(looks, places, scores, strict=True)]


def _quotes(look: Look, places: list[int], scores: dict[int, float]) -> tuple[Quote, ...]:
    read = look.deciding
    whole = read.contradicted if look.denied else read.supported
    if len(places) > 1:
        named = [finding.found for finding in look.findings if look.denied and finding.denied and finding.found]
        otherwise = [at for at in places if any(name in look.pieces[at].text for name in named)]
        ranked = sorted(places, key=lambda at: (-scores[at], -_shared(look, at), at))
        alone = otherwise[:1] or ranked[: scores[ranked[0]] >= TOGETHER * whole]
        places = alone or sorted(ranked[:2])
    found = [(look.item.evidence[piece.passage], piece) for piece in (look.pieces[at] for at in places)]
    return tuple(
        Quote(passage.source, line_at(passage, piece.start), passage.text[piece.start : piece.end], round(whole, 4))
        for passage, piece in found
    )


def _places(look: Look) -> list[int]:
    """The pieces of the deciding window that may decide: the MOST that share most words with the claim, in order."""
    window = look.deciding.window
    ranked = sorted(range(window.first, window.last), key=lambda at: (-_shared(look, at), at))
    return sorted(ranked[:MOST])


def _shared(look: Look, at: int) -> int:
    return len(set(key_terms(look.claim)) & set(key_terms(look.pieces[at].text)))


def justify(label: Label, look: Look, contradicted: bool) -> str:
    """One plain sentence that says what decided; `contradicted`: the verdict says that the documents deny the claim."""
    percent = f"{100 * look.chance:.0f} %"
    found = next((one for one in look.findings if one.denied), None) or next(iter(look.findings), None)
    if label is Label.SUPPORTED:
        head, why = "Supported", f"the reader is {percent} sure that the passage says so"
    else:
        head = "Not sure" if label is Label.WEAKLY_SUPPORTED else "Not in the documents"
        head = "Contradicted" if contradicted else head
        why = _otherwise(found) if found else f"the reader gives support a chance of {percent}"
    if look.denied and (found is None or not found.denied):
        strongest = max(read.contradicted for read in look.reads)
        why = f"the reader is {100 * strongest:.0f} % sure that the passage says otherwise"
    whole = len(look.claim) >= len(look.item.claim.text) // 2
    text = f"{head}: {why}."
    return text if whole else f"{text} So much of the weakest part of a long claim."


def _otherwise(finding: Finding) -> str:
    said, found = _named(finding.said), _named(finding.found)
    if finding.denied and found:
        return f"the passage has {found} where the claim has {said}"
    return f"the documents found for it do not have {said}"


def _named(text: str) -> str:
    """An amount or a name, short and without the stop of its sentence, so that it can stand anywhere in another."""
    return text[:_SHOWN].strip().rstrip(".,;:!?")
