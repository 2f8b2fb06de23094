"""Probes from end to end: targets that read their evidence, that do not, and that say something else every time."""

import contextlib
import json
import sys
from pathlib import Path

import pytest

from gate.cli import main
from tests.support.project import ASKED, configure, put, write

ASSISTANT = Path(__file__).parents[1] / "support" / "assistant.py"
MANUAL = """# Larkspur 7

The Eco programme takes 3 hours and 20 minutes.

The Wool programme spins at no more than 600 rpm.

The warranty covers parts and labour for two years.

The child lock is off by default.
"""
CONTEXTS = {
    "How long does the Eco programme take?": "The Eco programme takes 3 hours and 20 minutes.",
    "How fast does the Wool programme spin on this machine?": "The Wool programme spins at no more than 600 rpm.",
    "How long is the warranty for parts and labour?": "The warranty covers parts and labour for two years.",
    "Is the child lock on by default?": "The child lock is off by default.",
}
COUNTING = {"consistency": {"min": 0.8}, "sensitivity": {"max": 0.2}, "retrieval_dependency": {"min": 0.8}}
PROBES = list(COUNTING)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("probes")
    with contextlib.chdir(folder):
        write("docs/manual.md", MANUAL)
        rows = [{"id": f"q{n}", "question": q, "contexts": [c]} for n, (q, c) in enumerate(CONTEXTS.items())]
        put("asked.jsonl", *rows)
        configure()
        assert main(["ingest", "docs"]) == 0
        yield folder


@pytest.fixture(scope="module")
def ran(project):
    """(exit code, verdict) of a run; the verdict stands in `name`. The same command is not run twice."""
    known = {}

    def go(mode, *flags, name="v.json", context="none", **evaluation):
        prepare(mode, context, **evaluation)
        key = str((mode, flags, context, evaluation))
        if key not in known:
            code = main(["run", "-c", f"{mode}.yaml", "-o", name, *flags])
            known[key] = code, (project / name).read_text(encoding="utf-8")
        (project / name).write_text(known[key][1], encoding="utf-8")
        return known[key][0], json.loads(known[key][1])

    return go


def prepare(mode, context="none", name="", measures=None, **evaluation):
    """Write the configuration of an assistant, MODE.yaml if it has no other name."""
    command = [sys.executable, "-S", "-E", str(ASSISTANT), mode]
    asked = {**ASKED, "probes": PROBES, **evaluation}
    configure(
        name or f"{mode}.yaml",
        evaluation=asked,
        model={"provider": "command", "command": command, "context": context},
        risk_tolerance={"deploy_threshold": 1, "warn_threshold": 1},
        measures=measures or {name: COUNTING[name] for name in asked["probes"]},
    )


def values(verdict):
    return {name: entry["value"] for name, entry in verdict["measures"].items()}


def test_an_assistant_that_reads_its_evidence_passes(ran):
    code, verdict = ran("contexts")
    assert values(verdict) == {"consistency": 1.0, "sensitivity": 0.0, "retrieval_dependency": 1.0}
    assert (code, verdict["decision"]) == (0, "deploy")


def test_one_that_answers_from_memory_does_not_depend_on_its_evidence(ran):
    code, verdict = ran("memory")
    found = verdict["measures"]["retrieval_dependency"]
    assert (code, found["value"], found["passed"]) == (1, 0.0, False)
    assert all("from memory" in rating["why"] for rating in found["ratings"])
    assert verdict["measures"]["consistency"]["passed"]


def test_probes_stand_in_the_verdict_and_have_no_part_in_the_risk(ran):
    _, bare = ran("contexts", probes=[])
    _, verdict = ran("contexts", "--reuse")
    keys = ("score", "interval", "total_claims", "details", "supported", "unsupported")
    assert {key: verdict[key] for key in keys} == {key: bare[key] for key in keys}
    probes = [prompt for prompt in verdict["prompts"] if "probe" in prompt]
    assert [prompt for prompt in verdict["prompts"] if "probe" not in prompt] == bare["prompts"]
    assert {prompt["probe"] for prompt in probes if prompt["of"] == "q0"} == {
        "consistency:paraphrase-1", "consistency:paraphrase-2",
        "sensitivity:typos", "sensitivity:case", "sensitivity:politeness", "sensitivity:distractor",
        "retrieval_dependency:withheld", "retrieval_dependency:contradicted",
    }  # fmt: skip
    assert all((prompt["risk"], prompt["claims"]) == (None, 0) for prompt in probes)
    assert len({(prompt["question"], tuple(prompt.get("contexts", []))) for prompt in verdict["prompts"]}) == len(
        verdict["prompts"]
    )


def test_the_shards_are_the_whole_run(ran, project):
    _, whole = ran("easily_led")
    details = whole["measures"]["sensitivity"]["details"]
    assert (details["case"], details["politeness"], details["distractor"]) == (1.0, 1.0, 0.0)
    for n in (1, 2, 3):
        ran("easily_led", "--reuse", "--shard", f"{n}/3", name=f"s{n}.json")
    assert main(["merge", "s2.json", "s1.json", "s3.json", "-o", "m.json"]) == 1
    merged = json.loads((project / "m.json").read_text(encoding="utf-8"))
    for key in ("decision", "score", "interval", "reasons", "measures", "prompts", "details"):
        assert merged[key] == whole[key], key


def test_a_stored_verdict_is_decided_anew_by_other_thresholds(ran):
    assert ran("memory")[0] == 1
    prepare("memory", name="lax.yaml", measures={**COUNTING, "retrieval_dependency": {"min": 0}})
    assert main(["report", "v.json", "--config", "lax.yaml"]) == 0
    assert ran("contexts")[0] == 0
    prepare("contexts", name="other.yaml", measures=COUNTING, probes=[])
    assert main(["report", "v.json", "--config", "other.yaml"]) == 0
    assert main(["run", "-c", "other.yaml", "--dry-run"]) == 2  # nothing is asked that its thresholds could count


def test_an_unanswered_probe_leaves_its_prompt_unjudged_and_nothing_passes(ran):
    code, verdict = ran("frail")
    found = verdict["measures"]["retrieval_dependency"]
    assert (code, verdict["decision"], found["value"]) == (3, "inconclusive", None)
    assert set(found["unjudged"].values()) == {"its probe withheld was not answered"}
    assert verdict["measures"]["consistency"]["passed"]
    assert {failure["prompt_id"] for failure in verdict["failures"]} == {
        f"q{n}~retrieval_dependency-withheld" for n in range(4)
    }


def test_what_the_gate_retrieved_can_be_withheld_and_contradicted(ran):
    _, verdict = ran("contexts", context="retrieved", probes=["retrieval_dependency"])
    found = verdict["measures"]["retrieval_dependency"]
    assert found["value"] == 1.0
    assert found["details"] == {"contradicted": 1.0, "withheld": 1.0}


def test_the_plan_tells_what_the_run_then_asks(ran, capsys):
    _, verdict = ran("contexts")
    capsys.readouterr()
    assert main(["run", "-c", "contexts.yaml", "--dry-run"]) == 0
    told = capsys.readouterr().out
    for name in PROBES:
        number = sum(prompt.get("probe", "").startswith(name) for prompt in verdict["prompts"])
        assert f"probes for {name}: at most {number}\n" in told
    assert f"answers: {len(verdict['prompts'])} from command\n" in told
