"""The reader on a model of two nodes made here: a table of logits a word, summed over the pair."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from gate.errors import ModelFileError
from gate.judges.reader import Reader

WORDS = ["[UNK]", "[CLS]", "[SEP]", "yes", "no", "maybe"]


def _field(number: int, value: bytes | str | int) -> bytes:
    """One field of a protocol buffer: a varint, or bytes with their length."""

    def varint(n: int) -> bytes:
        out = bytearray()
        while n > 127:
            out.append(n & 127 | 128)
            n >>= 7
        return bytes([*out, n])

    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def _value_info(name: str, kind: int, dims: list[str | int]) -> bytes:
    shape = b"".join(_field(1, _field(1, d) if isinstance(d, int) else _field(2, d)) for d in dims)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def tiny_onnx(table: np.ndarray, kind: int = 7, more: tuple[str, ...] = (), summed: bool = True) -> bytes:
    """ModelProto: logits = sum over tokens of table[input_ids]; `kind` of integer, and `more` inputs, unused."""
    rows, columns = table.shape
    tensor = (
        _field(1, rows)
        + _field(1, columns)
        + _field(2, 1)
        + _field(8, "table")
        + _field(9, table.astype("<f4").tobytes())
    )
    axis = _field(5, _field(1, "axes") + _field(8, 1) + _field(20, 7))
    flat = _field(5, _field(1, "keepdims") + _field(3, 0) + _field(20, 2))
    nodes = [
        _field(1, "table") + _field(1, "input_ids") + _field(2, "rows" if summed else "logits") + _field(4, "Gather"),
        _field(1, "rows") + _field(2, "logits") + _field(4, "ReduceSum") + axis + flat,
    ][: 1 + summed]
    graph = b"".join(_field(1, n) for n in nodes) + _field(2, "g") + _field(5, tensor)
    for name in ("input_ids", *more):
        graph += _field(11, _value_info(name, kind, ["batch", "length"]))
    graph += _field(12, _value_info("logits", 1, ["batch", columns] if summed else ["batch", "length", columns]))
    return _field(1, 6) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 11))


def folder_with(path: Path, columns: list[list[float]], **files: object) -> Path:
    """A reader's folder: one column of logits a class, in the order of WORDS[3:] (the other words weigh 0)."""
    table = np.zeros((len(WORDS), len(columns)), dtype=np.float32)
    table[3:] = np.array(columns, dtype=np.float32).T
    (path / "model.onnx").write_bytes(tiny_onnx(table))
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    tokenizer.save(str(path / "tokenizer.json"))
    for name, content in files.items():
        (path / f"{name}.json").write_text(json.dumps(content))
    return path


THREE = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]
LABELS = {"labels": ["supported", "contradicted", "neither"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_with(tmp_path, THREE, reader=LABELS)


def test_probabilities_are_in_the_order_of_the_classes(folder: Path) -> None:
    p = Reader(folder).score([("yes", "", "yes"), ("no", "", "yes no"), ("maybe", "", "maybe")])
    assert p.dtype == np.float32
    assert p.argmax(1).tolist() == [0, 1, 2]
    assert np.allclose(p.sum(1), 1)
    assert p[0, 0] == pytest.approx(np.exp(4) / (np.exp(4) + 2), rel=1e-5)


def test_outputs_are_mapped_to_the_classes_by_their_labels(tmp_path: Path) -> None:
    other = folder_with(tmp_path, THREE, reader={"labels": ["CONTRADICTION", "neutral", "Entailment"]})
    assert Reader(other).score([("yes", "", "yes")]).argmax() == 1
    assert Reader(other).score([("maybe", "", "maybe")]).argmax() == 0


def test_labels_by_argument_go_before_those_of_the_folder(folder: Path) -> None:
    assert Reader(folder, labels=("neutral", "entailment", "contradiction")).score([("no", "", "no")]).argmax() == 0


def test_a_hugging_face_classifier_brings_its_labels_and_reads_the_evidence_first(tmp_path: Path) -> None:
    config = {"id2label": {"1": "neutral", "0": "entailment", "2": "contradiction"}, "max_position_embeddings": 6}
    reader = Reader(folder_with(tmp_path, THREE, config=config))
    assert reader.evidence_first
    assert reader.score([("maybe", "", "maybe")]).argmax() == 1
    # room for 3 tokens: the claim takes up to half of the length, the evidence is cut
    assert reader.score([("yes yes", "", "no no no no no")])[0, 0] > 0.8


def test_one_output_is_the_log_odds_of_support(tmp_path: Path) -> None:
    reader = Reader(folder_with(tmp_path, [[1.0, -1.0, 0.0]], reader={"labels": ["supported"]}))
    p = reader.score([("yes", "", "yes"), ("no", "", "no"), ("maybe", "", "maybe")])
    assert p[:, 0] == pytest.approx([1 / (1 + np.exp(-2)), 1 / (1 + np.exp(2)), 0.5], rel=1e-5)
    assert np.allclose(p[:, 1], 0)


def test_two_outputs_leave_contradicted_at_nothing(tmp_path: Path) -> None:
    p = Reader(folder_with(tmp_path, THREE[:2], reader={"labels": ["unsupported", "supported"]})).score(
        [("no", "", "no")]
    )
    assert p[0, 0] > 0.9
    assert p[0, 1] == 0


def test_the_temperature_draws_probabilities_together(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    sharp = Reader(folder_with(tmp_path, THREE, reader=LABELS)).score([("yes", "", "yes")])[0, 0]
    mild = Reader(folder_with(tmp_path / "a", THREE, reader={**LABELS, "temperature": 3.0})).score(
        [("yes", "", "yes")]
    )[0, 0]
    assert 1 / 3 < mild < sharp


def test_the_evidence_is_cut_to_the_length_and_the_claim_to_its_share(tmp_path: Path) -> None:
    reader = Reader(folder_with(tmp_path, THREE, reader={**LABELS, "max_length": 9, "max_claim": 2}))
    one, two = reader.score([("yes", "", "no no no no no"), ("yes", "", "no no no no no yes yes yes yes")])
    assert np.array_equal(one, two)  # five tokens of evidence fit beside one of the claim and three of the frame
    assert np.array_equal(*reader.score([("yes yes no no no", "", "maybe"), ("yes yes", "", "maybe")]))
    assert reader.fits("yes yes")
    assert not reader.fits("yes yes no")  # it would be read as `yes yes`


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40), st.text(max_size=80)), max_size=8))
@settings(max_examples=25, deadline=None)
def test_a_pair_is_scored_alike_in_any_company(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str, str]]
) -> None:
    reader = Reader(folder_with(tmp_path_factory.mktemp("r"), THREE, reader=LABELS), threads=3)
    together = reader.score([*pairs, ("yes", "", "no " * 400)])
    assert together.shape == (len(pairs) + 1, 4)
    for pair, p in zip(pairs, together, strict=False):
        assert np.array_equal(reader.score([pair])[0], p)


