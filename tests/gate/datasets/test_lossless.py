"""Nothing of a file vanishes: each text that is in it is in the rows, or the ledger counts it."""

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.datasets.convert import convert


@st.composite
def scenes(draw, make):
    """What `make(thing)` makes; `thing` draws values that are all different, so that each can be found again."""
    return make(Things(draw))


class Things:
    """Parts of a file: every text and number is there once."""

    def __init__(self, draw):
        self.draw = draw
        self.made = 0

    def number(self):
        self.made += 1
        return 700_000_000 + self.made

    def text(self):
        return f"v{self.number()}v"

    def maybe(self, *choices):
        """One of some functions, called."""
        return self.draw(st.sampled_from(choices))()

    def many(self, make, most=3, least=0):
        return [make() for _ in range(self.draw(st.integers(least, most)))]

    def fields(self, *known):
        """A few fields: some that the format knows, some that it does not, some nested."""
        names = self.draw(st.lists(st.sampled_from([*known, "extra", "metadata", "id"]), unique=True, max_size=4))
        return {name: self.maybe(self.text, self.number, lambda: {"inner": self.text()}) for name in names}

    def stray(self, entries):
        """The list, perhaps with something in it that is no object."""
        place = self.draw(st.integers(0, 3 * len(entries) + 3))
        return [*entries[:place], self.text(), *entries[place:]] if place < len(entries) else entries


