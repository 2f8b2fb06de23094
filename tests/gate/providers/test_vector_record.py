"""The record of vectors: found by text, model, server and dimension; a full disk costs nothing but the memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate.errors import StoreError
from gate.providers.calls import Calls
from gate.providers.vector_record import VectorRecord
from gate.providers.vectors import Embedding

ROW = np.array([0.6, 0.8], np.float32)


class Server:
    name, timeout = "openai", 5.0

    def __init__(self, model: str = "m", identity: str = "http://a/v1") -> None:
        self.model, self.identity = model, identity


def made(model: str = "m", identity: str = "http://a/v1", wanted: int | None = None) -> Embedding:
    server: Any = Server(model, identity)
    return Embedding(server, wanted)


@pytest.fixture
def calls(tmp_path: Path) -> Iterator[Calls]:
    opened = Calls(tmp_path / "calls.sqlite")
    yield opened
    opened.close()


def test_a_text_is_found_again(calls: Calls) -> None:
    VectorRecord(calls, made()).keep({"a": ROW, "": ROW})
    known = VectorRecord(calls, made()).known(["b", "a", ""])
    assert list(known) == ["a", ""]
    np.testing.assert_array_equal(known["a"], ROW)


@pytest.mark.parametrize("other", [made(model="n"), made(identity="http://b/v1"), made(wanted=2)])
def test_another_model_server_or_dimension_has_its_own(calls: Calls, other: Embedding) -> None:
    VectorRecord(calls, made()).keep({"a": ROW})
    assert VectorRecord(calls, other).known(["a"]) == {}


def test_asked_anew_nothing_is_known_and_what_comes_replaces(calls: Calls) -> None:
    VectorRecord(calls, made()).keep({"a": ROW})
    fresh = VectorRecord(calls, made(), fresh=True)
    assert fresh.known(["a"]) == {}
    fresh.keep({"a": ROW[::-1]})
    np.testing.assert_array_equal(fresh.known(["a"])["a"], ROW[::-1])
    np.testing.assert_array_equal(VectorRecord(calls, made()).known(["a"])["a"], ROW[::-1])


def test_what_cannot_be_written_is_told_once_and_what_cannot_be_read_is_a_fault(calls: Calls) -> None:
    told: list[str] = []
    record = VectorRecord(calls, made(), on_fault=told.append)
    calls.close()
    record.keep({"a": ROW})
    record.keep({"b": ROW})
    assert len(told) == 1
    with pytest.raises(StoreError):
        record.known(["a"])
