"""The main job with a model that judges, behind a server on the loopback that speaks OpenAI's format."""

import contextlib
import json
import re

import pytest

from gate.cli import main
from gate.providers.base import Message, Request
from tests.support.fake_models import STATUS, FakeModels
from tests.support.project import ASKED, configure, put, record, write
from tests.support.scripted_judge import as_json, honest, seen

MANUAL = """# Larkspur 7

The Eco programme washes at 40 degrees. The Wool programme is limited to 600 rpm.

The warranty covers parts and labour for 2 years. The door stays locked while the drum turns.
"""
GOOD = [
    "The Eco programme washes at 40 degrees.",
    "The Wool programme is limited to 600 rpm. The door stays locked.",
]
FALSE = ["The warranty covers parts and labour for 5 years.", "The Eco programme washes at 90 degrees."]
SAYS = {
    "criteria": lambda body: {
        "criteria": [
            {"criterion": int(number), "why": "so", "met": "degrees" in body and text == "names a temperature"}
            for number, text in re.findall(r"^\((\d+)\) (.*)", body, re.MULTILINE)
        ]
    },
    "claims": lambda body: {"claims": []},
    "questions": lambda body: {
        "questions": [
            {"category": found, "sentences": [1], "question": f"What of {found} and Larkspur number {len(body)}?"}
            for found in re.findall(r"^- (\w+): ", body, re.MULTILINE)
        ]
    },
}


