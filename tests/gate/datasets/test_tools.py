"""Datasets of promptfoo, Ragas, DeepEval and OpenAI, and plain tables: small ones, in words of our own."""

import json

import pytest

from gate.datasets.convert import FORMATS, convert, describe_rows
from gate.errors import InputFileError


def imported(tmp_path, value, name="auto", suffix=".json"):
    path = tmp_path / f"in{suffix}"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    found = convert([path], name)
    return found.formats[0], found.rows, {" ".join(key).strip(): n for key, n in found.ledger.counts.items()}


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def message(role, content, **more):
    return {"role": role, "content": content, **more}


RAGAS = {"user_input": "q?", "response": "a", "retrieved_contexts": ["c"], "reference": "r", "rubric": {"score1": "x"}}
RAGAS_ROW = {"question": "q?", "answer": "a", "reference": "r", "contexts": ["c"], "rubric": {"score1": "x"}}
DEEPEVAL = {"input": "q?", "actual_output": "a", "expected_output": "r", "retrieval_context": ["c"], "context": ["i"]}
CAMEL = {"input": "q?", "actualOutput": "a", "expectedOutput": "r", "retrievalContext": ["c"], "context": ["i"]}
DEEPEVAL_ROW = {"question": "q?", "answer": "a", "reference": "r", "contexts": ["c"], "context": ["i"]}


@pytest.mark.parametrize(
    ("written", "kind", "row"),
    [
        *((whole, "ragas", RAGAS_ROW) for whole in ([RAGAS], {"samples": [RAGAS]}, lines(RAGAS), RAGAS)),
        *((whole, "deepeval", DEEPEVAL_ROW) for whole in ([DEEPEVAL], {"goldens": [DEEPEVAL]}, [CAMEL])),
        ("Question;Expected Answer;Team\nq?;r;x\n", "csv", {"question": "q?", "reference": "r", "Team": "x"}),
        ([{"query": "q?", "response": "a"}], "csv", {"question": "q?", "answer": "a"}),
    ],
)
def test_a_sample_is_a_row_however_its_file_is_written(tmp_path, written, kind, row):
    assert imported(tmp_path, written) == (kind, [row], {})


@pytest.mark.parametrize(
    ("cell", "contexts"),
    [
        ("ctx one|ctx two", ["ctx one", "ctx two"]),
        ("one||two|", ["one", "two"]),
        ('["a|b", "c"]', ["a|b", "c"]),
    ],
)
def test_deepeval_joins_the_contexts_of_a_cell(tmp_path, cell, contexts):
    quoted = '"' + cell.replace('"', '""') + '"'
    text = f"input,actual_output,expected_output,retrieval_context,context\nq?,a,r,{quoted},x|y\n"
    kind, rows, left = imported(tmp_path, text, suffix=".csv")
    assert (kind, left) == ("deepeval", {})
    assert (rows[0]["contexts"], rows[0]["context"]) == (contexts, ["x", "y"])


PROMPTFOO = """
description: travel
prompts: ["Answer: {{question}}"]
providers: [echo]
defaultTest:
  vars: {tone: kind}
  assert: [{type: llm-rubric, value: is kind}]
tests:
  - description: capital
    vars: {question: "Which city?", context: ["Oslo is one."]}
    assert:
      - {type: icontains, value: oslo}
      - {type: equals, value: Oslo}
      - {type: latency, threshold: 5}
  - vars: {question: ["One?", "Two?"], expected: "3"}
    assert: {type: similar, value: "{{expected}}", threshold: 0.8}
  - vars: {topic: trains}
  - description: no variables
"""


def test_promptfoo(tmp_path):
    kind, rows, left = imported(tmp_path, PROMPTFOO, suffix=".yaml")
    rubric = {"type": "llm-rubric", "value": "is kind"}
    assert kind == "promptfoo"
    assert rows[0] == {
        "question": "Which city?", "reference": "Oslo", "contexts": ["Oslo is one."], "description": "capital",
        "vars": {"tone": "kind"},
        "checks": {"regex": ["(?i)oslo"], "max_latency_ms": 5}, "assert": [rubric],
    }  # fmt: skip
    assert [(row["question"], row.get("reference")) for row in rows[1:]] == [
        ("One?", "3"), ("Two?", "3"),
    ]  # fmt: skip
    assert left["row without a question"] == 2
    assert left["assertion that names no answer (kept in `assert`) llm-rubric"] == 3
    assert left["field beside the list prompts"] == 1
    assert "field beside the list defaultTest" not in left  # it is in every row


