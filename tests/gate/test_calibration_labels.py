"""Labelled claims from strangers: every row checked, every fault with its line, evidence cut as in a run."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from gate.calibration_labels import passages, read_labels, repeated
from gate.errors import InputFileError
from gate.records import Label

FILLER = " ".join(f"Paragraph {n} speaks of nothing in particular and goes on for a while." for n in range(400))


def put(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def row(**changes):
    return {"claim": "The tank holds 9 litres.", "evidence": "The tank holds 9 litres.", "label": 1, **changes}


@pytest.mark.parametrize(
    ("label", "people"),
    [
        (1, Label.SUPPORTED),
        (0, Label.UNSUPPORTED),
        (True, Label.SUPPORTED),
        (0.0, Label.UNSUPPORTED),
        ("supported", Label.SUPPORTED),
        (" Weakly_Supported", Label.WEAKLY_SUPPORTED),
        ("unsupported", Label.UNSUPPORTED),
    ],
)
def test_labels_in_every_spelling(tmp_path, label, people):
    assert read_labels(put(tmp_path / "l.jsonl", row(label=label))).rows[0].people is people


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"label": 2}, "`label` must be"),
        ({"label": None}, "`label` must be"),
        ({"label": "unjudged"}, "`label` must be"),
        ({"label": float("nan")}, "`label` must be"),
        ({"label": [1]}, "`label` must be"),
        ({"claim": " "}, "`claim` is empty"),
        ({"claim": 7}, "`claim` must be a string"),
        ({"evidence": None}, "`evidence` is missing"),
        ({"evidence": {"a": 1}}, "`evidence` must be"),
        ({"group": [1]}, "`group` must be a string"),
    ],
)
def test_a_bad_row_is_named_with_its_line(tmp_path, changes, fault):
    path = put(tmp_path / "l.jsonl", row(), row(**changes))
    with pytest.raises(InputFileError, match=rf"l\.jsonl:2: {fault}") as caught:
        read_labels(path)
    assert "a line needs `claim`, `evidence` and `label`" in caught.value.hint


def test_a_file_without_a_row_is_refused(tmp_path):
    (tmp_path / "l.jsonl").write_text("\n\n")
    with pytest.raises(InputFileError, match="no labelled claim"):
        read_labels(tmp_path / "l.jsonl")


def test_the_file_is_known_by_its_bytes_and_rows_by_their_lines_and_groups(tmp_path):
    path = put(tmp_path / "l.jsonl", row(), row(group="a"), row(group=7), row(group="a"))
    labels = read_labels(path)
    assert labels.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [r.line for r in labels.rows] == [1, 2, 3, 4]
    assert len({r.claim.id for r in labels.rows}) == len({r.claim.answer_id for r in labels.rows}) == 4
    assert [r.group for r in labels.rows] == ["line 1", "group a", "group 7", "group a"]


def test_a_row_that_stands_there_again_is_left_out_and_told(tmp_path):
    other = row(claim="The lid is red.", evidence=["The lid is red.", "It fits."])
    texts = row(evidence="Another text."), row(group="a")
    labels = read_labels(put(tmp_path / "l.jsonl", row(), other, row(label=0), other, *texts))
    assert [r.line for r in labels.rows] == [1, 2, 3, 5, 6]
    assert [r.group for r in labels.rows] == ["line 1", "line 2", "line 1", "line 5", "group a"]
    assert [r.repeats for r in labels.rows] == [0, 0, 1, 0, 1]
    again, against = repeated(labels)
    assert again == "left out, since they say what an earlier row says: 1"
    assert against == "the same claim and evidence with another label: 1 of 5 rows (lines 1 and 3)"
    assert repeated(read_labels(put(tmp_path / "m.jsonl", row(), other))) == []


def test_a_whole_page_is_read_in_the_windows_that_speak_of_the_claim():
    page = f"{FILLER} The tank of the Larkspur holds nine litres of water. {FILLER}"
    found = passages("The Larkspur tank holds nine litres.", [page], "l.jsonl", 5)
    assert "nine litres of water" in found[0].text
    assert all(len(p.text.split()) <= 100 and p.text in page and p.line == 5 for p in found)


def test_of_several_texts_the_best_comes_first():
    texts = ["The lid is red.", "", "The tank holds nine litres.", "Cats sleep."]
    found = passages("The tank holds nine litres.", texts, "l.jsonl", 1)
    assert found[0].text == texts[2]


def test_short_evidence_without_a_common_word_is_shown_and_a_long_page_is_not():
    assert [p.text for p in passages("Cats sleep.", ["Dogs bark.", ""], "l", 1)] == ["Dogs bark."]
    assert passages("Cats sleep.", [FILLER], "l", 1) == ()
    assert passages("Cats sleep.", [], "l", 1) == ()


def test_labels_from_a_pipe_are_known_by_what_came_through_it():
    out, into = os.pipe()
    data = json.dumps(row()).encode()
    os.write(into, data)
    os.close(into)
    assert read_labels(Path(f"/dev/fd/{out}")).sha256 == hashlib.sha256(data).hexdigest()
    os.close(out)
