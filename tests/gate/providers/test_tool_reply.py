"""What a model gave to its tool, as its readers find it."""

import pytest

from gate.providers.tool_reply import reply_text
from gate.text_replies import entries, lists

ENTRY = {"claim": 7, "verdict": "unsupported", "why": 'not "so" ü'}
LISTED = '[\n{"claim": 7, "verdict": "unsupported", "why": "not \\"so\\" ü"}\n]'


def used(given: object) -> str:
    return reply_text([{"reasoningContent": {}}, {"text": "Sure."}, {"toolUse": {"name": "reply", "input": given}}])


@pytest.mark.parametrize("given", [[ENTRY], LISTED, f"{LISTED}\n</invoke>"])
def test_a_list_is_read_also_where_it_was_given_as_a_string(given):
    assert entries(used({"note": "x", "verdicts": given}), "verdicts") == ([ENTRY], True)


def test_a_list_that_breaks_off_within_its_string_is_not_whole():
    assert entries(used({"verdicts": LISTED[:-2] + ', {"cl'}), "verdicts") == ([ENTRY], False)


def test_all_that_was_given_in_several_uses_of_the_tool_is_the_reply():
    more = {**ENTRY, "verdict": "supported"}
    uses = [{"toolUse": {"input": {"verdicts": given}}} for given in ([more], [], [ENTRY])]
    assert entries(reply_text(uses), "verdicts") == ([more, ENTRY], True)
    uses = [{"toolUse": {"input": {"verdicts": given}}} for given in (LISTED, [more])]
    assert lists(reply_text(uses), "verdicts") == [([ENTRY], True), ([more], True)]


@pytest.mark.parametrize("given", ["[1]", ["a"], 5, None])
def test_an_input_that_is_no_object_is_told_as_it_is(given):
    assert used(given) in ('"[1]"', '["a"]', "5", "null")


def test_without_the_tool_the_text_is_the_reply():
    assert reply_text([{"reasoningContent": {}}, {"text": "a"}, {"text": "b"}]) == "ab"
    assert reply_text([]) == ""
