"""The reader: a cross-encoder in ONNX that says how far a window of evidence supports or contradicts a claim in its
context, or that the claim states nothing."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gate.errors import ModelFileError
from gate.providers.local_embedder import group_by_length
from gate.providers.pool import Counting

CLASSES = ("supported", "contradicted", "neither", "no_claim")
CASE = "case"  # an output of a reader with `cases`: the log odds that the question asks what a rule means for a case
COLUMNS = len(CLASSES) + 1
Triple = tuple[str, str, str]  # claim, context, evidence, as gate.judges.windows shows them
SHIPPED = Path(__file__).parents[1] / "models" / "reader"
_MEANING = {
    "supported": 0, "support": 0, "supports": 0, "entailment": 0, "entail": 0, "entailed": 0, "consistent": 0, "yes": 0,
    "faithful": 0, "factual": 0, "grounded": 0,
    "contradicted": 1, "contradiction": 1, "refutes": 1, "refuted": 1,
    "neither": 2, "neutral": 2, "unsupported": 2, "not_supported": 2, "not_entailment": 2, "hallucinated": 2, "no": 2,
    "unfaithful": 2, "nonfactual": 2, "ungrounded": 2, "not_grounded": 2,
    "inconsistent": 2, "not_enough_info": 2,
    "no_claim": 3,
}  # fmt: skip
PORTION = 64  # windows that a reader is given at once where it is counted: some seconds of work
_Coded = tuple[list[int], list[int]]
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_MOST = 1_000_000  # of any setting
_SAMPLE = 1 << 20  # bytes from either end of a model's file tell it from another
_NO_NUMBERS = "weights in half precision often overflow: export the model in float32"
_HINT = "a reader is a folder with model.onnx, tokenizer.json and reader.json (or a config.json with id2label)"


class Scorer(Protocol):
    """A reader: (claim, context, evidence) in, probabilities (n, 5) of supported, contradicted, neither, no claim, and
    apart from these four, of a question that asks what a rule means for a case (0 from a reader that does not tell)."""

    def score(self, items: Sequence[Triple]) -> NDArray[np.float32]:
        """An item's row does not depend on the other items. Errors: ModelFileError."""
        ...

    def fits(self, claim: str) -> bool:
        """Whether a claim is seen whole: a longer one is cut. Errors: ModelFileError."""
        ...


