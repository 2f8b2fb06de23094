"""Two verdicts side by side."""

import pytest

from gate.compare import compare
from gate.config import RiskTolerance
from tests.support.verdicts import document

GOOD = {f"p{i}": ["s the pump is green", "s the tank holds nine litres"] for i in range(8)}


def changed(**prompts):
    return document({**GOOD, **prompts})


def test_a_run_compared_with_itself_has_no_difference():
    outcome = compare(document(GOOD), document(GOOD))
    assert (outcome["word"], outcome["difference"], outcome["new"], outcome["fixed"]) == ("no difference", 0.0, [], [])
    assert (outcome["unchanged"], outcome["prompts"], outcome["notes"]) == (16, 8, [])


def test_many_new_wrong_claims_are_a_regression_and_the_way_back_an_improvement():
    bad = document({name: ["s the pump is green", "u the tank holds ten litres"] for name in GOOD})
    there, back = compare(document(GOOD), bad), compare(bad, document(GOOD))
    assert (there["word"], there["difference"], len(there["new"])) == ("regression", 0.5, 8)
    assert (back["word"], back["difference"], len(back["fixed"])) == ("improvement", -0.5, 8)


def test_a_claim_that_turned_wrong_says_what_it_was():
    outcome = compare(document(GOOD), changed(p3=["u the pump is green", "s the tank holds nine litres"]))
    assert outcome["new"] == [
        {"claim": "the pump is green", "prompt_id": "p3", "label": "unsupported", "was": "supported"}
    ]
    assert outcome["unchanged"] == 15


def test_a_wrong_claim_that_stays_wrong_is_neither_new_nor_fixed():
    bad = changed(p1=["u the pump is blue"])
    outcome = compare(bad, bad)
    assert (outcome["new"], outcome["fixed"]) == ([], [])


def test_another_question_under_the_same_id_is_told():
    """Row numbers as ids, and a dataset that was written anew: what is paired has nothing to do with each other."""
    base, head = document(GOOD), document(GOOD)
    assert not compare(base, head)["notes"]
    head["prompts"][0]["question"] = "What else?"
    head["prompts"][1]["question"] += " "
    told = "of 8 prompts in both runs, 1 asked another question in the baseline, under the same id"
    assert compare(base, head)["notes"] == [told]


def test_a_prompt_that_is_new_brings_its_wrong_claims():
    outcome = compare(document(GOOD), changed(p9=["u the pump sings"]))
    assert [claim["prompt_id"] for claim in outcome["new"]] == ["p9"]
    assert "8 prompts are in both runs (8 in the baseline, 9 here)" in outcome["notes"]


def test_prompts_without_a_judged_claim_are_not_paired():
    outcome = compare(document(GOOD), changed(p0=["? the pump is green"], p1=[]))
    assert outcome["prompts"] == 6


@pytest.mark.parametrize(
    ("then", "now", "part"),
    [
        ({}, {"deploy_threshold": 0.2}, "deploy_threshold is looser than in the baseline: 0.2 instead of 0.1"),
        ({}, {"warn_threshold": 0.5}, "warn_threshold is looser"),
        ({}, {"max_unjudged": 0.1}, "max_unjudged is looser"),
        ({"min_claims": 9}, {}, "min_claims is looser than in the baseline: 1 instead of 9"),
        ({"fail_on_regression": True}, {}, "fail_on_regression is looser"),
        ({"decide_on": "interval"}, {}, "decide_on is looser"),
    ],
)
def test_a_bar_that_was_lowered_is_told(then, now, part):
    base, head = (document(GOOD, RiskTolerance(**values)) for values in (then, now))
    assert any(part in note for note in compare(base, head)["notes"])
    assert not [note for note in compare(head, base)["notes"] if "looser" in note]


def test_other_documents_and_another_judge_are_told():
    other = document(GOOD, documents="e")
    other["judge"]["model"] = "n"
    assert compare(other, document(GOOD))["notes"] == [
        "the baseline was made with other documents",
        "the baseline was made with another judge (model: n)",
    ]


def test_no_text_of_a_comparison_commands_a_runner(tmp_path, capsys):
    import json

    from gate.cli import main

    attack = "::error::x\n::set-env name=a::b ##[error]owned \x1b[2J"
    for name, label in (("base", "s"), ("head", "u")):
        text = json.dumps(document({f"p{n} {attack}": [f"{label} {attack} {n}"] for n in range(8)}))
        (tmp_path / f"{name}.json").write_text(text)
    files = [str(tmp_path / f"{name}.json") for name in ("base", "head")]
    for flags in ([], ["--json"]):
        assert main(["compare", *files, *flags]) == 1
        told = capsys.readouterr().out
        assert "##[" not in told
        assert "\x1b" not in told
        assert not [row for row in told.splitlines() if row.lstrip().startswith("::")]
    assert "##[error]" in json.loads(told)["new"][0]["claim"]
