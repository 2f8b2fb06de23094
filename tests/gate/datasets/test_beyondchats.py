"""BeyondChats: conversations, their contexts, and which belongs to which."""

import json

import pytest

from gate.datasets.convert import convert
from gate.errors import InputFileError


def turn(number, role, message, **more):
    return {"turn": number, "role": role, "message": message, **more}


def chat(*turns, chat_id=7, **more):
    return {"chat_id": chat_id, "conversation_turns": list(turns), **more}


CHAT = chat(
    turn(1, "User", "How warm?", sender_id=3, created_at="2026-01-01T10:00:00.000000Z"),
    turn(2, "AI/Chatbot", "20 degrees, day and night, in all the rooms of our house.",
         created_at="2026-01-01T10:00:02.500000Z", evaluation_note="fine"),
    turn(3, "User", "And outside?"),
    turn(4, "AI/Chatbot", "Ask the sky.", message_id=41),
)  # fmt: skip


def context(*texts, **sources):
    vectors = [{"id": n, "text": text, "source_url": f"u{n}"} for n, text in enumerate(texts, 1)]
    return {"status": "ok", "data": {"vector_data": vectors, "sources": sources}}


def imported(tmp_path, *values, name="auto"):
    paths = []
    for number, value in enumerate(values):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(value))
        paths.append(path)
    found = convert(paths, name)
    return found.rows, {(reason, field): n for (reason, field), n in found.ledger.counts.items()}


def contexts(rows):
    return [row.get("contexts") for row in rows]


def test_a_conversation_becomes_recorded_answers(tmp_path):
    rows, left = imported(tmp_path, CHAT)
    assert rows == [
        {"id": "7-2", "question": "How warm?", "answer": CHAT["conversation_turns"][1]["message"],
         "created_at": "2026-01-01T10:00:02.500000Z", "latency_ms": 2500.0, "conversation": "7", "turn": 2,
         "evaluation_note": "fine"},
        {"id": "7-4", "question": "And outside?", "answer": "Ask the sky.", "conversation": "7", "turn": 4,
         "message_id": 41, "messages": [
             {"role": "user", "content": "How warm?"},
             {"role": "assistant", "content": CHAT["conversation_turns"][1]["message"]},
             {"role": "user", "content": "And outside?"},
         ]},
    ]  # fmt: skip
    assert left == {("field of a question", "sender_id"): 1}


def test_a_name_that_no_answer_has_is_told(tmp_path):
    gone = "answer of a context file that nobody said (its contexts go to every answer that has none)"
    rows, left = imported(tmp_path, CHAT, context("a", final_response="Something else was said.", message_id=9))
    assert contexts(rows) == [["a"]] * 2
    assert (left[(gone, "final_response")], left[(gone, "message_id")]) == (1, 1)
    _, left = imported(tmp_path, CHAT, context("a", final_response="Ask the sky.", message_id=9))
    assert (left[("field of the sources", "message_id")], (gone, "message_id") in left) == (1, False)


@pytest.mark.parametrize(
    "sources",
    [
        {"message_id": 41},
        {"final_response": ["Ask the", " sky!"]},
    ],
)
def test_contexts_with_a_name_go_to_their_answer(tmp_path, sources):
    rows, _ = imported(tmp_path, CHAT, context("own", **sources), context("rest"))
    assert contexts(rows) == [["rest"], ["own"]]


def test_only_what_was_used_is_a_context(tmp_path):
    info = [{"vector_id": 2, "score": 0.5}]
    rows, left = imported(tmp_path, CHAT, context("a", "b", "", vectors_used=[2, 99, 2], vectors_info=info))
    assert contexts(rows) == [["b"]] * 2
    assert rows[0]["context_details"] == [{"id": 2, "source_url": "u2", "score": 0.5}]
    assert left[("context that was found and not used", "")] == 1
    assert left[("context that was used and is not in the file", "")] == 1
    assert left[("context without text", "")] == 1


def test_two_conversations_and_two_contexts_go_together_in_order(tmp_path):
    other = chat(turn(1, "User", "Who?"), turn(2, "AI/Chatbot", "Me."), chat_id=8)
    rows, _ = imported(tmp_path, CHAT, other, context("a"), context("b"))
    assert contexts(rows) == [["a"], ["a"], ["b"]]
    assert [row["id"] for row in rows] == ["7-2", "7-4", "8-2"]


def test_contexts_that_could_be_of_either_are_refused(tmp_path):
    with pytest.raises(InputFileError, match="2 conversations"):
        imported(tmp_path, CHAT, chat(turn(1, "User", "Q"), turn(2, "AI", "A")), context("a"))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("2026-01-01T10:00:00Z", "2026-01-01T09:00:00Z"),
        ("2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z"),
        ("yesterday", "today"),
    ],
)
def test_a_wait_that_the_clock_does_not_tell_is_left_out(tmp_path, asked, said):
    turns = (turn(1, "User", "Q", created_at=asked), turn(2, "AI", "A", created_at=said))
    assert "latency_ms" not in imported(tmp_path, chat(*turns))[0][0]