@pytest.mark.parametrize(
    ("checks", "reference", "unused"),
    [
        ([{"type": "contains", "value": "a"}, {"type": "contains", "value": "b"}], "a; b", 0),
        ([{"type": "contains-any", "value": ["a", "b"]}], "a or b", 0),
        ([{"type": "not-contains", "value": "a"}], None, 0),
        ([{"type": "not-contains", "value": "a", "weight": 2}], None, 1),
        ([{"type": "equals", "value": "file://x"}, {"type": "contains", "value": 3}], "3", 1),
        ([{"type": "assert-set", "assert": [{"type": "factuality", "value": "a"}]}], "a", 0),
        ([{"value": "a"}, "word"], None, 1),
        ([{"type": "contains-all", "value": ["a", {"b": 1}]}, {"type": "contains", "value": "c"}], "c", 1),
    ],
)
def test_assertions_of_promptfoo_that_name_an_answer(tmp_path, checks, reference, unused):
    _, (row,), _ = imported(tmp_path, [{"vars": {"query": "q?"}, "assert": checks}])
    assert row.get("reference") == reference
    assert len(row.get("assert", [])) == unused


@pytest.mark.parametrize(
    ("said", "checks"),
    [
        ({"type": "contains", "value": "{{city}}"}, {"contains": ["Oslo"]}),
        ({"type": "contains-all", "value": ["a", "b"]}, {"contains": ["a", "b"]}),
        ({"type": "contains-any", "value": ["a.b", "c"]}, {"regex": ["a\\.b|c"]}),
        ({"type": "icontains-any", "value": ["a", "b"]}, {"regex": ["(?i)a|b"]}),
        ({"type": "starts-with", "value": "(a"}, {"regex": ["^\\(a"]}),
        ({"type": "regex", "value": "^\\d+$"}, {"regex": ["^\\d+$"]}),
        ({"type": "regex", "value": "(?=a)"}, None),
        ({"type": "cost", "threshold": 0.1}, {"max_cost_usd": 0.1}),
        ({"type": "not-equals", "value": "a"}, None),
        ({"type": "contains", "value": "file://a"}, None),
        ({"type": "latency"}, None),
    ],
)
def test_exact_assertions_of_promptfoo_become_checks(tmp_path, said, checks):
    _, (row,), _ = imported(tmp_path, [{"vars": {"query": "q?", "city": "Oslo"}, "assert": [said]}])
    assert row.get("checks") == checks
    assert ("assert" in row) == (checks is None)


@pytest.mark.parametrize(
    ("variables", "options", "questions"),
    [
        ({"language": ["French", "German"], "text": "Hello"}, {}, ["French: Hello", "German: Hello"]),
        ({"language": ["a", "b"], "text": ["1", "2"]}, {}, ["a: 1", "a: 2", "b: 1", "b: 2"]),
        ({"language": ["a", "b"], "text": "x"}, {"disableVarExpansion": True}, ["a\nb: x"]),
    ],
)
def test_arrays_of_promptfoo_are_one_test_for_each_combination(tmp_path, variables, options, questions):
    test = {"vars": variables, "options": options, "assert": [{"type": "equals", "value": "{{language}}"}]}
    _, rows, _ = imported(tmp_path, {"prompts": ["{{language}}: {{text}}"], "tests": [test]})
    assert [row["question"] for row in rows] == questions
    assert [row["reference"] for row in rows] == [question.partition(":")[0] for question in questions]
    assert [row["vars"]["text"] for row in rows] == [question.partition(": ")[2] for question in questions]


def test_the_combinations_of_promptfoo_have_a_bound(tmp_path):
    huge = {f"v{number}": ["a", "b"] for number in range(1_000)}
    with pytest.raises(InputFileError, match="more than 100,000 tests"):
        imported(tmp_path, [{"vars": huge}])
    long = {"prompts": ["{{x}}" + "long" * 100_000], "tests": [{"vars": {"x": ["a"] * 1_000}}]}
    with pytest.raises(InputFileError, match="larger than the gate reads"):
        imported(tmp_path, long)


