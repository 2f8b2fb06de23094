"""Tags that break lines part claims as line breaks do, and move nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.broken import broken
from gate.extraction.extract import extract

PIECES = st.sampled_from(
    ["<ul>", "<li>", "</li>", "</ul>", "<br/>", "<h2 id=a>", "<table>", "</table>", "`", "a", "|", "\n"]
)


def told(answer: str, question: str = "") -> list[str]:
    return [claim.text for claim in extract(answer, question)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "<ul><li>The burst is 20 tons</li><li class='x'>The limit is 10,000 tons</li></ul>",
            ["The burst is 20 tons.", "The limit is 10,000 tons."],
        ),
        ("The mill is open daily<br>The shop is closed<BR/>", ["The mill is open daily.", "The shop is closed."]),
        (
            "The mill has:<ul><li>a shop</li><li>two ponds</li></ul>",
            ["The mill has a shop.", "The mill has two ponds."],
        ),
        ("<div>The mill is open</div><div>The shop is closed</div>", ["The mill is open.", "The shop is closed."]),
        ("<p>The mill is <b>open</b>.</p><p>It is red.</p>", ["The mill is open.", "The mill is red."]),
        ("<h2>Notes</h2><p>The mill is open.</p>", ["The mill is open."]),
        ("The mill is open<br>from May to June.", ["The mill is open from May to June."]),
        ("Write `<br>` where the line ends.", ["Write `<br>` where the line ends."]),
        ("| Mill | Hours |\n|---|---|\n| Old | 5 tons<br>1 day |\n", ["Old: Hours 5 tons 1 day."]),
        (
            "<table><tr><th>Mill</th><th>Price</th></tr><tr><td>A<br>B</td><td>$5</td></tr></table><p>All is red.</p>",
            ["A B: Price $5.", "All is red."],
        ),
    ],
)
def test_what_a_page_shows_in_lines_of_its_own_is_claimed_apart(answer: str, expected: list[str]) -> None:
    assert told(answer) == expected


@given(st.lists(PIECES, max_size=12).map("".join))
def test_all_places_stay(text: str) -> None:
    found = broken(text)
    assert len(found) == len(text)
    assert all(there in (was, " ", "\n", "-", "#") for was, there in zip(text, found, strict=True))


def test_a_page_of_tags_takes_no_time() -> None:
    assert len(broken("<li>" * 50_000 + "`" * 999)) == 4 * 50_000 + 999
