"""The contexts of BeyondChats: which texts an assistant was given, and which answers it gave with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.datasets.base import Content, Ledger, keep, objects, says
from gate.datasets.turns import Exchange
from gate.errors import InputFileError

_ENOUGH = 40  # letters and digits that two texts must share to be one


@dataclass(frozen=True, slots=True)
class Given:
    """What one context file holds: the texts, what it says about each, and by what its answer is known (`said`: its
    letters and digits)."""

    path: str
    texts: tuple[str, ...]
    details: tuple[dict[str, Any], ...]
    message_id: Any = None
    said: str = ""


def given(content: Content, data: Mapping[str, Any], ledger: Ledger) -> Given:
    """The texts that were used: those of `sources.vectors_used`, in that order; all where it names none of them."""
    sources = data.get("sources")
    sources = sources if isinstance(sources, dict) else {}
    known = [entry for entry in objects(data["vector_data"], ledger=ledger) if _has_text(entry, ledger)]
    used = sources.get("vectors_used")
    chosen = _used(known, used if isinstance(used, list) else [], ledger)
    scores = _scores(objects(sources.get("vectors_info"), ledger=ledger), chosen, ledger)
    response = sources.get("final_response")
    parts = response if isinstance(response, list) else [response]
    said = _letters("".join(part for part in parts if isinstance(part, str)))
    ledger.rest("field of a context file", data, {"vector_data", *(("sources",) if sources else ())})
    read = {"vectors_info", "message_id", *(("vectors_used",) if isinstance(used, list) else ())}
    whole = bool(said) and all(isinstance(part, str) for part in parts if says(part))
    ledger.rest("field of the sources", sources, read | ({"final_response"} if whole else set()))
    return Given(
        content.path,
        tuple(entry["text"] for entry in chosen),
        tuple(_details(entry, scores, ledger) for entry in chosen),
        sources.get("message_id"),
        said,
    )


def _has_text(entry: Mapping[str, Any], ledger: Ledger) -> bool:
    good = isinstance(entry.get("text"), str) and bool(entry["text"].strip())
    if not good:
        ledger.out("context without text")
    return good


def _used(known: list[dict[str, Any]], used: list[Any], ledger: Ledger) -> list[dict[str, Any]]:
    by_id = {str(entry["id"]): entry for entry in known if "id" in entry}
    names = [str(name) for name in used]
    chosen = [by_id[name] for name in dict.fromkeys(names) if name in by_id] or known
    for reason, number in (
        ("context that was found and not used", len(known) - len(chosen)),
        ("context that was used and is not in the file", len(set(names) - set(by_id))),
    ):
        if number:
            ledger.out(reason, number=number)
    return chosen


def _scores(infos: Sequence[dict[str, Any]], chosen: Sequence[dict[str, Any]], ledger: Ledger) -> dict[str, Any]:
    """The score of the search by the id of the context; all else that the search says is counted as left out."""
    names = {str(entry["id"]) for entry in chosen if "id" in entry}
    found: dict[str, Any] = {}
    for info in infos:
        name = str(info.get("vector_id"))
        used = name in names and name not in found
        ledger.rest("field of `vectors_info`", info, ("vector_id", "score") if used else ())
        if used:
            found[name] = info.get("score")
    return found


def _details(entry: Mapping[str, Any], scores: Mapping[str, Any], ledger: Ledger) -> dict[str, Any]:
    """Everything but the text, with the score of the search."""
    found = {name: value for name, value in entry.items() if name != "text" and value is not None}
    return keep(found, {"score": scores.get(str(entry.get("id")))}, ledger)


def place(
    contexts: Sequence[Given], conversations: Sequence[Sequence[Exchange]], ledger: Ledger
) -> dict[tuple[int, int], Given]:
    """(conversation, exchange) -> its contexts: of the answer with the same message id or the same words; else of all
    answers of a conversation that have none of their own. What names an answer that there is not, and contexts that no
    answer needs, are counted. Errors: InputFileError where there are several to choose."""
    placed: dict[tuple[int, int], Given] = {}
    loose: list[Given] = []
    answers = [
        _answer((n, turn), exchange) for n, found in enumerate(conversations) for turn, exchange in enumerate(found)
    ]
    for contexts_ in contexts:
        answer = next((answer for answer in answers if _names(contexts_, answer)), None)
        _tell(contexts_, answer, ledger)
        if answer is None:
            loose.append(contexts_)
        else:
            own = placed.get(answer.spot)
            placed[answer.spot] = _joined([own, contexts_]) if own else contexts_
    if loose and len(conversations) != 1 and len(loose) != len(conversations):
        raise InputFileError(
            f"{loose[0].path}: of {len(conversations)} conversations, it is not told which one has these contexts",
            "import one conversation with its contexts at a time",
        )
    if len(conversations) == 1 and len(loose) > 1:
        loose = [_joined(loose)]
    for number, contexts_ in enumerate(loose):
        spots = [spot for turn in range(len(conversations[number])) if (spot := (number, turn)) not in placed]
        placed.update(dict.fromkeys(spots, contexts_))
        if contexts_.texts and not spots:
            ledger.out("context that no answer needs", number=len(contexts_.texts))
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
    return _by_id(contexts, answer) or _by_words(contexts, answer)


def _by_id(contexts: Given, answer: _Answer) -> bool:
    return contexts.message_id is not None and str(contexts.message_id) in answer.ids


def _by_words(contexts: Given, answer: _Answer) -> bool:
    return bool(contexts.said) and _alike(contexts.said, answer.letters)


def _tell(contexts: Given, answer: _Answer | None, ledger: Ledger) -> None:
    """Count a name that is not the name of the answer that has these contexts now."""
    gone = "answer of a context file that nobody said (its contexts go to every answer that has none)"
    reason = gone if answer is None else "field of the sources"
    if says(contexts.message_id) and not (answer and _by_id(contexts, answer)):
        ledger.out(reason, "message_id")
    if contexts.said and not (answer and _by_words(contexts, answer)):
        ledger.out(reason, "final_response")


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _ENOUGH and short in long)


def _joined(several: Sequence[Given]) -> Given:
    """Several files for one answer, or that name none, for one conversation: together."""
    texts = tuple(text for contexts in several for text in contexts.texts)
    return Given(several[0].path, texts, tuple(detail for contexts in several for detail in contexts.details))


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
