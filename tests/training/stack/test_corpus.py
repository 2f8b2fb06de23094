from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from training.stack import mixture
from training.stack.corpus import Search, passages, searched

TEXT = "First things first. " + "Some words stand here. " * 30 + "The last word is zebra."


def test_passages_are_verbatim_runs_of_sentences_with_their_lines() -> None:
    text = "One is here.\n\n" + TEXT
    found = passages("a.md", text)
    assert len(found) > 1
    assert all(p.text in text and len(p.text.split()) <= 90 for p in found)
    assert found[0].line == 1
    assert found[1].line == 3
    assert "zebra" in found[-1].text


@given(st.text(alphabet="ab .!\n#", max_size=400))
def test_no_sentence_is_lost(text: str) -> None:
    joined = " ".join(p.text for p in passages("a", text))
    assert {w for w in text.replace("#", " ").split() if w.isalpha()} <= set(
        joined.replace("#", " ").replace(".", " . ").replace("!", " ! ").split()
    ) | set(joined.split())


def test_search_finds_what_shares_rare_words_and_can_be_barred() -> None:
    found = passages("a.md", "Cats sleep.") + passages("b.md", "Dogs bark at cats.") + passages("c.md", "Birds sing.")
    search = Search(found)
    assert search.best("A dog barks.")[0].source == "b.md"
    assert "b.md" not in [p.source for p in search.best("A dog and cats.", barred=frozenset({1}))]
    assert search.best("Nothing of that kind, zebra.") == ()


def test_claims_of_a_file_are_searched_among_all_its_passages() -> None:
    rows = [
        {
            "id": str(i),
            "claim": claim,
            "evidence": text,
            "label4": "supported",
            "quote": "",
            "meta": {"pid": str(i), "source": "s"},
        }
        for i, (claim, text) in enumerate(
            [("Cats sleep.", "Cats sleep all day."), ("Dogs bark.", "Dogs bark at night.")]
        )
    ]
    first, second = searched("docs_x", rows)
    assert (first.group, first.label) == ("docs_x:0", "supported")
    assert second.item.evidence[0].text == "Dogs bark at night."


def test_written_answers_are_well_formed() -> None:
    lines = [line for path in mixture.ANSWERS for line in path.read_text(encoding="utf-8").splitlines()]
    cells = [line.split("\t") for line in lines]
    assert all(len(c) == 3 and c[0].split(":")[0] in mixture.WRITTEN and c[1] in "SCN" for c in cells)
    assert len({c[2] for c in cells}) == len(cells)


def test_the_manuals_are_searched_for_their_own_claims() -> None:
    found = mixture.manuals()
    assert len(mixture.MANUALS) == 4
    assert {sample.label for sample in found} == {"supported", "contradicted", "partial", "absent"}
    assert all(sample.item.evidence for sample in found)
    assert len({sample.group for sample in found}) == len(found)


def test_what_decides_a_claim_stands_in_its_manual() -> None:
    for folder in mixture.MANUALS:
        text = "\n".join(page.read_text(encoding="utf-8") for page in folder.glob("*.md"))
        for sample in mixture.manuals():
            if sample.group.startswith(f"{folder.name}:"):
                assert sample.quote in text, sample.quote
