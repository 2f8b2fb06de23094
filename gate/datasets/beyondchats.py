"""BeyondChats: a conversation (`conversation_turns`) and the contexts (`data.vector_data`) of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import PurePath
from typing import Any

from gate.datasets.base import Content, Format, Leftovers, NewRow, is_filled, keep, objects
from gate.datasets.conversations import Exchange, Turn, exchanges, loose, passages, role_of, with_contexts
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


def _parse(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each answer, in the order of the conversations. Errors: InputFileError where it cannot be told which
    conversation some contexts belong to."""
    conversations: list[Conversation] = []
    contexts: list[ContextFile] = []
    for content in contents:
        for entry in objects(content.value, left=left):
            if _turns(entry):
                conversations.append(_conversation(content, entry, left))
            elif _data(entry):
                contexts.append(_parse_contexts(content, entry["data"], left))
                left.count_fields("field of a context file", entry, {"data"})
            else:
                left.count("object that is neither a conversation nor contexts")
    if not conversations:
        raise contents[0].fault("has contexts but no conversation", "name the file with `conversation_turns` as well")
    placed = _place(contexts, [conversation.exchanges for conversation in conversations], left)
    for number, conversation in enumerate(conversations):
        for turn, exchange in enumerate(conversation.exchanges):
            yield _row(conversation, exchange, placed.get((number, turn)), left)


def _turns(entry: Mapping[str, Any]) -> bool:
    return isinstance(entry.get("conversation_turns"), list)


def _data(entry: Mapping[str, Any]) -> bool:
    data = entry.get("data")
    return isinstance(data, dict) and isinstance(data.get("vector_data"), list)


def _conversation(content: Content, entry: Mapping[str, Any], left: Leftovers) -> Conversation:
    written = objects(entry["conversation_turns"], left=left)
    numbers = [turn.get("turn") for turn in written]
    numbered = all(type(number) is int for number in numbers) and len(set(numbers)) == len(numbers)
    if numbered:
        written.sort(key=lambda turn: int(turn["turn"]))
    texts = (message if isinstance(message := turn.get("message"), str) else None for turn in written)
    turns = [Turn(role_of(turn.get("role")), text, turn) for text, turn in zip(texts, written, strict=True)]
    found = tuple(exchanges(turns, left))
    used = frozenset(("role", "message", *(("turn",) if numbered else ())))
    for turn in loose(found):
        left.count_fields("field of a message that answers no question", turn.fields, used)
    chat = entry.get("chat_id")
    name = str(chat) if isinstance(chat, int | str) else ""
    left.count_fields(
        "field of a conversation", entry, {"conversation_turns", *(("chat_id",) if name and found else ())}
    )
    return Conversation(content.path, name, found, used)


def _row(conversation: Conversation, exchange: Exchange, contexts: ContextFile | None, left: Leftovers) -> NewRow:
    last, first = exchange.questions[-1].fields, exchange.answers[0].fields
    row = exchange.row
    if conversation.name and first.get("turn") is not None:
        row = {"id": f"{conversation.name}-{first['turn']}", **row}
    own = zip(contexts.texts, contexts.details, strict=True) if contexts is not None else ()
    row = with_contexts(row, [*own, *passages(exchange.tools)])
    wait = _wait(last, first)
    clock = {"created_at": first.get("created_at"), "latency_ms": wait}
    row |= {name: value for name, value in clock.items() if value is not None}
    row["conversation"] = conversation.name or PurePath(conversation.path).stem
    used = conversation.used
    for turn in exchange.questions[:-1]:
        left.count_fields("field of a question", turn.fields, used)
    left.count_fields("field of a question", last, used if wait is None else used | {"created_at"})
    for turn in exchange.answers[1:]:
        left.count_fields("field of an answer in several messages", turn.fields, used)
    for turn in exchange.tools:
        left.count_fields("field of a message of a tool", turn.fields, used)
    rest = {name: value for name, value in first.items() if name not in ("role", "message", "created_at")}
    return keep(row, rest, left)


def _wait(question: Mapping[str, Any], answer: Mapping[str, Any]) -> float | None:
    """Milliseconds from the question to the answer, by the clock of the conversation."""
    try:
        asked, said = (datetime.fromisoformat(turn["created_at"]) for turn in (question, answer))
        seconds = (said - asked).total_seconds()
    except (KeyError, TypeError, ValueError):
        return None
    return round(seconds * 1000, 3) if 0 <= seconds <= _LONGEST_WAIT else None


@dataclass(frozen=True, slots=True)
class ContextFile:
    """What one context file holds: the texts, what it says about each, and by what its answer is known (`said`: its
    letters and digits)."""

    path: str
    texts: tuple[str, ...]
    details: tuple[dict[str, Any], ...]
    message_id: Any = None
    said: str = ""


