"""What tests of several rooms share: an empty current folder, and a server that speaks the wire formats of models."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fake_models import FakeModels


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def server() -> Iterator[FakeModels]:
    fake = FakeModels()
    yield fake
    fake.close()
