from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from gate.errors import ModelFileError
from gate.judges.stack import Line, load_stack


def test_a_line_is_a_logistic_regression() -> None:
    line = Line(-1.0, {"a": 2.0, "b": -3.0})
    assert line.probability({"a": 0.5}) == 0.5
    assert line.probability({"a": 2.0}) > 0.9 > 0.1 > line.probability({"b": 1.0, "unknown": 9.0})


def test_a_line_never_overflows() -> None:
    assert 0 < Line(-1e9, {}).probability({}) < 1e-12
    assert Line(1e9, {}).probability({}) < 1.0 + 1e-12


def test_the_shipped_stack_has_a_band_between_its_thresholds() -> None:
    stack = load_stack()
    assert "plain" in stack.variants
    for variant in stack.variants.values():
        assert 0 < variant.low < variant.high < 1
    assert (Path(__file__).parents[3] / "gate/models/stack.json").stat().st_size < 10_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": "1", "embedder": "x", "variants": {}}',
        '{"variants": {"plain": {"high": "x"}}}',
        "\x00",
    ],
)
def test_a_damaged_stack_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "stack.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelFileError, match=r"stack\.json"):
        load_stack(path)


def test_a_missing_stack_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="cannot be read"):
        load_stack(tmp_path / "none.json")


def test_a_stack_of_ones_own_is_read(tmp_path: Path) -> None:
    line = {"bias": 0.5, "weights": {"cover_all": 2}}
    path = tmp_path / "own.json"
    plain = {"high": 0.8, "low": 0.2, "supported": line, "contradicted": line}
    path.write_text(json.dumps({"version": 7, "embedder": "e", "variants": {"plain": plain}}), encoding="utf-8")
    stack = load_stack(path)
    assert (stack.version, stack.embedder, stack.variants["plain"].high) == ("7", "e", 0.8)


def test_what_is_settled_lies_outside_the_band() -> None:
    stack = load_stack()
    for variant in stack.variants.values():
        assert variant.sure_low <= variant.low < variant.high <= variant.sure_high
        assert variant.settles(variant.sure_high)
        assert variant.settles(variant.sure_low)
        assert not variant.settles((variant.low + variant.high) / 2)


def test_other_weights_or_another_reader_make_another_judge() -> None:
    """What a calibration is bound to: the version is a digest of all that was fitted, and of the reader."""
    models = Path(__file__).parents[3] / "gate/models"
    given = json.loads((models / "stack.json").read_text(encoding="utf-8"))
    version = given.pop("version")
    assert version == f"6-{hashlib.sha256(json.dumps(given).encode()).hexdigest()[:8]}"
    assert given["reader"] == json.loads((models / "reader/reader.json").read_text(encoding="utf-8"))["sha256"]