def _parse_contexts(content: Content, data: Mapping[str, Any], left: Leftovers) -> ContextFile:
    """The texts that were used: those of `sources.vectors_used`, in that order; all where it names none of them."""
    rest = dict(data)
    sources = dict(rest.pop("sources")) if isinstance(rest.get("sources"), dict) else {}
    entries = objects(rest.pop("vector_data"), left=left)
    known = [entry for entry in entries if isinstance(entry.get("text"), str) and entry["text"].strip()]
    left.count("context without text", number=len(entries) - len(known))
    chosen = _used(known, sources.pop("vectors_used") if isinstance(sources.get("vectors_used"), list) else [], left)
    scores = _scores(objects(sources.pop("vectors_info", None), left=left), chosen, left)
    response = sources.get("final_response")
    parts = [part for part in (response if isinstance(response, list) else [response]) if is_filled(part)]
    said = _letters("".join(part for part in parts if isinstance(part, str)))
    if said and all(isinstance(part, str) for part in parts):
        del sources["final_response"]
    message_id = sources.pop("message_id", None)
    left.count_fields("field of a context file", rest)
    left.count_fields("field of the sources", sources)
    details = tuple(_details(entry, scores, left) for entry in chosen)
    return ContextFile(content.path, tuple(entry["text"] for entry in chosen), details, message_id, said)


def _used(known: list[dict[str, Any]], used: list[Any], left: Leftovers) -> list[dict[str, Any]]:
    by_id = {str(entry["id"]): entry for entry in known if "id" in entry}
    names = [str(name) for name in used]
    chosen = [by_id[name] for name in dict.fromkeys(names) if name in by_id] or known
    left.count("context that was found and not used", number=len(known) - len(chosen))
    left.count("context that was used and is not in the file", number=len(set(names) - set(by_id)))
    return chosen


def _scores(infos: Sequence[dict[str, Any]], chosen: Sequence[dict[str, Any]], left: Leftovers) -> dict[str, Any]:
    """The score of the search by the id of the context; all else that the search says is counted as left out."""
    names = {str(entry["id"]) for entry in chosen if "id" in entry}
    found: dict[str, Any] = {}
    for info in infos:
        name = str(info.get("vector_id"))
        used = name in names and name not in found
        left.count_fields("field of `vectors_info`", info, ("vector_id", "score") if used else ())
        if used:
            found[name] = info.get("score")
    return found


def _details(entry: Mapping[str, Any], scores: Mapping[str, Any], left: Leftovers) -> dict[str, Any]:
    """Everything but the text, with the score of the search."""
    found = {name: value for name, value in entry.items() if name != "text" and value is not None}
    return keep(found, {"score": scores.get(str(entry.get("id")))}, left)


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer: its conversation and exchange, by number; the ids of its messages; its letters."""

    spot: tuple[int, int]
    ids: frozenset[str]
    letters: str

    def is_named(self, file: ContextFile) -> bool:
        """Whether the contexts of a file have its id."""
        return file.message_id is not None and str(file.message_id) in self.ids

    def is_said(self, file: ContextFile) -> bool:
        """Whether the contexts of a file have its words."""
        return bool(file.said) and _alike(file.said, self.letters)


def _answer(spot: tuple[int, int], exchange: Exchange) -> _Answer:
    ids = (message.fields.get(name) for message in exchange.answers for name in ("message_id", "id"))
    return _Answer(spot, frozenset(str(name) for name in ids if name is not None), _letters(exchange.row["answer"]))


def _place(
    files: Sequence[ContextFile], conversations: Sequence[Sequence[Exchange]], left: Leftovers
) -> dict[tuple[int, int], ContextFile]:
    """(conversation, exchange) -> its contexts: of the answer with the same message id or the same words; else of all
    answers of a conversation that have none of their own. What names an answer that there is not, and contexts that no
    answer needs, are counted. Errors: InputFileError where there are several to choose."""
    placed: dict[tuple[int, int], ContextFile] = {}
    loose: list[ContextFile] = []
    answers = [_answer((n, turn), one) for n, found in enumerate(conversations) for turn, one in enumerate(found)]
    for file in files:
        answer = next((answer for answer in answers if answer.is_named(file) or answer.is_said(file)), None)
        _count_names(file, answer, left)
        if answer is None:
            loose.append(file)
        else:
            own = placed.get(answer.spot)
            placed[answer.spot] = _joined([own, file]) if own else file
    if loose and len(conversations) != 1 and len(loose) != len(conversations):
        raise InputFileError(
            f"{loose[0].path}: of {len(conversations)} conversations, it is not told which one has these contexts",
            "import one conversation with its contexts at a time",
        )
    if len(conversations) == 1 and len(loose) > 1:
        loose = [_joined(loose)]
    for number, file in enumerate(loose):
        spots = [spot for turn in range(len(conversations[number])) if (spot := (number, turn)) not in placed]
        placed.update(dict.fromkeys(spots, file))
        left.count("context that no answer needs", number=0 if spots else len(file.texts))
    return placed


def _count_names(file: ContextFile, answer: _Answer | None, left: Leftovers) -> None:
    """Count a name that is not the name of the answer that has these contexts now."""
    gone = "answer of a context file that nobody said (its contexts go to every answer that has none)"
    reason = gone if answer is None else "field of the sources"
    if is_filled(file.message_id) and not (answer and answer.is_named(file)):
        left.count(reason, "message_id")
    if file.said and not (answer and answer.is_said(file)):
        left.count(reason, "final_response")


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _ENOUGH and short in long)


def _joined(several: Sequence[ContextFile]) -> ContextFile:
    """Several files for one answer, or that name none, for one conversation: together."""
    texts, details = (tuple(chain(*parts)) for parts in zip(*((f.texts, f.details) for f in several), strict=True))
    return ContextFile(several[0].path, texts, details)


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


FORMAT = Format(
    "an object with `conversation_turns`, and one with `data.vector_data` for its contexts", _matches, _parse
)
