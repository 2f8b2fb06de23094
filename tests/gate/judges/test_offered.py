"""What a model is shown of the documents: enough, in order, none twice, verbatim with its line."""

from gate.judges.offered import LONG, MOST, PIECE, offered
from gate.records import Claim, Evidence, Item


def evidence(text: str, score: float = 1.0, source: str = "m.md", line: int = 1) -> Evidence:
    return Evidence(source, line, text, score, "", tuple(range(line, line + text.count("\n") + 1)))


def item(text: str, *passages: Evidence, n: int = 0) -> Item:
    return Item(Claim(f"a:{n}", "a", "a", text, 0, 1), passages)


def texts(*items: Item) -> list[list[str]]:
    return [[sentence.text for sentence in run] for run in offered(items)]


def test_overlapping_passages_become_one_run_in_the_order_of_the_document() -> None:
    left = evidence("The pump is red. The pump hums. The pump leaks.")
    right = evidence("The pump leaks. The pump stops.")
    assert texts(item("The pump is red.", left), item("The pump stops.", right, n=1)) == [
        ["The pump is red.", "The pump hums.", "The pump leaks.", "The pump stops."]
    ]
    assert texts(item("The pump stops.", right), item("The pump is red.", left, n=1)) == [
        ["The pump is red.", "The pump hums.", "The pump leaks.", "The pump stops."]
    ]


def test_the_same_words_in_two_documents_are_two_sentences() -> None:
    both = item("The pump is red.", evidence("The pump is red."), evidence("The pump is red.", source="b.md"))
    assert [[s.source for s in run] for run in offered([both])] == [["m.md"], ["b.md"]]


def test_what_shares_no_word_with_a_claim_is_left_out_unless_it_is_tied_to_what_does() -> None:
    passage = evidence(
        "Visitors like flowers. The pump runs at 40 watts. It is quiet. However, valves differ. Schools come here. "
        "That was new. Its pump is old."
    )
    assert texts(item("The pump runs at 40 watts.", passage)) == [
        ["The pump runs at 40 watts.", "It is quiet.", "However, valves differ.", "Schools come here.", "That was new.",
         "Its pump is old."]
    ]  # fmt: skip
    apart = evidence("Visitors like flowers. The pump runs at 40 watts. Schools come here.")
    assert texts(item("The pump runs at 40 watts.", apart)) == [["The pump runs at 40 watts."]]
    assert texts(item("Unrelated nonsense.", apart)) == [
        ["Visitors like flowers.", "The pump runs at 40 watts.", "Schools come here."]
    ]


def test_weak_passages_are_left_out_and_a_document_that_carries_the_answer_goes_first() -> None:
    home, away = evidence("The pump is red.", 0.9), evidence("Another pump is red.", 1.0, "other.md")
    weak = evidence("A pump.", 0.3, "weak.md")
    first = item("The pump is red.", away, home, weak)
    rest = [item("The pump hums.", evidence("The pump hums."), n=n) for n in range(1, 4)]
    sources = {sentence.source for run in offered([first, *rest]) for sentence in run}
    assert sources == {"m.md", "other.md"}


def test_quotes_keep_their_lines_and_pages_are_narrowed() -> None:
    page = "\n".join(f"Part {n} weighs {n} grams." for n in range(500))
    run = offered([item("Part 321 weighs 321 grams.", evidence(page, line=10))])[0]
    found = next(sentence for sentence in run if "321" in sentence.text)
    assert (found.text, found.line) == ("Part 321 weighs 321 grams.", 331)
    assert sum(len(sentence.text) for sentence in run) < LONG


def test_what_has_no_sentence_end_is_offered_in_pieces_up_to_a_limit() -> None:
    run = offered([item("xy", evidence("xy " * 10_000))])[0]
    assert max(len(sentence.text) for sentence in run) <= PIECE
    assert sum(len(sentence.text) for sentence in run) <= LONG + PIECE


def test_many_claims_do_not_make_an_endless_sheet_and_each_keeps_its_best_passage() -> None:
    def passage(n: int, k: int) -> Evidence:
        text = f"Part{n} weighs {n} grams. " + f"Part{n} is {k} old. " * 20
        return evidence(text, 1 - k / 9, f"{n}.md", k * 100 + 1)

    items = [item(f"Part{n} weighs {n} grams.", *(passage(n, k) for k in range(3)), n=n) for n in range(60)]
    runs = offered(items)
    assert {run[0].source for run in runs} == {f"{n}.md" for n in range(60)}
    assert sum(len(s.text) for run in runs for s in run) < 2 * MOST


def test_nothing_found_is_nothing_offered() -> None:
    assert offered([item("The pump is red.")]) == []
    assert offered([item("The pump is red.", evidence("...  !\n\n"))]) == []
