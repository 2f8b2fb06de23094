"""A verdict of a part is told as one wherever people read it."""

import pytest

from gate.reports import html, markdown, terminal
from gate.reports.extent import left_out


@pytest.mark.parametrize("render", [html.render, markdown.render, markdown.summary, terminal.render])
@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"partial": True}, "This verdict is partial"),
        ({"shard": "2/7"}, "This is shard 2/7 of a run"),
        ({"limit": 1200}, "at most 1,200 of them"),
    ],
)
def test_a_part_is_no_whole_run(document, render, part, words):
    assert words not in render(document)
    assert words in render({**document, **part})


def test_a_whole_run_needs_no_word(document):
    assert not list(left_out(document))


def test_a_shard_of_a_limited_run_that_was_stopped_says_all_three(document):
    assert len(list(left_out({**document, "partial": True, "shard": "1/2", "limit": 3}))) == 3
