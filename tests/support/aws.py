"""boto3 reads the descriptions of the services for each session, most of the time that a client takes: here once."""

from functools import cache

import pytest
from botocore.loaders import create_loader

_once = cache(create_loader)


def read_descriptions_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botocore.session.create_loader", _once)
