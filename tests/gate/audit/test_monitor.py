"""The monitor of nightly audits: days count once and in order, the state goes on, an alarm is told and drawn."""

import json

import pytest

from gate.audit.monitor import describe_watched, load_watched, plot, render_watched, watch
from gate.audit.summary import MILLION, Count
from gate.errors import InputFileError, UsageError

JUDGE = {"provider": "local", "model": "m", "prompt_version": "1"}


def day(bad: int, answers: int = 20) -> Count:
    return Count(
        answers=answers, judged_answers=answers, risk_millionths=bad * MILLION, risk_squared_millionths=bad * MILLION
    )


def days(first: int, *bad: int) -> dict[str, Count]:
    return {f"2026-11-{first + n:02}": day(number) for n, number in enumerate(bad)}


def test_a_state_goes_on_where_it_was_and_counts_no_day_twice(tmp_path):
    path = tmp_path / "state.json"
    whole = watch(load_watched(path, 0.25, JUDGE), days(1, 1, 2, 3, 4))
    path.write_text(render_watched(watch(load_watched(path, 0.25, JUDGE), days(1, 1, 2))))
    gone_on = watch(load_watched(path, 0.25, JUDGE), days(2, 9, 3, 4))
    assert gone_on.skipped == ("2026-11-02",)
    assert "counted before: 2026-11-02" in " ".join(describe_watched(gone_on))
    assert render_watched(gone_on) == render_watched(whole)
    assert (whole.last, whole.monitor.answers, whole.monitor.mean) == ("2026-11-04", 80, 0.125)


def test_a_day_without_a_judged_answer_is_no_night(tmp_path):
    found = watch(load_watched(tmp_path / "s", 0.25, JUDGE), {"2026-11-01": Count(answers=5, unjudged_answers=5)})
    assert (found.monitor.nights, found.last) == (0, "")


def test_a_rise_is_an_alarm_that_is_told_and_drawn(tmp_path):
    calm = watch(load_watched(tmp_path / "s", 0.25, JUDGE), days(1, *[2] * 10))
    assert not calm.alarm
    assert "No alarm" in " ".join(describe_watched(calm))
    risen = watch(calm, days(11, *[18] * 15))
    assert risen.alarm
    assert "2026-11-11" < risen.alarmed_on < "2026-11-25"
    assert f"ALARM: the risk has risen above 0.25; the first alarm was on {risen.alarmed_on}" in " ".join(
        describe_watched(risen)
    )
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
        (lambda state: state.pop("monitor"), InputFileError),
        (lambda state: state["monitor"].update(total="many"), InputFileError),
        (lambda state: state.update(points=[{"day": 1}]), InputFileError),
    ],
)
def test_what_is_no_state_of_this_monitor_is_refused(tmp_path, change, error):
    path = tmp_path / "state.json"
    state = json.loads(render_watched(watch(load_watched(path, 0.25, JUDGE), days(1, 1))))
    change(state)
    path.write_text(json.dumps(state))
    with pytest.raises(error):
        load_watched(path, 0.25, JUDGE)