def test_promptfoo_as_csv(tmp_path):
    text = (
        "question,__expected,__expected2,__description\n"
        "q1?,Oslo,,first\n"
        "q2?,icontains: oslo,llm-rubric: is kind,\n"
        'q3?,"contains-all: a, b",,\n'
        "q4?,note: a colon,,\n"
        "q5?,similar(0.8): x,,\n"
        "q6?,,,\n"
    )
    kind, rows, left = imported(tmp_path, text, suffix=".csv")
    assert kind == "promptfoo"
    assert [row.get("reference") for row in rows] == ["Oslo", "oslo", "a; b", "note: a colon", "x", None]
    assert rows[0]["description"] == "first"
    gave = "an assertion that gave the reference"
    assert left == {
        "assertion that names no answer (kept in `assert`) llm-rubric": 1, f"field of {gave} threshold": 1,
        f"kind of {gave} equals": 2, f"kind of {gave} similar": 1,
    }  # fmt: skip


def test_openai_logs_with_the_reply_beside(tmp_path):
    reply = {
        "model": "m-1", "created": 1767225600, "usage": {"prompt_tokens": 9, "completion_tokens": 2},
        "choices": [{"message": message("assistant", "a")}, {"message": message("assistant", "b")}],
    }  # fmt: skip
    log = {"custom_id": "c1", "body": {"model": "m", "temperature": 0, "messages": [message("user", "q?")]},
           "response": {"body": reply}}  # fmt: skip
    _, rows, left = imported(tmp_path, lines(log))
    assert rows == [
        {"question": "q?", "answer": "a", "conversation": "c1", "turn": 1, "custom_id": "c1", "model": "m-1",
         "input_tokens": 9, "output_tokens": 2, "created_at": "2026-01-01T00:00:00+00:00"}
    ]  # fmt: skip
    assert left == {
        "further choice of a reply": 1, "field of a request temperature": 1, "field of a request model": 1,
    }  # fmt: skip


def test_an_answer_that_was_cut_off_is_one_that_failed(tmp_path):
    talk = [message("user", "q?"), message("assistant", "a"), message("user", "r?")]
    choice = {"message": message("assistant", "half an ans"), "finish_reason": "length"}
    log = {"messages": talk, "choices": [choice], "usage": {"prompt_tokens": 9}, "custom_id": "c1"}
    _, rows, left = imported(tmp_path, lines(log))
    assert [(row["question"], row["answer"], row.get("imported_answer")) for row in rows] == [
        ("q?", "a", None), ("r?", "", "half an ans"),
    ]  # fmt: skip
    assert rows[1]["error"] == "the answer was cut off or withheld: length"
    assert left == {}


def chat_span(status, *said, reason="stop"):
    """A span of a call of a model, as an SDK prints it."""
    attributes = {
        "gen_ai.operation.name": "chat", "gen_ai.response.finish_reasons": [reason],
        "gen_ai.input.messages": json.dumps([message("user", "q?")]),
        **({"gen_ai.output.messages": json.dumps([message("assistant", text) for text in said])} if said else {}),
    }  # fmt: skip
    return {"context": {"trace_id": "t", "span_id": "s"}, "status": status, "attributes": attributes}


def result(error=None, **response):
    return {"vars": {"question": "q?"}, "error": error, "response": response or None, "success": not error}


def request(number, reply=None):
    body = {"messages": [message("user", "q?")]}
    return {"custom_id": f"c{number}", "url": "/v1/chat/completions", "body": body, **(reply or {})}


def sample(reason, **more):
    said = message("assistant", "half")
    talk = {
        "messages": [message("user", "q?"), said],
        "output": {"choices": [{"message": said, "stop_reason": reason}]},
    }
    return {"eval": {}, "samples": [{"id": "1", "input": "q?", "target": "t", **talk, **more}]}


def run(**more):
    return {"id": "r", "trace_id": "r", "run_type": "chain", "inputs": {"question": "q?"}, "outputs": None, **more}


