from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.reading import keys_of, read


def test_words_are_matched_by_their_stem_and_stop_words_count_nothing() -> None:
    reading = read("The retries are repeated by the clients.")
    assert [term.key for term in reading.content] == [term.key for term in read("retry repeat client").content]


def test_an_identifier_is_one_term_with_parts() -> None:
    term = next(term for term in read("Set `follow_redirects=True` first.").content if term.code)
    assert term.key == "follow_redirects=true"
    assert {"follow", "redirect"} <= set(term.parts)


def test_camel_case_is_read_in_parts() -> None:
    (term,) = read("poolTimeout").content
    assert term.parts == ("pool", "timeout")
    assert term.code


def test_neighbours_written_as_one_word_can_be_matched() -> None:
    assert "timeout" in read("The time out is fixed.").keys


def test_amounts_count_by_value_not_as_written() -> None:
    def amounts(text: str) -> set[str]:
        return {term.key for term in read(text).content if term.key.startswith("#")}

    assert amounts("It waits two minutes.") == amounts("It waits 120 s.")
    assert amounts("It waits 2 minutes.") != amounts("It waits 2 hours.")
    assert amounts("It tries ten times.") == amounts("It makes 10 attempts.")


def test_the_words_of_an_amount_know_it() -> None:
    terms = {term.word: term.amounts for term in read("Wait 2 weeks for the parcel of the week.").terms}
    assert terms["weeks"] == ("#s:1.2096e+06",)
    assert terms["parcel"] == terms["week"] == ()


def test_a_clause_with_an_odd_number_of_negations_is_denied() -> None:
    reading = read("It does not follow redirects, but it keeps cookies.")
    follow, keeps = (next(t for t in reading.terms if t.word == word) for word in ("follow", "keeps"))
    assert follow.clause in reading.denied
    assert keeps.clause not in reading.denied
    assert not read("It is not only fast.").denied
    assert not read("Nobody has never failed.").denied


def test_codes_are_names_as_written() -> None:
    reading = read("PostgreSQL's `pg_dump --clean` calls `main()` and sets `a.b=1`.")
    assert {"PostgreSQL", "pg_dump", "a.b"} <= set(reading.codes)
    assert "pg_dump --clean" in reading.spans


def test_hidden_characters_change_nothing() -> None:
    shown = read("The timeout is 5 seconds.")
    hidden = read("The time\u200bout is\u202e 5 sec\u00adonds.")
    assert [term.key for term in shown.content] == [term.key for term in hidden.content]


def test_what_is_counted_are_plain_stems() -> None:
    assert keys_of("Spare `max_speed` and 12 speeds") == {"spare", "maximum", "speed", "and"}


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    reading = read(text)
    assert reading == read(text)
    assert all(0 <= term.weight <= 1 for term in reading.terms)
    _ = reading.keys, reading.heads, reading.groups, reading.content, reading.codes, reading.spans, reading.denied


def test_amounts_in_neighbouring_cells_stay_apart() -> None:
    assert [number.value for number in read("| Down | 2 hours | 30 minutes |").numbers] == [7200, 1800]
    assert [number.value for number in read("It takes 2 hours, 30 minutes.").numbers] == [9000]


@pytest.mark.parametrize("text", ["open 24/7 access", "a lid of m^2 plots", "m^2 plots"])
def test_figures_that_are_no_amounts(text: str) -> None:
    assert read(text).numbers == ()


@pytest.mark.parametrize("text", ["from 8 till noon", "Boys under eight never pay", "8 also count", "8"])
def test_a_small_word_is_no_unit(text: str) -> None:
    assert [number.unit for number in read(text).numbers][:1] == [""]


def test_degrees_are_told_in_two_ways() -> None:
    assert read("It dries at 60 °C.").keys >= read("60 degrees").keys
