"""Sums that merge in any order to the same figures, and what is compared of two audits."""

import json
from dataclasses import asdict, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.audit import summary
from gate.audit.report import facts
from gate.audit.rows import row_of
from gate.audit.summary import Count, Tally, drift, for_one_point, load_summary, merged, render, tally_of, total
from gate.errors import InputFileError
from gate.records import Label
from gate.statistics.intervals import WEIGHTS, cluster_interval
from tests.gate.audit.test_job import finished
from tests.support.audited import judged, rows

EVERY = [tally_of(one) for one in judged(*rows(120), {"question": "?"}, {"question": "Hi?", "answer": "Hello!"})]


@given(st.integers(0, 2**32), st.integers(1, 60))
def test_parts_in_any_order_are_the_whole(seed, size):
    parts = EVERY[:]
    Random(seed).shuffle(parts)  # noqa: S311
    sums = [total(parts[first : first + size]) for first in range(0, len(parts), size)]
    assert sum(sums, Tally()) == total(EVERY)


def test_nothing_is_lost_and_the_interval_is_that_of_a_run():
    some, whole = judged(*rows(120)), total(EVERY).total
    assert whole.answers == whole.judged_answers + whole.silent_answers + whole.unjudged_answers == 122
    assert (whole.unjudged_answers, whole.silent_answers) == (31, 1)
    weights = [[WEIGHTS[v.label] for v in one.verdicts if v.label in WEIGHTS] for one in some]
    clusters = [(sum(each), len(each)) for each in weights if each]
    assert whole.risk == sum(y for y, _ in clusters) / sum(m for _, m in clusters)
    expected = cluster_interval(clusters, sum(w * w for each in weights for w in each))
    assert whole.interval() == pytest.approx(expected)


def test_a_claim_about_a_case_is_counted_and_told_apart(tmp_path):
    (one,) = judged({"question": "May a child of 11 go in?", "answer": "A child of 11 may go in."})
    sure = [replace(verdict, label=Label.WEAKLY_SUPPORTED, case=True) for verdict in one.verdicts]
    tally = tally_of(replace(one, verdicts=tuple(sure)))
    assert (tally.total.cases, tally.total.weakly_supported) == (1, 1)
    audit = finished(tmp_path)
    assert not any("for one case" in fact for fact in facts(audit))
    told = facts(replace(audit, tally=tally))
    assert sum(fact.startswith("1 claim says what a rule means for one case") for fact in told) == 1
    assert row_of(replace(one, verdicts=tuple(sure)))["details"][0]["case"] is True


def test_strangers_cannot_make_it_large(monkeypatch):
    names = {f"tag {n}": Count(answers=1) for n in range(300)}
    halves = [dict(list(names.items())[::2]), names]
    assert merged(halves, 100) == merged([merged(halves[:1], 100), merged(halves[1:], 100)], 100)
    assert len(merged(halves, 100)) == 100
    wild = [{"question": f"{n % 90}" + "q" * 9999, "answer": "wrong " * 99} for n in range(200)]
    whole = total([tally_of(one) for one in judged(*wild)])
    assert [one.line for one in whole.worst] == list(range(1, summary.WORST + 1))
    assert len(json.dumps(asdict(whole))) < 200_000


def test_the_worst_come_first_by_what_the_documents_deny():
    worst = total(EVERY).worst
    assert worst[0].contradicted == 1
    assert worst[0].claim.startswith("The pool is denied")
    assert list(worst) == sorted(worst, key=lambda one: one.order)


def test_drift_names_what_changed_and_nothing_else():
    def rated(tag, bad, of):
        said = ["The pool is wrong."] * bad + ["The pool is heated."] * (of - bad)
        return [tally_of(one) for one in judged(*({"question": "?", "answer": text, "tags": [tag]} for text in said))]

    before = total([*rated("a", 10, 300), *rated("b", 10, 300), *rated("gone", 1, 9)])
    after = total([*rated("a", 90, 300), *rated("b", 12, 300), *rated("new", 1, 9)])
    changes = {(one.kind, one.name): one for one in drift(before, after)}
    assert changes["total", ""].changed
    assert changes["tag", "a"].changed
    assert not changes["tag", "b"].changed
    assert ("tag", "new") not in changes
    assert not any(one.changed for one in drift(before, before))
    assert drift(Tally(), after) == ()


def test_how_many_answers_one_point_takes():
    count = total(EVERY).total
    low, high = count.interval()
    times = round(for_one_point(count) / count.answers)
    more = sum([count] * times, Count()).interval()
    assert high - low > 0.1
    assert more[1] - more[0] == pytest.approx(0.02, rel=0.1)
    assert for_one_point(Count()) is None


def test_a_summary_is_what_was_written_or_it_is_refused(tmp_path):
    audit = finished(tmp_path)
    path = tmp_path / "s.json"
    path.write_text(render(audit), encoding="utf-8")
    assert load_summary(path).tally == audit.tally
    whole = json.loads(path.read_text(encoding="utf-8"))
    assert whole["tally"]["total"]["risk"] == pytest.approx(audit.score, abs=1e-6)
    for wrong in ({}, [], {**whole, "schema_version": "2.0"}, {**whole, "tally": {"total": {"answers": "many"}}}):
        path.write_text(json.dumps(wrong), encoding="utf-8")
        with pytest.raises(InputFileError, match="summary of an audit"):
            load_summary(path)
    assert replace(audit, drift=drift(audit.tally, audit.tally)).drift[0].difference == 0
