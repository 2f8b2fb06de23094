from hypothesis import given
from hypothesis import strategies as st

from gate.measures.wording import LONGEST, count, quoted, shortened


@given(st.text(max_size=2000))
def test_one_short_line(text):
    for told in (shortened(text), quoted(text)):
        assert len(told) <= LONGEST
        assert "\n" not in told
        assert "\x1b" not in told


def test_words():
    assert count(1, "claim") == "1 claim"
    assert count(0, "claim") == "0 claims"
    assert quoted("a  b\nc") == '"a b c"'
    assert shortened("ab" * 400).endswith("…")