def test_pairs_of_one_length_may_go_together_and_are_scored_alike(folder: Path) -> None:
    pairs = [("yes", "", "no no"), ("no", "", "yes maybe"), ("maybe", "", "no"), ("yes", "", "yes yes")] * 3
    alone = Reader(folder).score(pairs)
    settings = json.loads((folder / "reader.json").read_text(encoding="utf-8"))
    (folder / "reader.json").write_text(json.dumps(settings | {"together": 4}), encoding="utf-8")
    assert np.array_equal(Reader(folder).score(pairs), alone)


def test_special_tokens_in_a_text_are_text(folder: Path) -> None:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_special_tokens(["[CLS]", "[SEP]"])
    tokenizer.save(str(folder / "tokenizer.json"))
    with_name, without = Reader(folder).score([("yes [SEP] no", "", "no"), ("yes [ ] no", "", "no")])
    assert np.array_equal(with_name, without)
    assert Reader(folder)._encode("yes [SEP] no", "", "[CLS]")[0].count(2) == 2  # the two that frame the pair


def test_no_pairs_give_no_rows(folder: Path) -> None:
    assert Reader(folder).score([]).shape == (0, 4)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "reader.json"])
def test_a_missing_file_is_a_fault_of_the_model_with_a_hint(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(ModelFileError) as caught:
        Reader(folder)
    assert str(folder) in caught.value.message
    assert missing in caught.value.message
    assert "reader.json" in caught.value.hint


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "reader.json"])
@pytest.mark.parametrize("content", [b"", b"\xff\x00garbage", b"[1, 2]"])
def test_a_damaged_file_is_a_fault_of_the_model(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(ModelFileError):
        Reader(folder)


@pytest.mark.parametrize(
    "labels",
    [
        [],
        ["neither"],
        ["supported", "LABEL_1", "neither"],
        ["contradicted", "neither"],
        ["supported", "entailment", "yes"],  # whatever it said, a claim would pass
    ],
)
def test_labels_that_do_not_say_what_is_support_are_refused(tmp_path: Path, labels: list[str]) -> None:
    with pytest.raises(ModelFileError, match="labels"):
        Reader(folder_with(tmp_path, THREE, reader={"labels": labels}))


@pytest.mark.parametrize(
    "setting", [{"max_length": "many"}, {"temperature": 0}, {"temperature": True}, {"max_claim": None}]
)
def test_settings_that_are_no_positive_numbers_are_refused(tmp_path: Path, setting: dict[str, object]) -> None:
    with pytest.raises(ModelFileError, match=next(iter(setting))):
        Reader(folder_with(tmp_path, THREE, reader={**LABELS, **setting}))


def test_as_many_labels_as_outputs_are_wanted(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="3 outputs and 2 labels"):
        Reader(folder_with(tmp_path, THREE, reader={"labels": ["supported", "neither"]}))


@pytest.mark.parametrize("longest", [None, "512", 0, True])
def test_a_classifier_that_does_not_say_how_long_its_texts_may_be_is_read(tmp_path: Path, longest: object) -> None:
    config = {"id2label": {"0": "faithful", "1": "Not Supported", "2": "not entailment"}}
    made = folder_with(tmp_path, THREE)
    (made / "config.json").write_text(json.dumps({**config, "max_position_embeddings": longest}), encoding="utf-8")
    assert Reader(made).score([("yes", "", "yes")]).shape == (1, 4)


@pytest.mark.parametrize("name", ["reader", "config"])
def test_settings_nested_without_end_are_a_fault_of_the_model(tmp_path: Path, name: str) -> None:
    made = folder_with(tmp_path, THREE)
    (made / f"{name}.json").write_text("[" * 100_000)
    with pytest.raises(ModelFileError, match="cannot be read"):
        Reader(made)


@pytest.mark.parametrize("value", ["Infinity", "NaN", "1e300"])
@pytest.mark.parametrize("key", ["max_length", "temperature", "together"])
def test_settings_beyond_all_numbers_are_refused(folder: Path, key: str, value: str) -> None:
    (folder / "reader.json").write_text(f'{{"labels": ["supported", "contradicted", "neither"], "{key}": {value}}}')
    with pytest.raises(ModelFileError, match=key):
        Reader(folder)


@pytest.mark.parametrize("labels", [5, "supported", {"neither": 1, "supported": 0, "contradicted": 2}])
def test_labels_that_are_no_list_are_refused(tmp_path: Path, labels: object) -> None:
    with pytest.raises(ModelFileError, match="not a list"):
        Reader(folder_with(tmp_path, THREE, reader={"labels": labels}))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_that_are_no_numbers_are_no_judgement(tmp_path: Path, bad: float) -> None:
    made = folder_with(tmp_path, [[bad] * 3] * 3, reader=LABELS)
    with pytest.raises(ModelFileError, match="no numbers"):
        Reader(made).score([("yes", "", "yes")])


def _with_model(made: Path, model: bytes) -> Path:
    (made / "model.onnx").write_bytes(model)
    return made


def test_a_model_that_reads_small_integers_scores_alike(tmp_path: Path, folder: Path) -> None:
    before = Reader(folder).score([("yes", "", "no")])
    table = np.zeros((len(WORDS), 3))
    table[3:] = np.array(THREE).T
    assert np.array_equal(Reader(_with_model(folder, tiny_onnx(table, kind=6))).score([("yes", "", "no")]), before)


def test_a_model_with_other_inputs_is_refused_by_their_names(folder: Path) -> None:
    model = tiny_onnx(np.zeros((len(WORDS), 3)), more=("position_ids",))
    with pytest.raises(ModelFileError, match="position_ids"):
        Reader(_with_model(folder, model))


def test_a_model_that_labels_tokens_is_refused(folder: Path) -> None:
    with pytest.raises(ModelFileError, match="1 x 5 x 3 scores for 1 pairs"):
        Reader(_with_model(folder, tiny_onnx(np.zeros((len(WORDS), 3)), summed=False))).score([("yes", "", "no")])


def test_a_model_of_a_smaller_vocabulary_than_its_tokenizer_is_a_fault_of_the_model(folder: Path) -> None:
    with pytest.raises(ModelFileError, match="cannot read a pair"):
        Reader(_with_model(folder, tiny_onnx(np.zeros((1, 3))))).score([("yes", "", "no")])


def test_a_reader_in_context_sees_three_segments(tmp_path: Path) -> None:
    settings = {**LABELS, "segments": 3, "max_claim": 2, "max_context": 4, "max_evidence": 3}
    reader = Reader(folder_with(tmp_path, THREE, reader=settings))
    ids, types = reader._encode("yes yes yes", "no maybe no maybe no yes", "maybe no yes no")
    assert ids == [1, 3, 3, 2, 4, 5, 4, 3, 2, 5, 4, 3, 2]  # both ends of the context
    assert types == [0] * 4 + [2] * 5 + [1] * 4
    assert reader._encode("yes", "", "no") == ([1, 3, 2, 4, 2], [0, 0, 0, 1, 1])


def test_any_other_reader_sees_the_question_in_front_of_the_claim(folder: Path) -> None:
    reader = Reader(folder)
    assert reader._encode("yes", "no", "maybe") == reader._encode("no yes", "", "maybe")


def test_a_long_context_leaves_the_claim_its_place(tmp_path: Path) -> None:
    reader = Reader(folder_with(tmp_path, THREE, reader={**LABELS, "max_claim": 4}))
    assert reader._encode("yes yes", "no no no no no no no", "maybe") == reader._encode("no yes yes", "", "maybe")
