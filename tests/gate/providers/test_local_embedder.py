import json
import shutil
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import ModelFileError
from gate.providers.local_embedder import FOLDER, LocalEmbedder, alike

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


def test_vectors_are_unit_float32_of_the_stated_dimension(embedder):
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_nothing_in_nothing_out(embedder):
    assert embedder.embed([]).shape == (0, embedder.dimension)


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


@given(st.lists(st.integers(0, 6)), st.integers(1, 5))
def test_groups_have_one_length_and_hold_every_place_once(lengths, most):
    groups = alike(lengths, most)
    assert sorted(place for group in groups for place in group) == list(range(len(lengths)))
    assert all(0 < len(group) <= most and len({lengths[place] for place in group}) == 1 for group in groups)


def test_meaning_counts_more_than_words(embedder):
    question, near, far = embedder.embed(
        [
            "How do I stop a request from hanging?",
            "Limit how long a call may take by passing a timeout.",
            "The request of the mayor was read to the hanging committee of the museum.",
        ]
    )
    assert question @ near > question @ far + 0.05


def test_hostile_texts_get_finite_unit_vectors(embedder):
    vectors = embedder.embed(HOSTILE)
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_have_windows(embedder, text):
    assert len(embedder.windows(text)) >= 1


def test_white_space_does_not_move_a_vector(embedder):
    one, other = embedder.embed(["follow the redirect", "\n  follow\tthe   redirect "])
    assert one.tobytes() == other.tobytes()


def test_marks_of_the_tokenizer_in_a_text_are_only_text(embedder):
    _, session = embedder._load()
    tokenizer, _ = embedder._load()
    assert tokenizer.encode("[SEP]").ids.count(tokenizer.token_to_id("[SEP]")) == 1


def test_a_long_text_is_cut_and_its_windows_are_not(embedder):
    text = " ".join(f"word{n}" for n in range(400))
    windows = embedder.windows(text)
    assert len(windows) > 2
    limit = token_count(embedder, windows[0])
    assert all(token_count(embedder, window) <= limit + 8 for window in windows)
    (whole,) = embedder.embed([text])
    assert whole @ embedder.embed([windows[0]])[0] > whole @ embedder.embed([windows[-1]])[0]


def test_what_stands_past_the_window_is_found_by_its_own_window(embedder):
    text = "Cats sleep most of the day. " * 60 + "Proxies are given by a mapping of URL prefixes."
    question, *vectors = embedder.embed(["How are proxies configured?", *embedder.windows(text)])
    assert int(np.argmax(np.array(vectors) @ question)) == len(vectors) - 1


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=1500))
def test_windows_hold_every_word_in_order_and_fit(text):
    embedder = SHARED
    windows = embedder.windows(text)
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


SHARED = LocalEmbedder(threads=1)


def test_words_are_not_torn_where_they_fit(embedder):
    words = [f"follow_redirects{n}=True" for n in range(120)]
    for window in embedder.windows(" ".join(words)):
        assert set(window.split()) <= set(words)


def test_many_threads_may_load_at_once():
    embedder, found = LocalEmbedder(threads=1), []
    workers = [threading.Thread(target=lambda: found.append(embedder.embed(["same"]).tobytes())) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_nothing_is_loaded_before_the_first_text(tmp_path):
    shutil.copy(FOLDER / "model.json", tmp_path)
    lazy = LocalEmbedder(tmp_path)
    assert (lazy.name, lazy.dimension) == ("local/bge-small-en-v1.5-q", 384)
    assert lazy.embed([]).shape == (0, 384)


def threads_of_warming(embedder):
    before = set(threading.enumerate())
    embedder.warm()
    return set(threading.enumerate()) - before


def test_warming_loads_beside_the_caller():
    embedder = LocalEmbedder(threads=1)
    for thread in threads_of_warming(embedder):
        assert not thread.daemon
        thread.join()
    assert embedder._loaded is not None


def test_what_goes_wrong_while_warming_is_told_by_the_first_text(tmp_path, recwarn):
    shutil.copy(FOLDER / "model.json", tmp_path)
    embedder = LocalEmbedder(tmp_path)
    for thread in threads_of_warming(embedder):
        thread.join()
    with pytest.raises(ModelFileError, match="cannot be read"):
        embedder.embed(["x"])
    assert not recwarn.list


@pytest.mark.parametrize("name", ["model.onnx", "texts.onnx", "tokenizer.json"])
@pytest.mark.parametrize("damage", ["missing", "cut", "changed"])
def test_a_missing_or_damaged_file_is_named_with_a_hint(tmp_path, name, damage):
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    target = tmp_path / name
    data = target.read_bytes()
    if damage == "missing":
        target.unlink()
    else:
        target.write_bytes(data[:1000] if damage == "cut" else data[:-1] + b"?")
    with pytest.raises(ModelFileError, match=name.replace(".", r"\.")) as caught:
        LocalEmbedder(tmp_path).embed(["x"])
    assert "build_embedder" in caught.value.hint


@pytest.mark.parametrize("name", ["model.onnx", "texts.onnx", "tokenizer.json"])
def test_a_file_that_is_no_model_is_refused_even_with_its_digest(tmp_path, name):
    import hashlib

    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / name).write_bytes(b"not a model")
    manifest = json.loads((FOLDER / "model.json").read_text())
    manifest["sha256"][name] = hashlib.sha256(b"not a model").hexdigest()
    (tmp_path / "model.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelFileError, match="cannot be loaded"):
        LocalEmbedder(tmp_path).embed(["x"])


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"name": 1', '{"surprise": 1}', "\x00"])
def test_a_bad_manifest_is_named(tmp_path, text):
    if text is not None:
        (tmp_path / "model.json").write_text(text)
    with pytest.raises(ModelFileError, match=r"model\.json"):
        LocalEmbedder(tmp_path)


def test_the_readme_beside_the_model_names_the_files_that_ship():
    digests = json.loads((FOLDER / "model.json").read_text())["sha256"]
    readme = (FOLDER / "README.md").read_text()
    assert all(digest in readme for digest in digests.values())
    assert "MIT" in (FOLDER / "LICENSE").read_text()
