"""What tests of several rooms share: a server that speaks the wire formats of the models' servers."""

from collections.abc import Iterator

import pytest

from tests.support.fake_models import FakeModels


@pytest.fixture
def server() -> Iterator[FakeModels]:
    fake = FakeModels()
    yield fake
    fake.close()
