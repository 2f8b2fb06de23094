"""Windows: everything of a passage is in a piece, verbatim by its span; texts are what the reader is shown."""

from __future__ import annotations

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from gate.judges.windows import best_windows, pieces, render, show_claim, show_context, spans
from gate.records import Evidence
from tests.support.steps import growth

PAGE = """# Guide
Read this first.
## Settings
You can set:

- `workers`: the number of processes. Defaults to 1.
- `timeout`: seconds.

| Plan | Price | Deposit |
| --- | --- | --- |
| Flex | €149 | €100 |
| Pro | €249 | €200 |
"""


def made(text, **more):
    return pieces([Evidence("a.md", 1, text, 1.0, **more)])


def test_a_row_is_shown_in_words_under_its_header_wherever_the_passage_begins():
    assert [p.text for p in made(PAGE)][-2:] == [
        "Plan Flex: Price €149; Deposit €100",
        "Plan Pro: Price €249; Deposit €200",
    ]
    assert [p.text for p in made("| Pro | €249 |", header="| Plan | Price |")] == ["Plan Pro: Price €249"]


def test_headings_and_lead_ins_go_with_what_stands_below_them():
    item = next(p for p in made(PAGE) if p.text.startswith("timeout"))
    assert item.path == ("Guide", "Settings")
    assert render([item]) == "Guide: Settings: You can set: timeout: seconds."


def test_the_path_of_a_chunk_stands_over_its_own_headings():
    found = made("Text one.\n\n## Fees\n\nText two.", heading="Guide > Prices")
    assert [p.path for p in found] == [("Guide", "Prices"), ("Guide", "Prices", "Fees")]
    turned = made("Text one.\nText two.", heading="A > B", turns=((1, "A > C"),))
    assert [p.path for p in turned][-1] in (("A", "C"), ("A", "B"))


def test_the_window_with_the_claims_words_comes_first_and_none_comes_twice():
    found = best_windows("The Pro plan costs €249.", "", made(PAGE), 5)
    assert "Plan Pro: Price €249" in found[0].text
    assert len({window.text for window in found}) == len(found)


def test_the_question_finds_what_a_short_answer_does_not():
    text = "Cats stay for free.\n\n" + "Nothing of it is told here at all.\n\n" * 8 + "The sauna opens at noon.\n\n"
    found = best_windows("Yes.", "When does the sauna open?", made(text), 1)
    assert "sauna" in found[0].text


def test_windows_keep_to_their_passage():
    given = pieces([Evidence("a.md", 1, "One is here today.", 1.0), Evidence("b.md", 1, "Two is there tomorrow.", 1.0)])
    assert spans(given) == [(0, 1), (1, 2)]


def test_a_claim_is_shown_without_markup_and_a_row_under_its_header():
    assert show_claim("**Yes**, use `--all`.") == "Yes, use --all."
    assert show_claim("| Pro | **€249** |", "| Plan | Price |") == "Plan Pro: Price €249"
    assert show_claim("| Pro | €249 |") == "Pro, €249"
    assert show_context("When?\n\nIt *opens* soon.") == "When? It opens soon."


@given(st.text(alphabet=st.sampled_from("ab |-#*`\n.:>1"), max_size=300))
def test_pieces_are_in_order_and_inside_their_passage(text):
    found = made(text)
    assert all(0 <= p.start < p.end <= len(text) for p in found)
    assert [p.start for p in found] == sorted(p.start for p in found)
    best_windows("a b 1", "", found, 3)


def test_the_work_grows_with_the_text():
    text, fresh = "word one two. ", count()  # what was read before is remembered
    many = lambda n: best_windows("word one", "", made(f"{next(fresh)} {text * n}" + "| a | b |\n" * n), 5)  # noqa: E731
    assert growth(many, 400) < 3