class JudgeServer(FakeModels):
    """Judges honestly by words in common; or as `mode` says. Lists are asked for by the schema's one key."""

    mode = "honest"

    def _chat(self, body, text, fault):
        said = super()._chat(body, text, fault)
        unasked = {"required": ["verdicts" if '"verdicts"' in body["messages"][0]["content"] else "none"]}
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema", unasked)
        wanted = schema["required"][0]
        user = body["messages"][-1]["content"]
        if wanted == "verdicts":
            entries = honest(seen(Request((Message("user", user),))))
            if self.mode == "strict":
                entries = [{**entry, "verdict": "unsupported"} for entry in entries]
            if self.mode == "fooled":
                entries = [{**entry, "verdict": "supported", "sentences": [1]} for entry in entries]
            content = as_json(entries)
            if self.mode == "cut":
                content = content[: len(content) // 3]
                said["choices"][0]["finish_reason"] = "length"
        else:
            content = json.dumps(SAYS[wanted](user)) if wanted in SAYS else "The Eco programme washes at 40 degrees."
        said["choices"][0]["message"]["content"] = content
        return said


@pytest.fixture
def server():
    made = JudgeServer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    with contextlib.chdir(folder):
        write("docs/manual.md", MANUAL)
        assert main(["ingest", "docs"]) == 0
        yield folder


def judge_at(server, **more):
    return {"provider": "openai", "model_id": "m", "base_url": f"{server.url}/v1", **more}


@pytest.fixture
def run(project, server):
    """Gate the answers: (exit code, verdict, calls made)."""
    for name in project.glob(".gate/calls.sqlite*"):
        name.unlink()

    def go(answers, *flags, limits=None, **judge):
        record(*answers)
        configure(judge=judge_at(server, **judge), limits=limits or {})
        (project / "v.json").unlink(missing_ok=True)
        before = len(server.sent)
        code = main(["run", "-o", "v.json", *flags])
        path = project / "v.json"
        verdict = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        return code, verdict, len(server.sent) - before

    return go


def test_a_judged_answer_costs_one_call_and_nothing_the_second_time(run) -> None:
    code, verdict, calls = run(GOOD)
    assert (code, verdict["decision"], calls) == (0, "deploy", 2)
    assert verdict["supported"] == verdict["total_claims"] == 3
    for detail in verdict["details"]:
        assert all(quote["quote"] in MANUAL for quote in detail["evidence"])
    assert verdict["judge"]["provider"] == "openai"
    assert verdict["judge"]["details"]["canaries"] == 2
    assert verdict["usage"]["calls"] == 2
    code, again, calls = run(GOOD)
    assert (code, calls, again["usage"]["cached_calls"]) == (0, 0, 2)
    assert again["details"] == verdict["details"]


def test_a_judge_whose_replies_are_all_cut_off_decides_nothing(run, server) -> None:
    server.mode = "cut"
    code, verdict, calls = run(GOOD)
    assert (code, verdict["decision"]) == (3, "inconclusive")
    assert calls == 6  # each asked, asked again, and once more as that broke off
    assert verdict["unjudged"] == 3
    assert verdict["judge"]["details"]["reasked_claims"] == 6
    assert all(detail["reason"] for detail in verdict["details"])


def test_a_fooled_judge_decides_nothing_and_is_named(run, server) -> None:
    server.mode = "fooled"
    code, verdict, _ = run([*GOOD, *FALSE])
    assert (code, verdict["unjudged"]) == (3, verdict["total_claims"])
    assert any("canaries" in reason for reason in verdict["reasons"])


def test_one_answer_that_cannot_be_judged_is_a_failure_and_no_deploy(run, server) -> None:
    server.faults = ["400", ""]
    code, verdict, _ = run(GOOD, "--debug", limits={"concurrency": 1})
    assert (code, verdict["decision"]) == (3, "inconclusive")
    assert [(f["agent"], f["prompt_id"]) for f in verdict["failures"]] == [("verify_claims", "q0")]
    assert (verdict["unjudged"], verdict["supported"]) == (1, 2)


def test_a_limit_in_the_middle_keeps_what_was_judged_and_the_next_run_goes_on(run) -> None:
    code, verdict, calls = run(GOOD, "--max-calls", "1", limits={"concurrency": 1})
    assert (code, verdict["partial"], calls) == (4, True, 1)
    assert (verdict["supported"], verdict["unjudged"]) == (1, 2)
    code, verdict, calls = run(GOOD)
    assert (code, verdict["decision"], calls) == (0, "deploy", 1)


def test_a_server_that_refuses_a_schema_costs_one_call_and_not_one_in_every_run(run, server, monkeypatch) -> None:
    monkeypatch.setitem(STATUS, "400", (400, "response_format is not supported", ""))
    server.faults = ["400", ""]
    found = [run(GOOD, "--max-calls", "1") for _ in range(3)]
    assert [(code, calls) for code, _, calls in found] == [(4, 1), (4, 1), (0, 1)]
    left = [verdict["unjudged"] for _, verdict, _ in found]
    assert left in ([3, 2, 0], [3, 1, 0])  # one of the two answers has two claims, and either may come first
    assert ["response_format" in body for _, _, body in server.sent] == [True, False, False]


def test_the_tiered_judge_asks_less(run) -> None:
    code, verdict, calls = run([*GOOD, *FALSE], provider="tiered", escalate_to="openai")
    details = verdict["judge"]["details"]
    assert verdict["decision"] == "block"
    assert sum(detail["contradicted"] for detail in verdict["details"]) == 2
    assert code == 1
    assert details["settled_locally"] + details["sent_on"] == verdict["total_claims"] == 5
    assert calls == 4 - details["calls_saved"] < 4


def test_a_model_that_finds_no_claims_or_fails_hides_none(run, server) -> None:
    _, local, _ = run(GOOD)
    code, verdict, calls = run(GOOD, "--no-cache", extract="model")
    assert (code, calls) == (0, 4)
    assert [d["claim"] for d in verdict["details"]] == [d["claim"] for d in local["details"]]
    server.faults = ["400", "400", ""]
    code, verdict, _ = run(GOOD, "--no-cache", extract="model")
    assert (code, verdict["total_claims"]) == (0, 3)
    assert {f["agent"] for f in verdict["failures"]} == {"extract_claims"}


def test_questions_written_by_a_model_are_filled_up_locally(asked, server, project) -> None:
    evaluation = {"num_prompts": 4, "generator": "model"}
    assert asked("--dry-run", evaluation=evaluation)[0] == 0
    before = len(server.sent)
    assert asked(evaluation=evaluation)[0] == 0
    written = [body for _, _, body in server.sent[before:] if "questions" in json.dumps(body.get("response_format"))]
    assert len(written) == 1
    prompts = json.loads((project / "v.json").read_text())["prompts"]
    assert len(prompts) == len({prompt["question"] for prompt in prompts}) == 4
    assert any("Larkspur number" in prompt["question"] for prompt in prompts)
    assert main(["run", "--shard", "1/2"]) == 2


@pytest.fixture
def asked(run, server, project):
    """Gate an application that is asked, and keeps count: (exit code, questions that it got, calls to the judge)."""
    model = {"provider": "command", "command": ["sh", "-c", "echo x >> asked.log; echo It washes at 40 degrees."]}
    put("asked.jsonl", {"question": "How hot is Eco?"}, {"question": "And Wool?"})
    log = project / "asked.log"
    log.unlink(missing_ok=True)

    def go(*flags, evaluation=ASKED):
        configure(evaluation=evaluation, model=model, judge=judge_at(server))
        before = len(server.sent)
        code = main(["run", "-o", "v.json", *flags])
        count = len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0
        return code, count, [body["max_tokens"] for _, _, body in server.sent[before:]]

    return go


@pytest.mark.parametrize("fault", ["401", "404", "redirect"])
def test_a_judge_that_cannot_answer_ends_the_run_before_anything_is_asked(asked, server, capsys, fault) -> None:
    server.faults = [fault]
    code, count, calls = asked()
    assert (code, count, calls) == (2, 0, [1])
    told = capsys.readouterr().err
    assert (told.count("error:"), "hint:" in told, "Traceback" in told) == (1, True, False)


@pytest.mark.parametrize("fault", ["", "500"])
def test_a_judge_that_may_answer_is_asked_one_token_first_and_never_for_what_is_recorded(
    asked, server, capsys, fault
) -> None:
    server.faults = [fault, ""]
    assert asked("--dry-run")[1:] == (0, [])
    assert "before them: one tiny call to the judge's model" in capsys.readouterr().out
    code, count, calls = asked()
    assert (code, count, len(calls), calls[0]) == (0, 2, 3, 1)
    assert asked("--reuse") == (0, 2, [])


def test_a_limit_of_cost_that_cannot_hold_is_told_on_stderr(run, capsys) -> None:
    run(GOOD, "--max-cost", "0.5")
    told = capsys.readouterr().err
    assert told.count("there is no price for the model 'm'") == told.count("warning:") == 1
    assert "`prices`" in told
    run(GOOD, "--max-cost", "0.5")
    assert "price" not in capsys.readouterr().err  # all is recorded: nothing is paid


def test_a_criterion_has_a_share_and_a_calibration_of_its_own_and_decides_nothing(run, capsys) -> None:
    criteria = ["names a temperature"]
    code, verdict, calls = run(GOOD, criteria=criteria)
    assert (code, calls) == (0, 4)  # each answer judged by the documents, and by the criterion
    found = verdict["criteria"]["names a temperature"]
    assert (found["value"], found["n"], [rating["value"] for rating in found["ratings"]]) == (0.5, 2, [1.0, 0.0])
    assert verdict["measures"] == {}
    labels = [
        {"criterion": "names a temperature", "question": "What?", "answer": f"It has {n} {what}.", "label": label}
        for n in range(3)
        for what, label in (("degrees", 1), ("programmes", 0))
    ]
    put("labels.jsonl", *labels)
    capsys.readouterr()
    assert main(["calibrate", "labels.jsonl", "-o", "c.html"]) == 0
    told = capsys.readouterr().out
    assert "openai / m / criterion-1, “names a temperature”" in told
    assert "6 answers, 3 of them meet it" in told
    assert "risk" not in told
    _, again, _ = run(GOOD, criteria=criteria)
    assert again["criteria"]["names a temperature"]["details"] == {"balanced_accuracy": 1.0}
    assert "calibration" not in again["judge"]
    put("labels.jsonl", *({**row, "criterion": str(row)} for row in labels))
    assert main(["calibrate", "labels.jsonl"]) == 2
    assert "labels.jsonl:2: `criterion` is" in capsys.readouterr().err


def test_a_judge_that_changed_under_its_name_is_seen_by_its_anchors(run, server, project) -> None:
    texts = [f"Room {n} costs 9 euros." for n in range(12)]
    put("labels.jsonl", *({"claim": text, "evidence": text, "label": 1} for text in texts))
    run(GOOD)
    assert main(["calibrate", "labels.jsonl", "--anchors", "anchors.jsonl"]) == 0
    code, verdict, calls = run(GOOD, anchors="anchors.jsonl")
    assert (code, verdict["decision"], calls) == (0, "deploy", 12)  # the anchors are asked anew, the answers are not
    server.mode = "strict"
    code, verdict, _ = run(GOOD, anchors="anchors.jsonl")
    assert (code, verdict["decision"]) == (3, "inconclusive")
    assert "the judge has changed under its name: 12 of 12 anchors" in verdict["reasons"][0]
    assert main(["audit", "answers.jsonl", "--workers", "1"]) == 3
    server.mode = "honest"
    assert main(["audit", "answers.jsonl", "--workers", "1", "-o", "a.json"]) == 0
    assert len(json.loads((project / "a.json").read_text())["judge"]["anchors"]) == 8
