"""Waivers: what they accept and for how long, and a file whose every fault has a line."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ConfigError
from gate.records import fingerprint
from gate.waivers import LONGEST, Waiver, add, apply, load_waivers, notes_of, text_of

TODAY = date(2027, 1, 15)
MARK = fingerprint("Is the lid blue?", "The lid is blue.")
texts = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.just(" "), min_size=1, max_size=60)


def waiver(until=TODAY, mark=MARK, claim="The lid is blue."):
    return Waiver(fingerprint=mark, claim=claim, reason="agreed with the vendor", who="Ann", until=until)


@pytest.mark.parametrize(("days", "accepted"), [(0, True), (1, True), (-1, False)])
def test_a_waiver_holds_to_its_last_day(days, accepted):
    found = apply([waiver(TODAY + timedelta(days=days))], [(MARK, False)], TODAY)
    assert ((MARK, False) in found.accepted) is accepted
    assert bool(found.ended) is not accepted
    assert any("counts again" in note for note in notes_of(found, part=False)) is not accepted


def test_a_waiver_for_more_than_a_year_holds_for_no_day():
    far = apply([waiver(TODAY + timedelta(days=LONGEST + 1))], [(MARK, False)], TODAY)
    assert (far.accepted, far.ended) == ({}, ())
    assert ["a year is the most" in note for note in notes_of(far, part=True)] == [True]
    assert (MARK, False) in apply([waiver(TODAY + timedelta(days=LONGEST))], [(MARK, False)], TODAY).accepted


@pytest.mark.parametrize(("given", "accepted"), [(False, [(MARK, False)]), (True, [(MARK, False), (MARK, True)])])
def test_a_waiver_of_what_is_not_there_does_not_hold_for_what_the_documents_deny(given, accepted):
    held = waiver().model_copy(update={"contradicted": given})
    found = apply([held], [(MARK, False), (MARK, True)], TODAY)
    assert (sorted(found.accepted), found.ended, found.unused) == (accepted, (), ())
    assert ["documents deny its claim" in note for note in notes_of(found, part=True)] == [True] * (not given)
    assert not apply([held], [(MARK, False)], TODAY).denied


def test_a_renewed_waiver_accepts_what_it_accepted():
    wide = waiver().model_copy(update={"contradicted": True})
    assert add([wide], waiver(TODAY + timedelta(days=9))) == (
        wide.model_copy(update={"until": TODAY + timedelta(days=9)}),
    )


def test_a_waiver_whose_claim_is_gone_is_named_unless_only_a_part_was_run():
    found = apply([waiver()], [], TODAY)
    assert not found.accepted
    assert any("no claim any more" in note for note in notes_of(found, part=False))
    assert not list(notes_of(found, part=True))


@given(texts, texts)
def test_a_fingerprint_minds_the_words_and_the_question_alone(question, claim):
    mark = fingerprint(question, claim)
    assert fingerprint(f" {question}\n", claim.replace(" ", "  ")) == mark
    assert fingerprint(question, claim + " not") != mark
    assert len(mark) == 16


@given(st.lists(st.tuples(texts, texts), max_size=5))
def test_a_file_gives_back_what_was_written(tmp_path_factory, rows):
    held: tuple[Waiver, ...] = ()
    for claim, reason in rows:
        mark = fingerprint("", claim)
        held = add(held, Waiver(fingerprint=mark, claim=claim, reason=reason, who="${USER}", until=TODAY))
    path = tmp_path_factory.mktemp("w") / "waivers.yaml"
    path.write_text(text_of(held), encoding="utf-8")
    assert load_waivers(path) == held


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ("fingerprint: zz", "fingerprint"),
        ("until: soon", "until"),
        ("until: 1800000000", "until"),
        ("note: x", "note"),
    ],
)
def test_every_fault_has_its_line(tmp_path, row, where):
    path = tmp_path / "w.yaml"
    keys = {"fingerprint": MARK, "claim": "c", "reason": "r", "who": "w", "until": "2027-01-01"}
    name, _, value = row.partition(": ")
    lines = [f"    {key}: {text}" for key, text in {**keys, name: value}.items()]
    path.write_text("waivers:\n  -\n" + "\n".join(lines) + "\n")
    with pytest.raises(ConfigError) as caught:
        load_waivers(path)
    assert [where in fault.where for fault in caught.value.faults] == [True]
    assert all(fault.line for fault in caught.value.faults)


def test_a_file_that_nobody_named_may_be_missing(tmp_path):
    assert load_waivers(tmp_path / "none.yaml") == ()
    with pytest.raises(ConfigError):
        load_waivers(tmp_path / "none.yaml", needed=True)
