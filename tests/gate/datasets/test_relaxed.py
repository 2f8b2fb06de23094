"""JSON with comments and trailing commas: whatever stands around the values, no string is harmed."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.datasets.relaxed import loads, plain

TRICKY = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["//", "/* x */", ",]", ", }", '"', "\\", '\\"', "http://a/b", "*/", "/*", "a\nb"]),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**6) | TRICKY,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TRICKY, inner, max_size=4),
    max_leaves=12,
)
NOISE = st.sampled_from(["", " ", "\n", '// a, b ] "\n', '/* { " // */', "/**/", "//\r\n", "\t/* ,] */ // x\n"])


@st.composite
def written(draw):
    """(value, the value as somebody might have written it)."""
    value = draw(VALUES)

    def told(item):
        if isinstance(item, list):
            return joined("[", [told(part) for part in item], "]")
        if isinstance(item, dict):
            pairs = [f"{json.dumps(name)}{draw(NOISE)}:{draw(NOISE)}{told(part)}" for name, part in item.items()]
            return joined("{", pairs, "}")
        return json.dumps(item, ensure_ascii=draw(st.booleans()))

    def joined(start, parts, end):
        text = start + ",".join(f"{draw(NOISE)}{part}{draw(NOISE)}" for part in parts)
        return text + ("," + draw(NOISE) if parts and draw(st.booleans()) else draw(NOISE)) + end

    return value, f"{draw(NOISE)}{told(value)}{draw(NOISE)}"


@given(written())
def test_comments_and_trailing_commas_change_nothing(pair):
    value, text = pair
    assert loads(text) == value


@given(VALUES, st.sampled_from([None, 2]))
def test_strict_json_is_left_as_it_is(value, indent):
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    assert plain(text) == text
    assert loads(text) == value


@given(st.text(alphabet='{}[],:"/*\\\n ax1', max_size=60))
def test_any_text_keeps_its_length_and_its_lines(text):
    kept = plain(text)
    assert len(kept) == len(text)
    assert [i for i, c in enumerate(kept) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]


def test_a_fault_is_told_where_it_stands():
    with pytest.raises(json.JSONDecodeError) as fault:
        loads('{\n  // one\n  "a": 1,\n  "b": nothing,\n}')
    assert (fault.value.lineno, fault.value.colno) == (4, 8)


@pytest.mark.parametrize("text", ['{"a": 1} trailing', "[1 2]", '["open', "/* open", "", '{"a" 1}', "[1,,]"])
def test_what_is_no_json_stays_none(text):
    with pytest.raises(json.JSONDecodeError):
        loads(text)


def test_numbers_that_json_does_not_have_are_null():
    assert loads("[NaN, Infinity, -Infinity, 1e999, 1.5]") == [None, None, None, None, 1.5]


@pytest.mark.parametrize("piece", ["/*", '"\\', '\\"', ", ", '"', "//", "/*/"])
def test_hostile_repeats_take_linear_time(piece):
    begun = time.process_time()
    plain('"' + piece * 200_000)
    assert time.process_time() - begun < 2
