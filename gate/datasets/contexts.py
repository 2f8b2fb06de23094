"""The contexts of BeyondChats: which texts an assistant was given, and which answers it gave with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.datasets.base import Content, Ledger, objects
from gate.datasets.turns import Exchange
from gate.errors import InputFileError

_ENOUGH = 40  # letters and digits that two texts must share to be one


@dataclass(frozen=True, slots=True)
class Given:
    """What one context file holds: the texts, what it says about each, and by what its answer is known."""

    path: str
    texts: tuple[str, ...]
    details: tuple[dict[str, Any], ...]
    message_id: Any = None
    said: str = ""


def given(content: Content, data: Mapping[str, Any], ledger: Ledger) -> Given:
    """The texts that were used: those of `sources.vectors_used`, in that order; all where it names none of them."""
    sources = data.get("sources")
    sources = sources if isinstance(sources, dict) else {}
    known = [entry for entry in objects(data["vector_data"]) if _has_text(entry, ledger)]
    chosen = _used(known, sources.get("vectors_used"), ledger)
    scores = {str(info.get("vector_id")): info.get("score") for info in objects(sources.get("vectors_info"))}
    response = sources.get("final_response")
    parts = response if isinstance(response, list) else [response]
    for name in sorted(set(data) - {"vector_data", "sources"}):
        ledger.out("field of a context file", name)
    return Given(
        content.path,
        tuple(entry["text"] for entry in chosen),
        tuple(_details(entry, scores) for entry in chosen),
        sources.get("message_id"),
        _letters("".join(part for part in parts if isinstance(part, str))),
    )


def _has_text(entry: Mapping[str, Any], ledger: Ledger) -> bool:
    good = isinstance(entry.get("text"), str) and bool(entry["text"].strip())
    if not good:
        ledger.out("context without text")
    return good


def _used(known: list[dict[str, Any]], used: Any, ledger: Ledger) -> list[dict[str, Any]]:
    by_id = {str(entry["id"]): entry for entry in known if "id" in entry}
    names = [str(name) for name in used] if isinstance(used, list) else []
    chosen = [by_id[name] for name in dict.fromkeys(names) if name in by_id]
    if not chosen:
        return known
    for reason, number in (
        ("context that was found and not used", len(known) - len(chosen)),
        ("context that was used and is not in the file", len(set(names) - set(by_id))),
    ):
        if number:
            ledger.out(reason, number=number)
    return chosen


def _details(entry: Mapping[str, Any], scores: Mapping[str, Any]) -> dict[str, Any]:
    """Everything but the text, with the score of the search."""
    found = {name: value for name, value in entry.items() if name != "text" and value is not None}
    score = scores.get(str(entry.get("id")))
    return found if score is None else {**found, "score": score}


def place(contexts: Sequence[Given], conversations: Sequence[Sequence[Exchange]]) -> dict[tuple[int, int], Given]:
    """(conversation, exchange) -> its contexts: of the answer with the same message id or the same words; else of all
    answers of a conversation that have none of their own. Errors: InputFileError where there are several to choose."""
    placed: dict[tuple[int, int], Given] = {}
    loose: list[Given] = []
    answers = [
        _answer((n, turn), exchange) for n, found in enumerate(conversations) for turn, exchange in enumerate(found)
    ]
    for contexts_ in contexts:
        spot = next((answer.spot for answer in answers if _names(contexts_, answer)), None)
        if spot is None:
            loose.append(contexts_)
        else:
            placed[spot] = contexts_
    if loose and len(conversations) != 1 and len(loose) != len(conversations):
        raise InputFileError(
            f"{loose[0].path}: of {len(conversations)} conversations, it is not told which one has these contexts",
            "import one conversation with its contexts at a time",
        )
    if len(conversations) == 1 and len(loose) > 1:
        loose = [_joined(loose)]
    for number, contexts_ in enumerate(loose):
        for turn in range(len(conversations[number])):
            placed.setdefault((number, turn), contexts_)
    return placed


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer: where it stands, the ids of its messages, its letters."""

    spot: tuple[int, int]
    ids: frozenset[str]
    letters: str


def _answer(spot: tuple[int, int], exchange: Exchange) -> _Answer:
    found = (message.fields.get(name) for message in exchange.answers for name in ("message_id", "id"))
    return _Answer(spot, frozenset(str(name) for name in found if name is not None), _letters(exchange.answer))


def _names(contexts: Given, answer: _Answer) -> bool:
    """Whether these contexts are those of this answer."""
    if contexts.message_id is not None and str(contexts.message_id) in answer.ids:
        return True
    return bool(contexts.said) and _alike(contexts.said, answer.letters)


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _ENOUGH and short in long)


def _joined(several: Sequence[Given]) -> Given:
    """Several files that name no answer, for one conversation: together."""
    texts = tuple(text for contexts in several for text in contexts.texts)
    return Given(several[0].path, texts, tuple(detail for contexts in several for detail in contexts.details))


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
