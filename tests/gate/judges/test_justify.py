from __future__ import annotations

from collections.abc import Callable

from gate.judges.checks.finding import Finding
from gate.judges.justify import justify
from gate.judges.look import look
from gate.judges.reads import Read
from gate.judges.seen import Look
from gate.judges.windows import Window
from gate.records import Item, Label


def _seen(given: Item) -> Look:
    (seen,) = look([given])
    assert seen is not None
    return seen


def test_what_was_found_is_named(item: Callable[..., Item]) -> None:
    text = justify(Label.SUPPORTED, False, _seen(item("Uploads are streamed.", "Uploads are streamed in chunks.")))
    assert text.startswith("Found: ")
    assert "'uploads'" in text
    assert "100 %" in text


def test_what_is_missing_is_named(item: Callable[..., Item]) -> None:
    seen = _seen(item("The zebra pool has `zip_code`.", "The pool is large."))
    text = justify(Label.UNSUPPORTED, False, seen)
    assert text.startswith("Not in the documents: ")
    assert "'zip_code'" in text


def test_both_sides_of_a_conflict_are_named(item: Callable[..., Item]) -> None:
    seen = _seen(item("The big zebra timeout is 10 seconds.", "The timeout is 5 seconds."))
    text = justify(Label.UNSUPPORTED, True, seen)
    assert text == "Contradicted: the document says '5 seconds' where the claim says '10 seconds'."


def test_doubt_gives_its_reason(item: Callable[..., Item]) -> None:
    assert justify(Label.WEAKLY_SUPPORTED, False, _seen(item("Pools are blue.", "Pools are large."))).startswith(
        "Not sure: "
    )


def test_one_amount_is_named_once(item: Callable[..., Item]) -> None:
    text = justify(Label.WEAKLY_SUPPORTED, False, _seen(item("It runs for 5 years, all 5 years.", "It is long.")))
    assert text.count("'5 years'") == 1


def test_words_that_all_stand_there_are_no_proof(item: Callable[..., Item]) -> None:
    text = justify(Label.WEAKLY_SUPPORTED, False, _seen(item("Pools are large.", "Pools are large.")))
    assert text == "Not sure: all its words stand in one passage, which may not say the same."


def test_a_sentence_is_one_line_and_short_whatever_the_claim(item: Callable[..., Item]) -> None:
    claim = "`" + "a_b" * 400 + "` is\u202e <b>set</b>\nto\r\n`" + "c.d" * 300 + "` \x1b[31mred."
    for label in (Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED):
        text = justify(label, label is Label.UNSUPPORTED, _seen(item(claim, "a is set to c. " + "e_f" * 500)))
        assert len(text) < 500
        assert not any(c in text for c in "\n\r\x1b\u202e")


def _denied(given: Item, chance: float) -> Look:
    """What was seen, with a reader that takes its first sentence to deny the claim."""
    seen = _seen(given)
    seen.reads.append(Read(Window("Some text.", 0, 1), (0.01, chance, 0.99 - chance), 1.0))
    return seen


def test_where_only_the_reader_denies_it_that_is_the_reason(item: Callable[..., Item]) -> None:
    given = item("Guests can use the big sauna.", "Guests can use the pool alone.")
    text = justify(Label.UNSUPPORTED, True, _denied(given, 0.93))
    assert text.startswith("Contradicted: the reader takes a passage to deny it (0.93)")
    doubt = justify(Label.WEAKLY_SUPPORTED, False, _denied(item("Pools are large.", "Pools are large."), 0.8))
    assert doubt == "Not sure: the reader takes a passage to deny it (0.80)."


def test_a_contradiction_is_not_told_by_what_is_missing_alone(item: Callable[..., Item]) -> None:
    seen = _seen(item("The most specific rule decides.", "The narrowest rule wins."))
    text = justify(Label.UNSUPPORTED, True, seen)
    assert text.startswith("Contradicted: the nearest passage says something else")


def test_a_denial_is_told_with_what_its_own_window_lacks(item: Callable[..., Item]) -> None:
    seen = _seen(item("Every pool costs 8 euros.", "Pools cost 8 euros. Every pool has a lid. It is of oak."))
    near = Look(seen.alignment, (Finding("all", 0.4, "the claim says 'every', the document does not", sentence=0),), {})
    near.reads.append(Read(Window("Pools cost 8 euros.", 0, 1), (0.02, 0.95, 0.03), 1.0))
    far = Look(near.alignment, near.findings, {})
    far.reads.append(Read(Window("Every pool has a lid.", 1, 2), (0.02, 0.95, 0.03), 1.0))
    assert justify(Label.UNSUPPORTED, True, near).endswith("(0.95); the claim says 'every', the document does not.")
    assert justify(Label.UNSUPPORTED, True, far).endswith("(0.95).")
