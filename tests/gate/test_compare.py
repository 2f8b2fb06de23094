"""Two verdicts side by side: prompts paired, claims matched, measures tested, and a bar that was lowered."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.compare import compare
from gate.config import RiskTolerance
from gate.matching import ALIKE, EQUAL, UNLIKE
from gate.measures.base import Reading
from gate.measures.summary import measured
from gate.records import Answer, Measure, Prompt, Rating
from tests.support.verdicts import document

GOOD = {f"p{i}": ["s the pump is green", "s the tank holds nine litres"] for i in range(8)}
SLOW, QUICK = ([base + 10.0 * n for n in range(8)] for base in (500.0, 100.0))


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
    same = compare(bad, bad)
    assert (same["new"], same["fixed"]) == ([], [])


def test_a_claim_that_turned_wrong_says_what_it_was():
    outcome = compare(document(GOOD), changed(p3=["u the pump is green", "s the tank holds nine litres"]))
    assert outcome["new"] == [
        {"claim": "the pump is green", "prompt_id": "p3", "label": "unsupported", "was": "supported"}
    ]
    assert outcome["unchanged"] == 15


def became(base, head, about=(), **changes):
    """(new, fixed, gone) of two answers to one prompt; `about`: pairs of texts that are about the same thing."""

    def related(pairs):
        return [ALIKE if (a["claim"], b["claim"]) in about else UNLIKE for a, b in pairs]

    there, here = document({"p": base}), document({"p": head}, **changes)
    for claim in (*there["details"], *here["details"]):
        if claim["claim"].endswith("accepted"):
            claim["waived"] = True
    outcome = compare(there, here, related=related)
    return tuple([claim["claim"] for claim in outcome[name]] for name in ("new", "fixed", "gone"))


TEN, NINE = "the tank holds ten litres", "nine litres fit into it"
LOUD, CALM = "a loud horn is blown daily", "nobody hears anything"


@pytest.mark.parametrize(
    ("base", "head", "about", "found"),
    [
        ([f"c {TEN}"], [f"s {NINE}"], {(TEN, NINE)}, ([], [NINE], [])),
        ([f"c {TEN}"], [f"s {CALM}"], {}, ([], [], [TEN])),
        ([f"c {TEN}"], [f"c {NINE}"], {(TEN, NINE)}, ([], [], [])),
        ([f"w {TEN}"], [f"c {NINE}"], {(TEN, NINE)}, ([NINE], [], [])),
        ([f"u {TEN}"], [f"? {NINE}"], {(TEN, NINE)}, ([], [], [])),
        ([f"u {TEN}"], [f"s {NINE}", f"c {CALM}"], {(TEN, NINE), (TEN, CALM)}, ([CALM], [], [])),
        ([f"c {TEN}"], [f"s {NINE}", f"c {CALM}"], {(TEN, NINE), (TEN, CALM)}, ([], [], [])),
        ([f"c {TEN}"], [f"s {NINE}", f"c {CALM}"], {(TEN, NINE)}, ([CALM], [NINE], [])),
        ([f"s {TEN}"], [f"u {CALM}", f"c {TEN}"], {}, ([TEN, CALM], [], [])),
        ([f"u {TEN}"], [f"c {TEN}"], {}, ([TEN], [], [])),
        ([f"c {TEN}"], [f"c {TEN}", f"c {NINE}"], {(TEN, NINE)}, ([], [], [])),
        ([f"c {TEN}", f"c {LOUD}"], [f"c {TEN}"], {(LOUD, TEN)}, ([], [], [])),
        ([f"c {TEN}"], None, {}, ([], [], [])),
        ([f"c {TEN}"], [], {}, ([], [], [])),
        ([f"c {TEN} accepted"], [f"s {CALM}"], {}, ([], [], [])),
        ([f"s {TEN}"], [f"c {NINE} accepted"], {(TEN, NINE)}, ([], [], [])),
        ([f"c {TEN}"], [f"c {NINE} accepted"], {(TEN, f"{NINE} accepted")}, ([], [], [])),
    ],
)
def test_a_bad_claim_is_fixed_where_the_answer_is_right_about_it_and_new_where_it_was_not_as_bad(
    base, head, about, found
):
    assert became(base, head, about) == found


def test_nothing_is_fixed_that_is_said_again_and_believed_this_time():
    def outcome(documents):
        there, here = document({"p": [f"c {TEN}"]}), document({"p": [f"s {NINE}"]}, documents=documents)
        return compare(there, here, related=lambda pairs: [EQUAL] * len(pairs))

    same, other = outcome("d"), outcome("e")
    assert (same["fixed"], same["gone"]) == ([], [])
    assert same["notes"] == [
        f'"{NINE}" (p) is labelled supported, but seems to say what was contradicted in the baseline: "{TEN}"; '
        "look at both"
    ]
    assert [(claim["claim"], claim["was"], claim["was_contradicted"]) for claim in other["fixed"]] == [
        (NINE, "unsupported", True)
    ]


def test_a_claim_is_gone_where_the_answer_changed_and_not_where_it_was_split_otherwise():
    says = Answer("p", "p", "I do not know.")
    assert became([f"c {TEN}"], [], answers=[says]) == ([], [], [TEN])
    assert became([f"c {TEN}"], [], answers=[Answer("p", "p", TEN)]) == ([], [], [])


def test_another_question_under_the_same_id_is_told():
    """Row numbers as ids, and a dataset that was written anew: what is paired has nothing to do with each other."""
    base, head = document(GOOD), document(GOOD)
    head["prompts"][0]["question"] = "What else?"
    head["prompts"][1]["question"] += " "
    told = "of 8 prompts in both runs, 1 asked another question in the baseline, under the same id"
    assert compare(base, head)["notes"] == [told]


def test_prompts_are_paired_that_were_judged_in_both_runs_and_no_probe_is_a_prompt():
    outcome = compare(document(GOOD), changed(p9=["u the pump sings"], p0=["? the pump is green"], p1=[]))
    assert outcome["prompts"] == 6
    assert [claim["prompt_id"] for claim in outcome["new"]] == ["p9"]
    assert "8 prompts are in both runs (8 in the baseline, 9 here)" in outcome["notes"]
    probes = [Prompt(f"p{n}~x", "?", probe="sensitivity:x", of=f"p{n}") for n in range(3)]
    prompts = [Prompt(name, f"What of {name}?") for name in GOOD]
    outcome = compare(document(GOOD), document(GOOD, prompts=prompts + probes))
    assert (outcome["prompts"], outcome["notes"], outcome["word"]) == (8, [], "no difference")


@pytest.mark.parametrize(
    ("then", "now", "part"),
    [
        ({}, {"deploy_threshold": 0.2}, "deploy_threshold is looser than in the baseline: 0.2 instead of 0.1"),
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


def test_prompts_that_have_no_claim_or_are_held_to_less_are_told():
    names = [Prompt(name, f"What of {name}?") for name in GOOD]
    held = [replace(one, must_pass=one.id == "p0", checks={"equals": "t"} if one.id == "p1" else {}) for one in names]
    outcome = compare(document(GOOD, prompts=held), document(GOOD | {"p2": []}, prompts=names))
    assert outcome["notes"] == [
        "of 8 prompts in both runs, 1 had judged claims in the baseline and none here",
        "of 8 prompts in both runs, 2 had must_pass or checks in the baseline and not here",
    ]
    assert compare(document(GOOD, prompts=names), document(GOOD, prompts=held))["notes"] == []


def test_what_makes_two_runs_unlike_is_told():
    other = document(GOOD, documents="e")
    other["judge"]["model"] = "n"
    assert compare(other, document(GOOD))["notes"] == [
        "the baseline was made with other documents",
        "the baseline was made with another judge (model: n)",
    ]
    runs = [document(GOOD, model={"provider": "ollama", "model": name}) for name in ("small", "large")]
    assert compare(*runs)["models"] == {"base": "ollama / small", "head": "ollama / large"}
    assert "models" not in compare(runs[0], runs[0])


def run(values, name="latency", threshold=None):
    """A run whose measure rates each prompt with one value."""
    reading = Reading(tuple(Rating(f"p{n}", value) for n, value in enumerate(values)))
    return document(GOOD, measures=[measured(name, reading, threshold)])


def change(base, head, name="latency"):
    return compare(run(base, name), run(head, name))["measures"][name]


def test_slower_is_worse_and_quicker_is_better():
    assert change(QUICK, SLOW) == {
        "base": 170.0, "head": 570.0, "difference": 400.0, "interval": [400.0, 400.0], "p_value": 0.003906,
        "smallest_detectable": None, "word": "worse", "prompts": 8,
    }  # fmt: skip
    assert (change(SLOW, QUICK)["word"], change(SLOW, QUICK)["difference"]) == ("better", -400.0)
    same = change(SLOW, SLOW)
    assert (same["word"], same["difference"], same["interval"]) == ("no difference", 0.0, [0.0, 0.0])
    few = change(SLOW[:5], QUICK)
    assert (few["word"], few["prompts"], few["interval"]) == ("too few prompts", 5, None)


def test_more_is_better_where_the_measure_says_so():
    low, high = [0.1 + 0.01 * n for n in range(8)], [0.8 + 0.02 * n for n in range(8)]
    there, back = change(low, high, "consistency"), change(high, low, "consistency")
    assert (there["word"], back["word"]) == ("better", "worse")
    ends = there["interval"]
    assert ends[0] < there["difference"] < ends[1]
    assert back["interval"] == [-ends[1], -ends[0]]


def test_a_measure_without_a_pair_is_noted_and_one_of_another_version_is_not_compared():
    odd = document(GOOD, measures=[Measure("novelty", 0.5, None, 3)])
    outcome = compare(odd, run(SLOW))
    assert "measures" not in outcome
    assert outcome["notes"] == ["measured in the baseline only: novelty", "measured in this run only: latency"]
    assert "measures" not in compare(odd, odd)


@pytest.mark.parametrize(
    ("then", "now", "note"),
    [
        (100.0, 200.0, "the threshold of latency is looser than in the baseline: 200 instead of 100"),
        (100.0, None, "latency has no threshold any more; in the baseline it was 100"),
        (200.0, 100.0, None),
        (None, 100.0, None),
    ],
)
def test_a_threshold_that_was_lowered_is_told(then, now, note):
    notes = compare(run(SLOW, threshold=then), run(SLOW, threshold=now))["notes"]
    assert notes == ([note] if note else [])


def test_repeats_count_once_and_by_weight():
    def rated(*values):
        ratings = tuple(Rating(f"p{n}", value, weight=w) for n in range(8) for value, w in values)
        return document(GOOD, measures=[measured("latency", Reading(ratings), None)])

    outcome = compare(rated((1.0, 3.0), (0.0, 1.0), (9.0, 0.0)), rated((1.75, 1.0)))["measures"]["latency"]
    assert (outcome["difference"], outcome["prompts"]) == (1.0, 8)


@given(st.lists(st.floats(0, 1e6), min_size=8, max_size=8), st.lists(st.floats(0, 1e6), min_size=8, max_size=8))
def test_the_way_back_is_the_opposite(a, b):
    there, back = change(a, b), change(b, a)
    assert there["difference"] == pytest.approx(-back["difference"], abs=1e-5)
    assert {there["word"], back["word"]} in ({"better", "worse"}, {"no difference"})
