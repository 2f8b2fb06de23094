from __future__ import annotations

from collections.abc import Callable

from gate.judges.alignment import Alignment, align
from gate.judges.evidence import Known, split
from gate.judges.reader import Reader
from gate.judges.reading import read
from gate.judges.windows import LONGEST, focus_window, further_windows, prose
from gate.records import Evidence, Item


def _laid(item: Item) -> Alignment:
    found = align(read(item.claim.text), split(item.evidence, Known()))
    assert found is not None
    return found


def _further(item: Item, kin: int | None = None) -> list[str]:
    return [window.text for window in further_windows(item, _laid(item), kin)]


def _focus(item: Item) -> list[str]:
    return [window.text for window in focus_window(item, _laid(item))]


FILLER = " ".join(f"The chapter number {n} tells of quite other things." for n in "abcdefgh")


def test_the_sentence_that_decides_is_shown_alone_and_in_the_first_window(item: Callable[..., Item]) -> None:
    given = item("Parcels weigh at most 30 kg.", FILLER + " Parcels must not weigh more than 30 kg. " + FILLER, FILLER)
    assert _focus(given) == ["Parcels must not weigh more than 30 kg."]
    assert "30 kg" in _further(given)[0]


def test_windows_hold_a_few_sentences_of_one_passage(item: Callable[..., Item]) -> None:
    given = item("Ducks can swim well.", "Ducks can swim well and often. " * 9, "Geese can swim well and often, too.")
    windows = _further(given)
    assert all(window.count(".") <= 3 for window in windows)
    assert not any("Ducks" in window and "Geese" in window for window in windows)


def test_a_reader_sees_its_windows_whole(item: Callable[..., Item]) -> None:
    code = "\n".join(
        f"client_{n} = make(host='10.0.0.{n}', port=80{n}, timeout=None, verify=True, trust=[])" for n in range(12)
    )
    given = item(
        "The client 7 has the port 807.", f"Ducks swim.\n\n```\n{code}\n```\n\nGeese swim as well as ducks do."
    )
    reader = Reader()
    windows = _further(given, 4)
    assert len(windows) > 1
    pairs = [(given.claim.text, window) for window in windows]
    assert all(len(reader._encode(*pair).ids) < reader.max_length for pair in pairs)


def test_a_short_line_goes_with_what_follows_it(item: Callable[..., Item]) -> None:
    given = item("Limits: parcels weigh 30 kg.", "# Limits\n\nEvery parcel may weigh up to 30 kg in all.\n")
    assert _further(given)[0] == "Limits Every parcel may weigh up to 30 kg in all."


def test_a_kindred_sentence_is_shown_alone_and_with_its_neighbours(item: Callable[..., Item]) -> None:
    lines = FILLER.split(". ")
    given = item("Ducks can swim well.", FILLER, "Nothing else is said in this place here.")
    assert _further(given, 2)[0] == f"{lines[2]}."
    assert ". ".join(lines[1:4]) + "." in _further(given, 2)
    assert ". ".join(lines[:2]) + "." in _further(given, 0)
    assert _further(given, 8)[0] == "Nothing else is said in this place here."


def test_what_is_said_elsewhere_is_shown_too(item: Callable[..., Item]) -> None:
    lifted = "The barrier is lifted at six."
    denied = "It is never lifted on a Sunday."
    given = item("The barrier is lifted on Sundays.", f"{lifted} {FILLER} {denied}", f"{lifted} {FILLER}")
    first, other = _further(given)
    assert {denied, lifted} == {text for text in (denied, lifted) if text in first + other}
    assert denied not in first or denied not in other


def test_what_overlapping_passages_both_hold_is_not_shown_again(item: Callable[..., Item]) -> None:
    passage = "Ducks can swim well. They do so in any water. It is known that they like it."
    assert _further(item("Ducks can swim well in water.", passage, passage)) == [passage]


def test_a_window_tells_its_sentences(item: Callable[..., Item]) -> None:
    given = item("Ducks can swim well.", FILLER)
    further = further_windows(given, _laid(given), 2)
    assert [(one.first, one.last) for one in further] == [(2, 3), (0, 3), (1, 4), (3, 6)]
    assert [(one.first, one.last) for one in focus_window(given, _laid(given))] == [(0, 1)]


def test_a_window_has_the_amounts_of_the_claim_as_the_claim_writes_them(item: Callable[..., Item]) -> None:
    given = item("The plan includes 2 GB of memory.", "The plan includes 2048 MB of memory and 8192 MB of disk.")
    assert _further(given) == ["The plan includes 2 GB of memory and 8192 MB of disk."]


TABLE = "Prices:\n\n| Plan | Price | Deposit |\n|---|---|---|\n| Flex | €149 | €100 |\n| Haul | €119 | €150 |\n"


def test_a_row_is_shown_under_its_headers_and_the_header_not_at_all(item: Callable[..., Item]) -> None:
    assert _focus(item("The deposit of Haul is €150.", TABLE)) == ["Plan Haul: Price €119; Deposit €150"]
    windows = _further(item("The deposit of Haul is €150.", TABLE))
    assert windows[0].endswith("Plan Haul: Price €119; Deposit €150")
    assert not any("Plan, Price" in window for window in windows)


def test_a_row_far_from_its_header_is_shown_with_it(item: Callable[..., Item]) -> None:
    evidence = Evidence(
        "plans.md", 9, "| Haul | €119 | €150 |\n\nAsk at the desk.", 1.0, header="| Plan | Price | Deposit |"
    )
    assert _focus(item("The deposit of Haul is €150.", evidence))[-1] == "Plan Haul: Price €119; Deposit €150"


def test_a_passage_of_one_sentence_is_read_once(item: Callable[..., Item]) -> None:
    given = item("Parcels weigh 30 kg.", "Every parcel may weigh up to 30 kg in all.")
    assert _focus(given) == _further(given) == ["Every parcel may weigh up to 30 kg in all."]


def test_a_reader_sees_prose_without_markup_and_addresses() -> None:
    text = (
        "See [the **guide**](https://example.org/a?b=c) or `x_y`.\n\n```python\nrun()\n```\nhttps://example.org/z end"
    )
    assert prose(text) == "See the guide or x_y. run() end"


def test_long_passages_are_cut() -> None:
    assert len(prose("word " * 5000)) <= LONGEST


def test_nothing_to_read_gives_no_window(item: Callable[..., Item]) -> None:
    given = item("Ducks swim.", "...\n\n5")
    alignment = align(read(given.claim.text), split(given.evidence, Known()))
    assert alignment is None or all(window.text for window in further_windows(given, alignment))


def test_endless_lines_and_repetition_stay_bounded(item: Callable[..., Item]) -> None:
    for text in ("y" * 60_000, "The timeout is 6 seconds. " * 2_000, "a\n" * 5_000):
        given = item("The timeout of a is 5 seconds.", text)
        windows = _further(given) + _focus(given)
        assert 1 <= len(windows) <= 3
        assert all(len(window) <= LONGEST for window in windows)
