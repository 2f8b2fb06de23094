"""Sentence vectors on the CPU from the model that ships with the gate: no key, no server, no download."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from gate.errors import ModelFileError
from gate.process import cores
from gate.providers.wire import excerpt
from gate.text import STOPWORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent.parent / "models" / "embedder"
# The graph takes its large tensors from the weights, a model by itself (scripts/embedder_graph.py).
GRAPH, WEIGHTS, VOCABULARY = "texts.onnx", "model.onnx", "tokenizer.json"
HINT = "install the package again; in a checkout, run scripts/build_embedder.py"
# What a window can hold is far less; a longer text given to `embed` is cut here before it is tokenized at all.
MAX_CHARS = 20_000
# Texts of one length go through the model together, this many at most: more are not faster.
TOGETHER = 32
_MARKS = re.compile("[!-/:-@\\[-`{-~\u2010-\u2027]+")  # of ASCII, and dashes, quotes, bullets and dots


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the builder wrote beside the model; `window` and `overlap` in tokens, without the two that frame a text;
    `pooling` says which of the model's states make the vector: the `first` or the `mean` of all."""

    name: str
    dimension: int
    pooling: str
    window: int
    overlap: int
    sha256: dict[str, str]


class LocalEmbedder:
    """bge-small-en-v1.5 in int8 (Xiao et al. 2023, C-Pack): the first token's state, scaled to length 1.

    Every text is computed alone, on one thread: int8 scales are taken over all that is computed together, so neighbours
    or padding would change a vector. Texts of one length go through the graph together, layer by layer, one after the
    other within a layer: its weights are then at hand. Threads work on different texts. So the same text gives the same
    bytes in any batch, order and number of threads. Errors: ModelFileError if the model is missing or not the one that
    was shipped.
    """

    def __init__(self, folder: Path = FOLDER, threads: int | None = None) -> None:
        self._folder = folder
        self._threads = max(1, threads or cores())
        self._manifest = _read_manifest(folder)
        self._lock = Lock()
        self._loaded: tuple[Any, Any] | None = None
        self.name = self._manifest.name
        self.dimension = self._manifest.dimension

    def warm(self) -> None:
        """Begin to load on a thread, beside whatever comes before the first text. What goes wrong is told by `embed`.
        The end of the process waits for the thread: the libraries may not be torn down under it."""

        def load() -> None:
            with suppress(ModelFileError):
                self._load()

        Thread(target=load).start()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32, rows of length 1, in the order of `texts`. A text longer than one window counts only
        up to there: see `windows`. Any string is safe: empty, control characters, lone surrogates."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        tokenizer, session = self._load()
        tokens = [self._tokens(tokenizer, text) for text in texts]
        groups = group_by_length([len(ids) for ids in tokens], TOGETHER)
        rows: list[NDArray[np.float32] | None] = [None] * len(texts)

        def work(group: list[int]) -> None:
            ids = np.array([tokens[place] for place in group], dtype=np.int64)
            for place, states in zip(group, session.run(None, {"ids": ids})[0], strict=True):
                rows[place] = self._pooled(states)

        if len(groups) == 1 or self._threads == 1:
            for group in groups:
                work(group)
        else:
            with ThreadPoolExecutor(min(self._threads, len(groups))) as pool:
                list(pool.map(work, groups))
        return np.stack([row for row in rows if row is not None])

    def windows(self, text: str) -> list[str]:
        """What the pieces of a text say, by which they are found: marks and words without content are 44 % of the
        tokens of a manual, and of the time (benchmarks/results/ingest.md); as many windows as pieces."""
        return [content(piece) for piece in self.pieces(text)]

    def pieces(self, text: str) -> list[str]:
        """The pieces of a text that each fit the model, white space made single, cut where words end and overlapping a
        little; at least one, so that every text has a vector."""
        clean = _clean(text)
        tokenizer, _ = self._load()
        encoding = tokenizer.encode(clean, add_special_tokens=False)
        starts = [start for start, _ in encoding.offsets]
        breaks = [n for n in range(1, len(starts)) if clean[starts[n] - 1] == " "]
        cuts = window_ranges(len(starts), breaks, self._manifest.window, self._manifest.overlap)
        return [clean[starts[a] : starts[b] if b < len(starts) else len(clean)].rstrip() for a, b in cuts] or [clean]

    def _tokens(self, tokenizer: Any, text: str) -> list[int]:
        ids: list[int] = tokenizer.encode(_clean(text[:MAX_CHARS])).ids
        if len(ids) > self._manifest.window + 2:  # cut by hand: the tokenizer stays without state that threads share
            ids = [*ids[: self._manifest.window + 1], ids[-1]]
        return ids

    def _pooled(self, states: NDArray[np.float32]) -> NDArray[np.float32]:
        wide = np.asarray(states, dtype=np.float64)
        pooled = wide[0] if self._manifest.pooling == "first" else wide.mean(axis=0)
        return np.asarray(pooled / max(float(np.linalg.norm(pooled)), 1e-12), dtype=np.float32)

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _open(self._folder, self._manifest)
            return self._loaded


