"""Below the claims on a terminal: measures that stand in the way with their reasons, changes against the base."""

from gate.reports.telling import View
from gate.reports.terminal import render
from gate.reports.terminal_tail import tail


def test_measures_and_their_reasons(compared):
    sections = dict(tail(compared, View()))
    assert sections["Measures"] == [
        "? consistency 0.500  (0.055 to 0.945, n = 1)  PARTLY MEASURED, asked for at least 0.4",
        "    1 of 2 prompts could not be rated: no probe was answered",
        "· cost $0.00021  ($0.00 to $0.0021, n = 2)",
        "    per 1,000 answers $0.40; all answers of this run $0.00042",
        "    1 of 3 prompts left out: its price is not known",
        "✗ latency 2.4 s  (120 ms to 2.4 s, n = 2)  FAILED, asked for at most 1.0 s",
        "    p50 120 ms",
        "    1 of 3 prompts left out: none",
        "    q1 2.4 s: 2400 ms",
        "✓ relevance 0.710  (0.600 to 0.800, n = 3)  passed, asked for at least 0.6",
    ]
    assert "\n      q1 2.4 s: 2400 ms\n" in render(compared)


def test_only_what_changed_is_told_in_full(compared):
    assert dict(tail(compared, View()))["Against the base"][1:4] == [
        "base: replay / m-0; this run: replay / m-1",
        "cost $0.00010 → $0.00021: worse (+$0.00011 of a prompt, +$0.000010 to +$0.00021, p 0.020, n = 8)",
        "no difference shown: consistency",
    ]