def observation(**more):
    return {"id": "o", "trace_id": "t", "type": "GENERATION", "start_time": "2026-01-01T00:00:00Z", "input": "q?",
            "output": None, **more}  # fmt: skip


ERROR = {"error": {"message": "overloaded", "code": 7}}
CUT = "the answer was cut off or withheld: "


@pytest.mark.parametrize(
    ("file", "error"),
    [
        ([result("overloaded")], "overloaded"),
        ([{**result("overloaded", output="half"), "failureReason": 2}], "overloaded"),
        ([result(output="half", finishReason="length")], CUT + "length"),
        ([result("Expected x", output="an answer")], None),
        ("question,[m] p,Status\nq?,overloaded,ERROR\n", "overloaded"),
        ([request(1, {"response": {"status_code": 500, "body": ERROR}, "error": None})], "overloaded"),
        ([request(1, {"response": {"status_code": 503, "body": None}})], "status 503"),
        ([request(1, {"response": None, **ERROR})], "overloaded"),
        (
            [request(1, {"response": {"body": {"choices": [{"message": message("assistant", None)}]}}})],
            "the reply says nothing",
        ),
        (
            [request(1), {"custom_id": "c2", "response": {"status_code": 200}}, request(2)],
            "the replies have none to this request",
        ),
        (
            [
                {
                    "messages": [message("user", "q?")],
                    "choices": [{"message": message("assistant", None), "finish_reason": "content_filter"}],
                }
            ],
            CUT + "content_filter",
        ),
        ([{"input": "q?", "object": "response", "output": [], "status": "failed", **ERROR}], "overloaded"),
        ([run(error="overloaded")], "overloaded"),
        ([run(error=None, outputs={"answer": "an answer"})], None),
        ([observation(level="ERROR", status_message="overloaded")], "overloaded"),
        ([observation(level="ERROR", output="half")], "ERROR"),
        ([chat_span({"status_code": "ERROR", "description": "overloaded"})], "overloaded"),
        ([chat_span({"code": 2})], "the status of its span is ERROR"),
        ([chat_span({"code": 2}, "an answer")], None),
        ([chat_span({"code": 0}, "half", reason="length")], CUT + "length"),
        ([chat_span({"code": 0}, reason="content-filter")], CUT + "content-filter"),
        (sample("stop", error={"message": "overloaded", "traceback": "x"}), "overloaded"),
        (sample("model_length"), CUT + "model_length"),
        (sample("stop"), None),
        ([{"question": "q?", "answer": None, "error": "overloaded"}], "overloaded"),
    ],
)
def test_a_question_that_the_application_failed_on_has_an_empty_answer(tmp_path, file, error):
    _, rows, _ = imported(tmp_path, file, suffix=".csv" if isinstance(file, str) else ".json")
    row = rows[0]
    assert (row["question"], bool(row["answer"]), row.get("error") if not row["answer"] else None) == (
        "q?", error is None, error,
    )  # fmt: skip
    summary = "1 that failed" if error else "1 with answer"
    assert summary in describe_rows(rows[:1])


def test_an_output_of_promptfoo_that_only_calls_tools(tmp_path):
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    _, rows, left = imported(tmp_path, [result(output=[call])])
    assert (rows[0]["answer"], rows[0]["tool_calls"], left) == ("", [{"id": "c1", "name": "f", "arguments": {}}], {})


def test_a_frame_by_index_keeps_the_names_of_its_rows(tmp_path):
    frame = {f"row {name}": {"question": f"{name}?", "answer": name, "note": "n"} for name in ("a", "b", "c")}
    rows = imported(tmp_path, json.dumps(frame))[1]
    assert [(row["question"], row["index"]) for row in rows] == [("a?", "row a"), ("b?", "row b"), ("c?", "row c")]