class Reader:
    """Scores (claim, context, evidence) with the model in a folder; any sequence classifier in ONNX will do.

    `reader.json` may hold `labels` (the class of each output, in order), `max_length`, `max_claim`, `max_context`,
    `max_evidence` (tokens), `temperature`, `evidence_first`, `segments`, `together` and `cases` (another output, CASE,
    is to be read); without it, the labels come from `id2label` of a Hugging Face `config.json` (evidence first, as in
    NLI). `labels` by argument goes before both.
    A reader with `segments: 3` sees `<s> claim </s> context </s> evidence </s>` with segment ids 0, 2 and 1; any other
    one sees the question in front of the claim. Probabilities never depend on the other items: each is computed by
    itself, on one thread; `threads` run side by side. A graph that computes each row by itself, as the shipped one
    does, may say how many items of one length to hand it `together`.
    Errors: ModelFileError, from `score` too.
    """

    def __init__(self, folder: Path = SHIPPED, threads: int = 2, labels: Sequence[str] | None = None) -> None:
        settings = _settings(folder)
        self.max_length = int(_number(folder, settings, "max_length", 256))
        self.max_claim = int(_number(folder, settings, "max_claim", self.max_length // 2))
        self.max_context = int(_number(folder, settings, "max_context", self.max_length // 4))
        self.max_evidence = int(_number(folder, settings, "max_evidence", self.max_length))
        self.temperature = _number(folder, settings, "temperature", 1.0)
        self.together = int(_number(folder, settings, "together", 1))
        self.evidence_first = bool(settings.get("evidence_first", False))
        self.in_context = settings.get("segments", 2) == 3
        self.threads = max(1, threads)
        self.folder, self.name = folder, name_of(folder, labels)
        self.places = _places(folder, labels or settings.get("labels") or ())
        self.session, self.tokenizer = _open(folder)
        width = self.session.get_outputs()[0].shape[-1]
        if isinstance(width, int) and max(2, width) != len(self.places):
            raise ModelFileError(f"the reader in {folder} has {width} outputs and {len(self.places)} labels", _HINT)
        self.inputs = _inputs(folder, self.session)
        outputs = [one.name for one in self.session.get_outputs()]
        self.case = outputs.index(CASE) if settings.get("cases") is True and CASE in outputs[1:] else None
        self.frame = self.tokenizer.encode("", "").ids

    def score(self, items: Sequence[Triple]) -> NDArray[np.float32]:
        """Probabilities (n, 5) float32 as Scorer says, for (claim, context, evidence)."""
        out = np.zeros((len(items), COLUMNS), dtype=np.float32)
        coded = [self._encode(*item) for item in items]
        groups = group_by_length([len(ids) for ids, _ in coded], self.together)
        groups.sort(key=lambda group: -len(group) * len(coded[group[0]][0]))  # the longest first: no thread waits
        with ThreadPoolExecutor(self.threads) as pool:
            for group, rows in zip(groups, pool.map(lambda g: self._run([coded[i] for i in g]), groups), strict=True):
                for i, logits, case in zip(group, *rows, strict=True):
                    for place, p in zip(self.places, self._probabilities(logits), strict=True):
                        out[i, place] += p
                    out[i, -1] = 1 / (1 + np.exp(-case))
        return out

    def fits(self, claim: str) -> bool:
        """Whether a claim is seen whole: a longer one is cut."""
        return len(self._ids(claim)) <= self.max_claim

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def _encode(self, claim: str, context: str, evidence: str) -> _Coded:
        """Token ids and segment ids; a long claim is cut at its end, a long context in its middle."""
        if not self.in_context:
            return self._pair(claim, context, evidence)
        said, about = self._ids(claim)[: self.max_claim], self._ids(context)
        if len(about) > self.max_context:  # both ends stay: the question stands first, the unit before the claim last
            half = self.max_context // 2
            about = [*about[:half], *about[half - self.max_context :]]
        start, end = self.frame[0], self.frame[1]
        head = [start, *said, end]
        middle = [*about, end] if about else []
        room = self.max_length - len(head) - len(middle) - 1
        tail = [*self._ids(evidence)[: max(1, min(self.max_evidence, room))], end]
        return [*head, *middle, *tail], [0] * len(head) + [2] * len(middle) + [1] * len(tail)

    def _pair(self, claim: str, context: str, evidence: str) -> _Coded:
        """The claim behind as much of its context, the question first, as is seen together with all of it."""
        words = context.split(" ") if context else []
        while words and not self.fits(" ".join((*words, claim))):
            words = words[: len(words) // 2]
        said = self.tokenizer.encode(" ".join((*words, claim)), add_special_tokens=False)
        said.truncate(self.max_claim)
        shown = self.tokenizer.encode(evidence, add_special_tokens=False)
        shown.truncate(max(1, self.max_length - len(said.ids) - len(self.frame)))
        made = self.tokenizer.post_process(*((shown, said) if self.evidence_first else (said, shown)))
        return made.ids, made.type_ids

    def _run(self, group: Sequence[_Coded]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Logits (n, outputs) of items of one length, and the log odds (n,) of a case."""
        columns = {
            "input_ids": [ids for ids, _ in group],
            "attention_mask": [[1] * len(ids) for ids, _ in group],
            "token_type_ids": [types for _, types in group],
        }
        feed = {name: np.array(columns[name], dtype=kind) for name, kind in self.inputs.items()}
        try:
            made = self.session.run(None, feed)
        except Exception as error:  # onnxruntime raises bare types: a fixed length, a smaller vocabulary
            raise ModelFileError(f"the reader in {self.folder} cannot read a pair: {error}", _HINT) from error
        logits: NDArray[np.float32] = made[0]
        width = 1 if logits.ndim == 1 else logits.shape[-1]
        if logits.ndim > 2 or len(logits) != len(group) or max(2, width) != len(self.places):
            shape = " x ".join(map(str, logits.shape))
            raise ModelFileError(f"the reader in {self.folder} gives {shape} scores for {len(group)} pairs", _HINT)
        logits = logits.reshape(len(group), width)
        if not np.isfinite(logits.max(axis=1)).all():  # a label made from these would have judged nothing
            raise ModelFileError(f"the reader in {self.folder} gives scores that are no numbers", _NO_NUMBERS)
        if self.case is None:
            return logits, np.full(len(group), -np.inf)
        cases = np.asarray(made[self.case], dtype=np.float64).reshape(-1)
        if cases.shape != (len(group),) or not np.isfinite(cases).all():
            raise ModelFileError(f"the output `{CASE}` of the reader in {self.folder} is not one number a pair", _HINT)
        return logits, np.clip(cases, -50, 50)

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        scaled = logits.astype(np.float64) / self.temperature
        if scaled.size == 1:  # one output: the log odds of support
            scaled = np.array([scaled[0], 0.0])
        powers = np.exp(scaled - scaled.max())
        return np.asarray(powers / powers.sum())


class CountedReader:
    """A reader that is opened when something is to be read, and whose windows are counted as they are read."""

    def __init__(self, opened: Callable[[], Scorer], counting: Counting) -> None:
        self._opened, self._counting = opened, counting

    def fits(self, claim: str) -> bool:
        """As Scorer."""
        return self._opened().fits(claim)

    def score(self, items: Sequence[Triple]) -> NDArray[np.float32]:
        """As Scorer. Items of like length are read together, as the reader itself would put them; the same item is
        read once."""
        distinct = list(dict.fromkeys(items))
        order = sorted(range(len(distinct)), key=lambda n: -sum(map(len, distinct[n])))
        found = np.zeros((len(distinct), COLUMNS), dtype=np.float32)
        with self._counting(len(distinct), "passages read") as done:
            for start in range(0, len(order), PORTION):
                part = order[start : start + PORTION]
                found[part] = self._opened().score([distinct[n] for n in part])
                for _ in part:
                    done()
        places = {item: n for n, item in enumerate(distinct)}
        return found[[places[item] for item in items]]


def shipped_reader() -> Reader:
    """The reader that ships with the gate: it is opened once a process, whoever asks first. Errors: ModelFileError."""
    with _OPENING:
        return _shipped()


_OPENING = Lock()
_shipped = cache(Reader)


def name_of(folder: Path, labels: Sequence[str] | None = None) -> str:
    """`reader-FOLDER-HASH`, without the folder for the shipped one: another model, tokenizer or mapping has another
    name. Errors: ModelFileError."""
    digest = hashlib.sha256(repr(labels).encode())
    if not (folder / "model.onnx").is_file():
        raise ModelFileError(f"the reader in {folder} has no model.onnx", _HINT)
    try:
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.suffix in (".onnx", ".json", ".data", ".onnx_data"):
                digest.update(f"{path.name} {path.stat().st_size}".encode("utf-8", "replace"))
                with path.open("rb") as file:
                    digest.update(file.read(_SAMPLE))
                    file.seek(max(0, path.stat().st_size - _SAMPLE))
                    digest.update(file.read(_SAMPLE))
    except OSError as error:
        raise ModelFileError(f"no reader in {folder}: {error.strerror}", _HINT) from error
    name = "reader" if folder == SHIPPED else f"reader-{folder.name}"
    return f"{name}-{digest.hexdigest()[:8]}"


def _inputs(folder: Path, session: Any) -> dict[str, type[object]]:
    """The model's inputs, each with its kind of integer."""
    asked = {one.name: _INTEGERS.get(one.type) for one in session.get_inputs()}
    known = {name: kind for name, kind in asked.items() if name in _INPUTS and kind is not None}
    if strange := sorted(asked.keys() - known.keys()):
        raise ModelFileError(
            f"the reader in {folder} asks for what a pair of texts has not: {', '.join(strange)}",
            f"export it as a sequence classifier, with no inputs but {', '.join(_INPUTS)}",
        )
    return known


def _settings(folder: Path) -> dict[str, Any]:
    """What reader.json says, or what can be read from a classifier's config.json."""
    for name in ("reader.json", "config.json"):
        path = folder / name
        if not path.is_file():
            continue
        try:
            found = json.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError, RecursionError) as error:
            raise ModelFileError(f"{path} cannot be read: {error}", _HINT) from error
        if not isinstance(found, dict):
            raise ModelFileError(f"{path} is not a JSON object", _HINT)
        return found if name == "reader.json" else _from_config(found)
    raise ModelFileError(f"no reader in {folder}: neither reader.json nor config.json is there", _HINT)


def _number(folder: Path, settings: Mapping[str, Any], key: str, default: float) -> float:
    value = settings.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= _MOST:  # NaN neither
        raise ModelFileError(f"{key} of the reader in {folder} is not a number above 0: {str(value)[:40]}", _HINT)
    return float(value)


def _from_config(config: Mapping[str, Any]) -> dict[str, Any]:
    names = config.get("id2label")
    names = {int(k): v for k, v in names.items() if str(k).isdigit()} if isinstance(names, dict) else {}
    places = config.get("max_position_embeddings")
    longest = min(512, places) if type(places) is int and places > 0 else 512
    return {"labels": [names[k] for k in sorted(names)], "evidence_first": True, "max_length": longest}


def _places(folder: Path, labels: Any) -> list[int]:
    """For each output of the model (two for a single log odds) the column of CLASSES that it counts towards."""
    if not isinstance(labels, list | tuple):  # the order of a mapping's keys would say nothing
        raise ModelFileError(
            f"`labels` of {folder}/reader.json is not a list: {str(labels)[:80]}",
            "name the class of each output, in order",
        )
    places = [_MEANING.get(re.sub(r"[\s-]+", "_", str(label).strip().lower()), -1) for label in labels]
    if len(places) == 1 and places == [0]:
        places = [0, 2]
    if -1 in places or not {0} < set(places):  # which only ever supports is no judge
        raise ModelFileError(
            f"the labels of the reader in {folder} are not understood: {list(labels)}",
            "say in `judge.labels` which output is what, for instance {supported: 0, contradicted: 1, neither: 2}",
        )
    return places


def _open(folder: Path) -> tuple[Any, Any]:
    """The session, single-threaded, and the tokenizer without padding or truncation."""
    import onnxruntime
    from tokenizers import Tokenizer

    if not (folder / "tokenizer.json").is_file():
        raise ModelFileError(f"the reader in {folder} has no tokenizer.json", _HINT)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # both libraries raise their own bare types
        raise ModelFileError(f"the reader in {folder} cannot be opened: {error}", _HINT) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True  # a "</s>" in a text is text, not the end of a segment
    return session, tokenizer