def content(text: str) -> str:
    """The words of a text without its marks and stop words; the text itself where there are no others."""
    return " ".join(word for word in _MARKS.sub(" ", text).split() if word.lower() not in STOPWORDS) or text


def group_by_length(lengths: Sequence[int], most: int) -> list[list[int]]:
    """The places of equal lengths together, at most `most` in a group; the largest first, so that no thread is left
    with it at the end."""
    by_length: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        by_length.setdefault(length, []).append(place)
    groups = [places[at : at + most] for places in by_length.values() for at in range(0, len(places), most)]
    return sorted(groups, key=lambda group: -len(group) * lengths[group[0]])


def window_ranges(count: int, breaks: Sequence[int], size: int, overlap: int) -> list[tuple[int, int]]:
    """Ranges [start, end) of at most `size` that cover 0..count. Each begins `overlap` to twice that before the end of
    the last, or at that end. They begin and end at `breaks` (ascending) where there is one; a run without is torn."""
    ranges: list[tuple[int, int]] = []
    start = end = 0
    while end < count:
        full = start + size  # always past the last end: the start has moved by one at least
        end = count if full >= count else _last_break(breaks, end + 1, full, full)
        ranges.append((start, end))
        start = _last_break(breaks, max(start + 1, end - 2 * overlap), end - overlap, end)
    return ranges


def _last_break(breaks: Sequence[int], low: int, high: int, default: int) -> int:
    """The last break in [low, high], else `default`."""
    position = bisect_right(breaks, high) - 1
    return breaks[position] if position >= 0 and breaks[position] >= low else default


def _clean(text: str) -> str:
    """Lone surrogates, which no tokenizer takes, become `?`; white space, which none looks at, becomes single."""
    return " ".join(text.encode("utf-8", "replace").decode().split())


def _read_manifest(folder: Path) -> Manifest:
    path = folder / "model.json"
    try:
        return Manifest(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelFileError(f"{path}: the embedder's manifest cannot be read: {excerpt(str(error))}", HINT) from error


def _check(folder: Path, name: str, manifest: Manifest) -> None:
    """One file of the model: half a download or a pointer file is named as such, not fed to a parser."""
    path = folder / name
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelFileError(f"{path}: the embedder's file cannot be read: {error.strerror}", HINT) from error
    if digest != manifest.sha256.get(name):
        size = path.stat().st_size
        raise ModelFileError(f"{path}: not the file that was shipped ({size:,} bytes, SHA-256 differs)", HINT)


def _open(folder: Path, manifest: Manifest) -> tuple[Any, Any]:
    """The tokenizer and the session. Both may be used from several threads at once."""
    for name in (GRAPH, WEIGHTS, VOCABULARY):
        _check(folder, name, manifest)
    import onnxruntime
    from tokenizers import Tokenizer

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The graph is written as it is to be run.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        tokenizer = Tokenizer.from_file(str(folder / VOCABULARY))
        session = onnxruntime.InferenceSession(str(folder / GRAPH), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise their own kinds, the base class among them
        raise ModelFileError(f"{folder}: the embedder cannot be loaded: {excerpt(str(error))}", HINT) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True  # "[SEP]" in a document is text, not a mark
    return tokenizer, session
