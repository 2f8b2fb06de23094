"""A short text in its parts."""

from gate.measures.short_parts import parts_of


def test_the_parts_of_an_answer() -> None:
    found = parts_of("The answer is: Use PUT, not PATCH, for 3 items.")
    assert found.denied == {"patch"}
    assert {"put", "patch"} <= found.codes
    assert [number.value for number in found.amounts] == [3.0]
    assert found.says is None


def test_yes_and_no() -> None:
    assert parts_of("Yes.").bare
    assert parts_of("Nein").says is False
    assert not parts_of("No, Rs 800").bare
    assert parts_of("").words == ()


def test_names_without_what_may_be_left_out() -> None:
    assert parts_of("v1.2.3").words == parts_of("1.2.3").words
    assert parts_of("`close()`").words == ("close",)
    assert parts_of("Barack Obama").capitals == {"barack", "obama"}
