"""BeyondChats: a conversation (`conversation_turns`) and the contexts (`data.vector_data`) of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any

from gate.datasets.base import (
    Content,
    Exchange,
    Format,
    Ledger,
    Row,
    Turn,
    exchanges,
    is_filled,
    keep,
    objects,
    role_of,
)
from gate.errors import InputFileError

_LONGEST_WAIT = 3600.0  # seconds between a question and its answer: beyond, nobody was waiting
_ENOUGH = 40  # letters and digits that two texts must share to be one


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation: its name (empty: it has none), its exchanges, and what need not be said of them."""

    path: str
    name: str
    exchanges: tuple[Exchange, ...]
    used: frozenset[str]  # fields of its turns that are told by the order of the rows


def _matches(content: Content) -> bool:
    """Whether the file holds a conversation or contexts."""
    return content.kind == "json" and any(_turns(entry) or _data(entry) for entry in objects(content.value))


def _parse(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each answer, in the order of the conversations. Errors: InputFileError where it cannot be told which
    conversation some contexts belong to."""
    conversations: list[Conversation] = []
    contexts: list[Contexts] = []
    for content in contents:
        for entry in objects(content.value, ledger=ledger):
            if _turns(entry):
                conversations.append(_conversation(content, entry, ledger))
            elif _data(entry):
                contexts.append(_parse_contexts(content, entry["data"], ledger))
                ledger.count_fields("field of a context file", entry, {"data"})
            else:
                ledger.count("object that is neither a conversation nor contexts")
    if not conversations:
        raise contents[0].fault("has contexts but no conversation", "name the file with `conversation_turns` as well")
    placed = _place(contexts, [conversation.exchanges for conversation in conversations], ledger)
    for number, conversation in enumerate(conversations):
        for turn, exchange in enumerate(conversation.exchanges):
            yield _row(conversation, exchange, placed.get((number, turn)), ledger)


def _turns(entry: Mapping[str, Any]) -> bool:
    return isinstance(entry.get("conversation_turns"), list)


def _data(entry: Mapping[str, Any]) -> bool:
    data = entry.get("data")
    return isinstance(data, dict) and isinstance(data.get("vector_data"), list)


def _conversation(content: Content, entry: Mapping[str, Any], ledger: Ledger) -> Conversation:
    written = objects(entry["conversation_turns"], ledger=ledger)
    numbers = [turn.get("turn") for turn in written]
    numbered = all(type(number) is int for number in numbers) and len(set(numbers)) == len(numbers)
    if numbered:
        written.sort(key=lambda turn: int(turn["turn"]))
    turns = [Turn(role_of(turn.get("role")), _text(turn), turn) for turn in written]
    found = tuple(exchanges(turns, ledger))
    chat = entry.get("chat_id")
    name = str(chat) if isinstance(chat, int | str) else ""
    ledger.count_fields(
        "field of a conversation", entry, {"conversation_turns", *(("chat_id",) if name and found else ())}
    )
    return Conversation(content.path, name, found, frozenset(("role", "message", *(("turn",) if numbered else ()))))


def _text(turn: Mapping[str, Any]) -> str | None:
    message = turn.get("message")
    return message if isinstance(message, str) else None


def _row(conversation: Conversation, exchange: Exchange, contexts: Contexts | None, ledger: Ledger) -> Row:
    last, first = exchange.questions[-1].fields, exchange.answers[0].fields
    row: Row = {"question": exchange.question, "answer": exchange.answer}
    if conversation.name and first.get("turn") is not None:
        row = {"id": f"{conversation.name}-{first['turn']}", **row}
    if contexts is not None and contexts.texts:
        row |= {"contexts": list(contexts.texts), "context_details": list(contexts.details)}
    wait = _wait(last, first)
    clock = {"created_at": first.get("created_at"), "latency_ms": wait}
    row |= {name: value for name, value in clock.items() if value is not None}
    row["conversation"] = conversation.name or PurePath(conversation.path).stem
    used = conversation.used
    for turn in exchange.questions[:-1]:
        ledger.count_fields("field of a question", turn.fields, used)
    ledger.count_fields("field of a question", last, used if wait is None else used | {"created_at"})
    for turn in exchange.answers[1:]:
        ledger.count_fields("field of an answer in several messages", turn.fields, used)
    if exchange.tools:
        ledger.count("message of a tool", number=len(exchange.tools))
    rest = {name: value for name, value in first.items() if name not in ("role", "message", "created_at")}
    return keep(row, rest, ledger)


def _wait(question: Mapping[str, Any], answer: Mapping[str, Any]) -> float | None:
    """Milliseconds from the question to the answer, by the clock of the conversation."""
    try:
        asked, said = (datetime.fromisoformat(turn["created_at"]) for turn in (question, answer))
        seconds = (said - asked).total_seconds()
    except (KeyError, TypeError, ValueError):
        return None
    return round(seconds * 1000, 3) if 0 <= seconds <= _LONGEST_WAIT else None


@dataclass(frozen=True, slots=True)
class Contexts:
    """What one context file holds: the texts, what it says about each, and by what its answer is known (`said`: its
    letters and digits)."""

    path: str
    texts: tuple[str, ...]
    details: tuple[dict[str, Any], ...]
    message_id: Any = None
    said: str = ""


def _parse_contexts(content: Content, data: Mapping[str, Any], ledger: Ledger) -> Contexts:
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
    ledger.count_fields("field of a context file", data, {"vector_data", *(("sources",) if sources else ())})
    read = {"vectors_info", "message_id", *(("vectors_used",) if isinstance(used, list) else ())}
    whole = bool(said) and all(isinstance(part, str) for part in parts if is_filled(part))
    ledger.count_fields("field of the sources", sources, read | ({"final_response"} if whole else set()))
    return Contexts(
        content.path,
        tuple(entry["text"] for entry in chosen),
        tuple(_details(entry, scores, ledger) for entry in chosen),
        sources.get("message_id"),
        said,
    )


def _has_text(entry: Mapping[str, Any], ledger: Ledger) -> bool:
    good = isinstance(entry.get("text"), str) and bool(entry["text"].strip())
    if not good:
        ledger.count("context without text")
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
            ledger.count(reason, number=number)
    return chosen


def _scores(infos: Sequence[dict[str, Any]], chosen: Sequence[dict[str, Any]], ledger: Ledger) -> dict[str, Any]:
    """The score of the search by the id of the context; all else that the search says is counted as left out."""
    names = {str(entry["id"]) for entry in chosen if "id" in entry}
    found: dict[str, Any] = {}
    for info in infos:
        name = str(info.get("vector_id"))
        used = name in names and name not in found
        ledger.count_fields("field of `vectors_info`", info, ("vector_id", "score") if used else ())
        if used:
            found[name] = info.get("score")
    return found


def _details(entry: Mapping[str, Any], scores: Mapping[str, Any], ledger: Ledger) -> dict[str, Any]:
    """Everything but the text, with the score of the search."""
    found = {name: value for name, value in entry.items() if name != "text" and value is not None}
    return keep(found, {"score": scores.get(str(entry.get("id")))}, ledger)


def _place(
    contexts: Sequence[Contexts], conversations: Sequence[Sequence[Exchange]], ledger: Ledger
) -> dict[tuple[int, int], Contexts]:
    """(conversation, exchange) -> its contexts: of the answer with the same message id or the same words; else of all
    answers of a conversation that have none of their own. What names an answer that there is not, and contexts that no
    answer needs, are counted. Errors: InputFileError where there are several to choose."""
    placed: dict[tuple[int, int], Contexts] = {}
    loose: list[Contexts] = []
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
            ledger.count("context that no answer needs", number=len(contexts_.texts))
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


def _names(contexts: Contexts, answer: _Answer) -> bool:
    """Whether these contexts are those of this answer."""
    return _by_id(contexts, answer) or _by_words(contexts, answer)


def _by_id(contexts: Contexts, answer: _Answer) -> bool:
    return contexts.message_id is not None and str(contexts.message_id) in answer.ids


def _by_words(contexts: Contexts, answer: _Answer) -> bool:
    return bool(contexts.said) and _alike(contexts.said, answer.letters)


def _tell(contexts: Contexts, answer: _Answer | None, ledger: Ledger) -> None:
    """Count a name that is not the name of the answer that has these contexts now."""
    gone = "answer of a context file that nobody said (its contexts go to every answer that has none)"
    reason = gone if answer is None else "field of the sources"
    if is_filled(contexts.message_id) and not (answer and _by_id(contexts, answer)):
        ledger.count(reason, "message_id")
    if contexts.said and not (answer and _by_words(contexts, answer)):
        ledger.count(reason, "final_response")


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _ENOUGH and short in long)


def _joined(several: Sequence[Contexts]) -> Contexts:
    """Several files for one answer, or that name none, for one conversation: together."""
    texts = tuple(text for contexts in several for text in contexts.texts)
    return Contexts(several[0].path, texts, tuple(detail for contexts in several for detail in contexts.details))


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


FORMAT = Format(
    "an object with `conversation_turns`, and one with `data.vector_data` for its contexts", _matches, _parse
)