def leaves(value, path=()):
    """(path, text) of each value that was made above."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    elif "7000" in str(value):
        yield path, str(value)


def imported(tmp_path, kind, *values):
    paths = []
    for number, value in enumerate(values):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_text(json.dumps(value))
    return convert(paths, kind)


def uncounted(found, *values):
    """The leaves that are neither in the rows nor counted, and how many counts are missing. A lost field is counted
    under its name; a lost entry of a list, with all its fields, without a name."""
    kept = json.dumps(found.rows)
    by_name, nameless = Counter(), 0
    for (_, name), number in found.ledger.counts.items():
        for part in {name, name.rpartition(".")[2]}:
            by_name[part] += number
        nameless += 0 if name else number
    gone = [path for file, value in enumerate(values) for path, text in leaves(value, (file,)) if text not in kept]
    bare = [path for path in gone if not any(by_name[part] for part in path)]
    entries = {path[: n + 1] for path in bare for n in [max(n for n, part in enumerate(path) if type(part) is int)]}
    lost = [path for path in bare if not any(len(entry) > 1 and path[: len(entry)] == entry for entry in entries)]
    places = set()
    for path in gone:
        if path not in bare and not any(path[: len(entry)] == entry for entry in entries):
            places.add(path[: max(n for n, part in enumerate(path) if by_name[part]) + 1])
    named = Counter(path[-1] for path in places)
    missing = sum(max(0, number - by_name[name]) for name, number in named.items())
    return lost, max(0, missing + len(entries) - nameless)


ROLES = ("user", "assistant", "system", "tool", "moderator")


def talk(things, role, text, roles, *known):
    """Messages that end in a question and its answer, with strangers in between."""

    def one():
        return {role: things.draw(st.sampled_from(roles)), text: things.text(), **things.fields(*known)}

    last = [{role: roles[n], text: things.text(), **things.fields(*known)} for n in (0, 1)]
    return things.stray([*things.many(one), *last])


def openai(things):
    message = {"role": "assistant", "content": things.text(), **things.fields("tool_calls", "name")}
    choice = {"message": message, "finish_reason": "stop", **things.fields("index", "logprobs")}
    usage = {"prompt_tokens": things.number(), **things.fields("total_tokens", "details")}
    reply = {"choices": things.stray([choice]), "usage": usage, "model": things.text(),
             **things.fields("system_fingerprint", "service_tier", "object")}  # fmt: skip
    messages = talk(things, "role", "content", ROLES, "tool_calls", "name", "refusal")
    request = {"messages": messages, "model": things.text(), **things.fields("temperature", "stream")}
    wrapped = {"custom_id": things.text(), "body": request, "error": things.text(),
               "response": {"body": reply, **things.fields("status_code", "request_id")}}  # fmt: skip
    half = {**request, "response": reply, "object": things.text()}
    return [[things.draw(st.sampled_from([wrapped, half, {**reply, **request}, request]))]]


def beyondchats(things):
    turns = talk(things, "role", "message", ROLES, "sender_id", "created_at")
    chat = {"conversation_turns": turns, **things.fields("chat_id", "user_id")}
    names = [things.number() for _ in range(3)]
    vectors = [{"id": name, "text": things.text(), **things.fields("source_url", "score")} for name in names]
    some = st.lists(st.sampled_from([*names, things.number()]), unique=True)
    infos = [
        {"vector_id": name, "score": things.number(), **things.fields("tokens_count")} for name in things.draw(some)
    ]
    said = {"final_response": things.draw(st.sampled_from([things.text(), turns[-1]["message"]]))}
    sources = {"vectors_used": things.draw(some), "vectors_info": things.stray(infos), **said,
               **things.fields("message_id", "vector_ids")}  # fmt: skip
    data = {"vector_data": things.stray(vectors), "sources": sources, **things.fields("query")}
    return [chat, {"data": data, **things.fields("status", "status_code")}]


def ragas(things):
    messages = talk(things, "type", "content", ("human", "ai", "system", "tool", "nobody"), "metadata", "tool_calls")
    several = {"user_input": messages, **things.fields("reference", "response", "rubrics")}
    retrieved = things.many(lambda: {"page_content": things.text(), **things.fields("source")})
    single = {
        "user_input": things.text(),
        "response": things.text(),
        "retrieved_contexts": retrieved,
        **things.fields("reference"),
    }
    return [things.stray([several, single])]


def deepeval(things):
    turns = talk(things, "role", "content", ROLES, "retrieval_context", "tools_called", "Content")
    several = {"turns": turns, **things.fields("scenario", "expected_outcome", "context")}
    single = {"input": things.text(), "actual_output": things.text(), "actualOutput": things.text(),
              "context": things.many(things.text), **things.fields("completion_time", "tags")}  # fmt: skip
    return [{"goldens": things.stray([several, single]), **things.fields("alias")}]


def promptfoo(things):
    kinds = ("equals", "similar", "contains-any", "llm-rubric", "not-contains")

    def check():
        value = things.maybe(things.text, lambda: things.many(things.text, least=1), lambda: {"inner": things.text()})
        kind = things.draw(st.sampled_from(kinds))
        return {"type": kind, "value": value, **things.fields("threshold", "weight", "metric")}

    def several():
        return {"type": "assert-set", "assert": things.stray(things.many(check)), **things.fields("threshold")}

    def test():
        checks = things.stray(things.many(lambda: things.maybe(check, several)))
        variables = {"question": things.maybe(things.text, lambda: things.many(things.text, least=1)),
                     "tone": things.maybe(things.text, lambda: things.many(things.text, least=1)),
                     "reference": things.text(), "context": things.many(things.text)}  # fmt: skip
        return {"vars": variables, "assert": checks, **things.fields("description", "threshold")}

    return [{"tests": things.stray(things.many(test, least=1)), "description": things.text()}]


def table(things):
    def row():
        names = ("Question", "contexts", "latency_ms", "imported_id", "category", "model")
        return {"question": things.text(), "answer": things.text(), **things.fields(*names)}

    return [things.stray(things.many(row, least=1))]


def step(things, asked, said, **more):
    """A part of a trace that has an input and an output."""
    model = {"name": things.text(), **things.fields("model", "tags", "metadata", "level")}
    question = things.maybe(things.text, lambda: {"question": things.text(), "k": things.number()})
    answer = things.maybe(things.text, lambda: {"answer": things.text(), "score": things.number()})
    return {**model, asked: question, said: answer, **more}


def langfuse(things):
    def observation():
        return step(things, "input", "output", type=things.draw(st.sampled_from(["GENERATION", "TOOL", "RETRIEVER"])),
                    startTime="2026-01-01T00:00:00Z", id="s")  # fmt: skip

    steps = things.stray(things.many(observation))
    return [step(things, "input", "output", timestamp="2026-01-01T00:00:00Z", observations=steps, id="t", userId="u")]


def langsmith(things):
    kinds = st.sampled_from(["chain", "llm", "tool", "retriever"])
    inside = things.many(lambda: step(things, "inputs", "outputs", run_type=things.draw(kinds), id="s"))
    return [[step(things, "inputs", "outputs", run_type="chain", id="r", child_runs=things.stray(inside))]]


def opentelemetry(things):
    def span(name):
        attributes = {"input.value": things.text(), "output.value": things.text(), **things.fields("llm.model_name")}
        kind = things.draw(st.sampled_from(["LLM", "TOOL", "RETRIEVER", "CHAIN"]))
        return {"name": things.text(), "context": {"trace_id": "t", "span_id": name}, "parent_id": None,
                "attributes": {"openinference.span.kind": kind, **attributes}, **things.fields("status")}  # fmt: skip

    last = {"openinference.span.kind": "LLM", "input.value": things.text(), "output.value": things.text()}
    return [[span("s1"), *things.many(lambda: span("s2")), {**span("s3"), "attributes": last}]]


def inspect(things):
    messages = talk(things, "role", "content", ROLES, "tool_calls", "source", "tool_call_id")
    output = {"usage": {"input_tokens": things.number()}, "model": things.text(), **things.fields("error", "time")}
    sample = {"target": things.text(), "messages": messages, "output": output, **things.fields("scores", "epoch")}
    return [{"eval": {"task": things.text()}, "samples": things.stray([sample]), **things.fields("plan")}]


def results(things):
    test = {"assert": [{"type": "contains", "value": things.text()}], **things.fields("description")}
    response = {"output": things.text(), **things.fields("cached", "tokenUsage")}
    result = {"vars": {"question": things.text(), "tone": things.text()}, "testCase": test, "response": response,
              "prompt": {"raw": things.text(), "label": things.text()}, "success": True,
              **things.fields("score", "provider", "gradingResult", "error")}  # fmt: skip
    return [{"results": {"results": things.stray([result]), **things.fields("stats")}, **things.fields("config")}]


def agent_evals(things):
    query = [{"role": "user", "content": [{"type": "text", "text": things.text(), **things.fields("annotations")}]}]
    several = {
        "query": query,
        "response": talk(things, "role", "content", ROLES)[-1:],
        **things.fields("tool_definitions"),
    }
    single = {"query": things.text(), "ground_truth": things.text(), **things.fields("context")}
    return [{"name": things.text(), "evaluators": [things.text()], "data": things.stray([several, single])}]


MAKERS = {
    "langfuse": langfuse, "langsmith": langsmith, "opentelemetry": opentelemetry, "inspect": inspect,
    "promptfoo-results": results, "agent-evals": agent_evals, "openai": openai, "beyondchats": beyondchats,
    "ragas": ragas, "deepeval": deepeval, "promptfoo": promptfoo, "csv": table,
}  # fmt: skip


@pytest.mark.parametrize("kind", MAKERS)
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_each_leaf_is_in_the_rows_or_in_the_ledger(tmp_path, kind, data):
    values = data.draw(scenes(MAKERS[kind]))
    assert uncounted(imported(tmp_path, kind, *values), *values) == ([], 0)
