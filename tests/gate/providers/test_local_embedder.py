"""The embedder that ships: the same bytes for a text in whatever company, and windows that lose no word."""

import hashlib
import json
import shutil
import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ModelFileError
from gate.providers.local_embedder import FOLDER, LocalEmbedder, content, window_ranges

TEXTS = [
    "Redirects are not followed unless the client is told to.",
    "Set `timeout=None` to wait for ever.",
    "",
    "x",
    "A much longer text about connection pools, keep-alive and limits. " * 9,
]


HOSTILE = [
    "",
    " \n\t",
    "\x00\x07\x1b[31m",
    "\ud800 lone \udfff",
    "a" * 300_000,
    "😀🏳️‍🌈",
    "[CLS] [SEP] [MASK]",
    "\u202etxt",
]


@pytest.fixture(scope="module")
def embedder():
    return LocalEmbedder(threads=2)


def token_count(embedder, text):
    tokenizer, _ = embedder._load()
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


def test_a_text_has_the_same_bytes_alone_in_any_batch_and_on_any_number_of_threads(embedder):
    together = embedder.embed(TEXTS)
    backwards = embedder.embed(TEXTS[::-1])[::-1]
    alone = np.concatenate([LocalEmbedder(threads=1).embed([text]) for text in TEXTS])
    assert together.tobytes() == backwards.tobytes() == alone.tobytes()


def test_the_graph_gives_the_bytes_that_the_published_model_gives_for_a_text_alone(embedder):
    import onnxruntime

    published = onnxruntime.InferenceSession(str(FOLDER / "model.onnx"), providers=["CPUExecutionProvider"])
    texts = [*TEXTS, *(" ".join(["pool"] * n) for n in range(1, 40)), *(f"limit {n}" for n in range(40))]
    tokenizer, _ = embedder._load()
    for text, vector in zip(texts, embedder.embed(texts), strict=True):
        ids = np.array([tokenizer.encode(" ".join(text.split())).ids], dtype=np.int64)[:, :128]
        ids[0, -1] = tokenizer.token_to_id("[SEP]")
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        first = published.run(None, feed)[0][0, 0].astype(np.float64)
        assert (first / np.linalg.norm(first)).astype(np.float32).tobytes() == vector.tobytes()


def test_hostile_texts_get_finite_unit_vectors(embedder):
    vectors = embedder.embed(HOSTILE)
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@given(text=st.text(max_size=1500))
def test_pieces_hold_every_word_in_order_and_fit(embedder, text):
    windows = embedder.pieces(text)
    assert embedder.windows(text) == [content(window) for window in windows]
    size = json.loads((FOLDER / "model.json").read_text())["window"]
    whole = " ".join(text.encode("utf-8", "replace").decode().split())
    assert windows
    position = covered = 0
    for window in windows:
        position = whole.find(window, position)
        assert position >= 0
        covered = max(covered, position + len(window))
        assert token_count(embedder, window) <= size + 2
    assert token_count(embedder, whole[covered:]) == 0
    assert token_count(embedder, whole[: whole.find(windows[0])]) == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The `timeout` is 5.0 s, not the client's.", "timeout 5 0 not client"),
        ("get_or_create(name: str = “a–b”) -> None", "create name str b None"),
        ("5 % of €9, Größe 3", "5 €9 Größe 3"),
        ("It was.", "It was."),
        ("--- | ---", "--- | ---"),
        ("", ""),
    ],
)
def test_the_content_of_a_text_is_its_words_that_say_something(text, words):
    assert content(text) == words


@pytest.mark.parametrize("text", [None, "[]", '{"name": 1', '{"surprise": 1}'])
def test_a_bad_manifest_is_named(tmp_path, text):
    if text is not None:
        (tmp_path / "model.json").write_text(text)
    with pytest.raises(ModelFileError, match=r"model\.json"):
        LocalEmbedder(tmp_path)


def test_what_goes_wrong_while_warming_is_told_by_the_first_text(tmp_path, recwarn):
    shutil.copy(FOLDER / "model.json", tmp_path)
    embedder, before = LocalEmbedder(tmp_path), set(threading.enumerate())
    embedder.warm()
    for thread in set(threading.enumerate()) - before:
        thread.join()
    with pytest.raises(ModelFileError, match="cannot be read"):
        embedder.embed(["x"])
    assert not recwarn.list


@pytest.mark.parametrize("name", ["model.onnx", "texts.onnx", "tokenizer.json"])
@pytest.mark.parametrize("damage", ["missing", "cut", "replaced"])
def test_a_missing_or_damaged_file_is_named_with_a_hint(tmp_path, name, damage):
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    target = tmp_path / name
    if damage == "missing":
        target.unlink()
    else:
        target.write_bytes(target.read_bytes()[:1000])
    if damage == "replaced":  # with its digest: the file is no model
        manifest = json.loads((tmp_path / "model.json").read_text())
        manifest["sha256"][name] = hashlib.sha256(target.read_bytes()).hexdigest()
        (tmp_path / "model.json").write_text(json.dumps(manifest))
    told = "cannot be loaded" if damage == "replaced" else name.replace(".", r"\.")
    with pytest.raises(ModelFileError, match=told) as caught:
        LocalEmbedder(tmp_path).embed(["x"])
    assert "build_embedder" in caught.value.hint


@given(
    st.integers(0, 120), st.lists(st.integers(1, 120), unique=True).map(sorted), st.integers(2, 60), st.integers(0, 30)
)
def test_window_ranges_cover_fit_and_advance(count, breaks, size, overlap):
    ranges = window_ranges(count, [b for b in breaks if b < count], size, overlap)
    assert [end for _, end in ranges] == sorted({end for _, end in ranges})
    assert all(0 < end - start <= size for start, end in ranges)
    assert all(one[1] - 2 * overlap <= two[0] <= one[1] for one, two in pairwise(ranges))
    assert (ranges[0][0], ranges[-1][1]) == (0, count) if count else not ranges
