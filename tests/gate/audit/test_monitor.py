"""The monitor of nightly audits: days count once and in order, the state goes on, an alarm is told and drawn."""

import json

import pytest

from gate.audit.monitor import load_watched, plot, render_watched, watch, with_nights
from gate.audit.summary import Audit, Count, Tally
from gate.errors import InputFileError, UsageError

JUDGE = {"provider": "local", "model": "m", "prompt_version": "1"}
TODAY = "2026-11-30"


def day(bad: int, answers: int = 20) -> Count:
    return Count(answers=answers, judged_answers=answers, supported=answers - bad, unsupported=bad)


def audit(first: int, *bad: int, index="i", **more: Count) -> Audit:
    days = {f"2026-11-{first + n:02}": day(number) for n, number in enumerate(bad)} | more
    tally = Tally(sum(days.values(), Count(judged_answers=3)), days)
    return Audit("1.0", "deploy", ("fine",), 0.0, None, {}, JUDGE, index, "", (), 0, tally)


def test_a_state_goes_on_where_it_was_and_counts_no_day_twice(tmp_path):
    path = tmp_path / "state.json"
    whole = watch(load_watched(path, 0.25, JUDGE), audit(1, 1, 2, 3, 4), TODAY)
    path.write_text(render_watched(watch(load_watched(path, 0.25, JUDGE), audit(1, 1, 2), TODAY)))
    again = audit(2, 9, 3, 4)
    gone_on = watch(load_watched(path, 0.25, JUDGE), again, TODAY)
    told = " ".join(with_nights(again, gone_on).notes)
    assert "20 judged answers of 2026-11-02. Only days after 2026-11-02 count." in told
    assert "3 judged answers without a day" in told
    assert render_watched(gone_on) == render_watched(whole)
    assert (whole.last, whole.monitor.nights, whole.monitor.mean) == ("2026-11-04", 4, 0.125)


def test_a_night_has_the_risk_that_its_day_has_in_the_audit(tmp_path):
    uneven = Count(answers=2, judged_answers=2, supported=9, unsupported=1)
    (point,) = watch(load_watched(tmp_path / "s", 0.25, JUDGE), audit(1, **{"2026-11-01": uneven}), TODAY).points
    assert (point.risk, point.answers) == (uneven.risk, 2)


def test_a_clock_that_is_wrong_does_not_end_the_count(tmp_path):
    found = watch(load_watched(tmp_path / "s", 0.25, JUDGE), audit(1, 1, **{"9999-12-31": day(1)}), TODAY)
    assert (found.monitor.nights, found.last) == (1, "2026-11-01")
    assert "still to come, as 9999-12-31" in " ".join(found.notes)


def test_a_day_without_a_judged_answer_is_no_night(tmp_path):
    silent = audit(1, **{"2026-11-01": Count(answers=5, unjudged_answers=5)})
    found = watch(load_watched(tmp_path / "s", 0.25, JUDGE), silent, TODAY)
    assert (found.monitor.nights, found.last) == (0, "")
    assert with_nights(silent, found).notes[-1] == "Monitor: no night yet."
    (tmp_path / "s").write_text(render_watched(found))
    assert load_watched(tmp_path / "s", 0.25, JUDGE).monitor == found.monitor


def test_documents_that_changed_are_told(tmp_path):
    first = watch(load_watched(tmp_path / "s", 0.25, JUDGE), audit(1, 1), TODAY)
    assert "documents" not in " ".join(watch(first, audit(2, 1), TODAY).notes)
    assert "documents changed" in " ".join(watch(first, audit(2, 1, index="j"), TODAY).notes)


def test_a_rise_is_an_alarm_that_blocks_is_told_and_drawn(tmp_path):
    calm = watch(load_watched(tmp_path / "s", 0.25, JUDGE), audit(1, *[2] * 10), TODAY)
    assert not calm.alarm
    assert "No alarm" in " ".join(with_nights(audit(1), calm).notes)
    risen = watch(calm, audit(11, *[18] * 15), TODAY)
    assert risen.alarm
    assert "2026-11-11" < risen.alarmed_on < "2026-11-25"
    blocked = with_nights(audit(1), risen)
    assert (blocked.decision, blocked.reasons[1:]) == ("block", ("fine",))
    assert f"risen above 0.25; the first alarm was on {risen.alarmed_on}" in blocked.reasons[0]
    drawn = plot(risen)
    assert len(drawn["dots"]) == 25
    assert all(0 <= y <= drawn["height"] for _, y in drawn["dots"])
    assert drawn["alarm"] == drawn["dots"][int(risen.alarmed_on[-2:]) - 1][0]
    assert plot(calm)["alarm"] is None


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda state: state["monitor"].update(threshold=0.3), UsageError),
        (lambda state: state["judge"].update(model="other"), UsageError),
        (lambda state: state["judge"].update(anchors="written anew"), UsageError),
        (lambda state: state.pop("monitor"), InputFileError),
        (lambda state: state["monitor"].update(total="many"), InputFileError),
        (lambda state: state["monitor"].update(capital=[1.0]), InputFileError),
        (lambda state: state["monitor"].update(nights=-5), InputFileError),
        (lambda state: state.update(points=[{"day": 1}]), InputFileError),
        (lambda state: state.update(schema_version="1.0"), InputFileError),
    ],
)
def test_what_is_no_state_of_this_monitor_is_refused(tmp_path, change, error):
    path = tmp_path / "state.json"
    state = json.loads(render_watched(watch(load_watched(path, 0.25, JUDGE), audit(1, 1), TODAY)))
    change(state)
    path.write_text(json.dumps(state))
    with pytest.raises(error):
        load_watched(path, 0.25, JUDGE)
