"""The measures in Markdown: a table, why each that stands in the way does, and their change against a base."""

from gate.reports.markdown_measures import blocks, changes


def test_the_table_and_the_reasons(compared):
    table, left, *why = blocks(compared)
    assert "| latency | 2.4 s | 120 ms to 2.4 s | 2 | at most 1.0 s | **✗ failed** |" in table
    assert "| cost | $0.00021 |" in table
    assert "| relevance | 0.710 | 0.600 to 0.800 | 3 | at least 0.6 | ✓ passed |" in table
    assert left == (
        "- cost: per 1,000 answers &#36;0.40; all answers of this run &#36;0.00042\n"
        "- cost: 1 of 3 prompts left out: its price is not known\n"
    )
    assert why == [
        "**consistency: partly measured**\n\n- 1 of 2 prompts could not be rated: no probe was answered\n",
        "**latency: failed**\n\n- p50 120 ms\n- 1 of 3 prompts left out: none\n- `q1` 2.4 s: 2400 ms\n",
    ]


def test_only_the_worst_three_ratings_are_listed(compared):
    entry = compared["measures"]["latency"]
    entry["ratings"] = [{"prompt_id": f"q{n}", "value": 1000.0 * n, "why": "so"} for n in range(30)]
    block = list(blocks(compared))[-1]
    assert [row for row in block.splitlines() if row.startswith("- `")] == [
        "- `q29` 29.0 s: so", "- `q28` 28.0 s: so", "- `q27` 27.0 s: so",
    ]  # fmt: skip


def test_a_run_without_measures_says_nothing(empty, compared):
    assert list(blocks(empty)) == []
    del compared["comparison"]["measures"], compared["comparison"]["models"]
    assert list(changes(compared["comparison"])) == []


def test_changes_are_a_table(compared):
    models, table = changes(compared["comparison"])
    assert models == "base: replay / m-0; this run: replay / m-1\n"
    assert "| cost | $0.00010 | $0.00021 | +$0.00011 | +$0.000010 to +$0.00021 | 0.020 | 8 | **worse** |" in table
    assert "| consistency | 0.600 | 0.500 | −0.100 | – | – | 1 | too few prompts |" in table