def test_openai_parts_tools_and_refusals(tmp_path):
    talk = [
        message("user", [{"type": "text", "text": "q?", "note": 1}, {"type": "image_url", "image_url": {}}, "x"]),
        message("assistant", None, tool_calls=[{"id": "1", "function": {"name": "f", "arguments": "no JSON"}}]),
        message("assistant", None, tool_calls=[{"id": "2"}]),
        message("tool", "found", tool_call_id="1"),
        message("assistant", None, refusal="I can't."),
    ]
    _, rows, left = imported(tmp_path, talk)
    call = {"id": "1", "name": "f", "arguments": {"value": "no JSON"}}
    assert rows == [{"question": "q?\nx", "answer": "I can't.", "tool_calls": [call], "contexts": ["found"],
                     "context_details": [{"tool_call_id": "1"}], "conversation": "1", "turn": 1}]  # fmt: skip
    assert left == {
        "part of a message image_url": 1, "field of a part of a message note": 1, "field of a message tool_calls": 1,
        "message without text": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ('{"a": 1}', "auto", "is of no known format (it has: a)"),
        ("question\nq?\n", "beyondchats", "is no file of beyondchats"),
        ('[{"question": ""}]', "auto", "there is no question in it (1 x row without a question)"),
        ("Frage,Antwort\nWie?,So.\n", "auto", "no column is the question (there are: Frage, Antwort)"),
        ("question,answer\n", "auto", "has no rows"),
        ("prompts: [p]\ntests: file://t.csv\n", "auto", "its tests are elsewhere: file://t.csv"),
    ],
)
def test_a_wrong_file_is_one_error_with_a_hint(tmp_path, text, name, message):
    with pytest.raises(InputFileError) as fault:
        imported(tmp_path, text, name)
    assert message in fault.value.message
    assert fault.value.hint


JUNK = [None, 0, "x", [], {}, [None], [[]], [{}], {"messages": 5}, {"messages": [1]}, {"turns": {}}, {"tests": 1},
        {"data": {"vector_data": [None]}}, {"conversation_turns": [None, {}]}, {"vars": None, "assert": 3},
        {"user_input": {}}, {"user_input": [[]]}, {"input": [], "context": 1}, {"question": {}, "answer": []},
        {"choices": [[]]}, {"messages": [{"role": "user", "content": {"a": 1}}]}, {"turns": [{"role": []}]},
        {"tests": [{"vars": {"question": {"a": 1}}, "assert": [{"type": []}]}], "prompts": [None]},
        {"resourceSpans": [{"resource": 1, "scopeSpans": [{"scope": [], "spans": [{"attributes": [{"value": {}}]}]}]}]},
        {"context": {"trace_id": []}, "attributes": {"a.b": 1, "a": [], "llm.input_messages.0": 5}, "events": "{"},
        {"span_kind": [], "context": 1, "attributes.x": {}}, {"run_type": {}, "inputs": [[]], "outputs": [{}]},
        {"id": 1, "observations": [{"type": [], "usage": 1}], "input": [[1]], "output": {"role": []}},
        {"trace_id": 1, "type": 2, "start_time": {}, "input": {"messages": {}}}, {"inputs": {}, "outputs": {}},
        {"eval": 1, "samples": [{"messages": [{"role": "user"}], "output": [], "epoch": {}}]},
        {"results": {"results": [{"vars": [], "success": 1, "response": {"output": {}}, "prompt": []}]}},
        {"table": {"head": {"prompts": 1, "vars": {}}, "body": [{"vars": 1, "outputs": [{}]}]}},
        {"evaluators": 1, "data": [{"query": [[]]}], "data_mapping": ["query"]}, {"inputs.query": [{"role": 1}]},
        {"columns": [1], "data": [[1, 2], []], "index": [3]}, {"schema": {"fields": []}, "data": [1]},
        {"a": {"0": 1}, "b": {"1": 2}}, {"custom_id": [], "response": {"body": {"choices": 1}}},
        {"object": "response", "output": [{"type": "x_call"}], "input": [{"type": "function_call_output"}]},
        {"messages": [{"role": "assistant", "content": [{"type": "tool_use"}], "tool_calls": [{}]}]}]  # fmt: skip


@pytest.mark.parametrize("name", ["auto", *FORMATS])
@pytest.mark.parametrize("junk", JUNK, ids=str)
def test_junk_of_any_shape_ends_in_rows_or_in_a_message(tmp_path, junk, name):
    for value in (junk, [junk], {**{"input": "q", "question": "q", "vars": {"q": "q"}}, "x": junk}):
        try:
            _, rows, _ = imported(tmp_path, value, name)
        except InputFileError:
            continue
        assert all(row["question"].strip() for row in rows)
