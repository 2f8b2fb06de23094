"""The reader: a cross-encoder in ONNX that says how far a piece of evidence supports or contradicts a claim."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gate.errors import ModelFileError
from gate.providers.local_embedder import alike

CLASSES = ("supported", "contradicted", "neither")
SHIPPED = Path(__file__).parents[1] / "models" / "reader"
_MEANING = {
    "supported": 0, "support": 0, "supports": 0, "entailment": 0, "entail": 0, "entailed": 0, "consistent": 0, "yes": 0,
    "faithful": 0, "factual": 0, "grounded": 0,
    "contradicted": 1, "contradiction": 1, "refutes": 1, "refuted": 1,
    "neither": 2, "neutral": 2, "unsupported": 2, "not_supported": 2, "not_entailment": 2, "hallucinated": 2, "no": 2,
    "unfaithful": 2, "nonfactual": 2, "ungrounded": 2, "not_grounded": 2,
    "inconsistent": 2, "not_enough_info": 2,
}  # fmt: skip
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_MOST = 1_000_000  # of any setting
_NO_NUMBERS = "weights in half precision often overflow: export the model in float32"
_HINT = "a reader is a folder with model.onnx, tokenizer.json and reader.json (or a config.json with id2label)"


class Reader:
    """Scores (claim, evidence) pairs with the model in a folder; any sequence classifier in ONNX will do.

    `reader.json` may hold `labels` (the class of each output, in order), `max_length`, `max_claim` (tokens),
    `temperature`, `evidence_first` and `together`; without it, the labels come from `id2label` of a Hugging Face
    `config.json` (evidence first, as in NLI). `labels` by argument goes before both. A pair's probabilities never
    depend on the other pairs: each is run alone, unpadded, on one thread; `threads` run side by side. A graph that
    computes each row by itself, as the shipped one does, may say how many pairs of one length to hand it `together`.
    Errors: ModelFileError where a file is missing, damaged, or its labels say nothing about support; from `score` where
    the model cannot read a pair, or answers with what are no scores.
    """

    def __init__(self, folder: Path = SHIPPED, threads: int = 2, labels: Sequence[str] | None = None) -> None:
        settings = _settings(folder)
        self.max_length = int(_number(folder, settings, "max_length", 256))
        self.max_claim = int(_number(folder, settings, "max_claim", self.max_length // 2))
        self.temperature = _number(folder, settings, "temperature", 1.0)
        self.together = int(_number(folder, settings, "together", 1))
        self.evidence_first = bool(settings.get("evidence_first", False))
        self.threads = max(1, threads)
        self.folder, self.places = folder, _places(folder, labels or settings.get("labels") or ())
        self.session, self.tokenizer = _open(folder)
        width = self.session.get_outputs()[0].shape[-1]
        if isinstance(width, int) and max(2, width) != len(self.places):
            raise ModelFileError(f"the reader in {folder} has {width} outputs and {len(self.places)} labels", _HINT)
        self.inputs = _inputs(folder, self.session)
        self.frame = self.tokenizer.encode("", "").ids

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Probabilities (n, 3) float32 of supported, contradicted and neither, for (claim, evidence) pairs."""
        out = np.zeros((len(pairs), len(CLASSES)), dtype=np.float32)
        coded = [self._encode(claim, evidence) for claim, evidence in pairs]
        groups = alike([len(encoding.ids) for encoding in coded], self.together)
        groups.sort(key=lambda group: -len(group) * len(coded[group[0]].ids))  # the longest work first: no thread waits
        with ThreadPoolExecutor(self.threads) as pool:
            for group, rows in zip(groups, pool.map(lambda g: self._run([coded[i] for i in g]), groups), strict=True):
                for i, logits in zip(group, rows, strict=True):
                    for place, p in zip(self.places, self._probabilities(logits), strict=True):
                        out[i, place] += p
        return out

    def fits(self, claim: str) -> bool:
        """Whether a claim is seen whole: a longer one is cut."""
        return len(self.tokenizer.encode(claim, add_special_tokens=False)) <= self.max_claim

    def _encode(self, claim: str, evidence: str) -> Any:
        """The pair as tokens; a long claim is cut to `max_claim`, the evidence to what is left."""
        claim_tokens = self.tokenizer.encode(claim, add_special_tokens=False)
        claim_tokens.truncate(self.max_claim)
        evidence_tokens = self.tokenizer.encode(evidence, add_special_tokens=False)
        evidence_tokens.truncate(max(1, self.max_length - len(claim_tokens.ids) - len(self.frame)))
        pair = (evidence_tokens, claim_tokens) if self.evidence_first else (claim_tokens, evidence_tokens)
        return self.tokenizer.post_process(*pair)

    def _run(self, group: Sequence[Any]) -> NDArray[np.float32]:
        """Logits (n, outputs) of pairs of one length."""
        columns = {
            "input_ids": [encoding.ids for encoding in group],
            "attention_mask": [encoding.attention_mask for encoding in group],
            "token_type_ids": [encoding.type_ids for encoding in group],
        }
        feed = {name: np.array(columns[name], dtype=kind) for name, kind in self.inputs.items()}
        try:
            logits: NDArray[np.float32] = self.session.run(None, feed)[0]
        except Exception as error:  # onnxruntime raises bare types: a fixed length, a smaller vocabulary
            raise ModelFileError(f"the reader in {self.folder} cannot read a pair: {error}", _HINT) from error
        width = 1 if logits.ndim == 1 else logits.shape[-1]
        if logits.ndim > 2 or len(logits) != len(group) or max(2, width) != len(self.places):
            told = " x ".join(map(str, logits.shape))
            raise ModelFileError(f"the reader in {self.folder} gives {told} scores for {len(group)} pairs", _HINT)
        logits = logits.reshape(len(group), width)
        if not np.isfinite(logits.max(axis=1)).all():  # a label made from these would have judged nothing
            raise ModelFileError(f"the reader in {self.folder} gives scores that are no numbers", _NO_NUMBERS)
        return logits

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        scaled = logits.astype(np.float64) / self.temperature
        if scaled.size == 1:  # one output: the log odds of support
            scaled = np.array([scaled[0], 0.0])
        powers = np.exp(scaled - scaled.max())
        return np.asarray(powers / powers.sum())


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

    for name in ("model.onnx", "tokenizer.json"):
        if not (folder / name).is_file():
            raise ModelFileError(f"the reader in {folder} has no {name}", _HINT)
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
