"""What the tests of the providers share: a provider that follows a script, and the real ones of a fake server."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from gate.providers.anthropic import Anthropic
from gate.providers.base import Message, Reply, Request
from gate.providers.bedrock import Bedrock
from gate.providers.calls import Calls
from gate.providers.ollama import Ollama
from gate.providers.openai import OpenAI
from tests.support.aws import read_descriptions_once
from tests.support.fake_models import FakeModels
from tests.support.pulse import Pulse


class Scripted:
    """Gives the scripted outcomes one after the other (the last one for ever) and counts its calls."""

    name = "scripted"
    model = "script-1"
    identity = ""
    timeout = 5.0

    def __init__(self, outcomes: Sequence[Reply | BaseException | Callable[[Request], Reply]]) -> None:
        self.outcomes = list(outcomes)
        self.requests: list[Request] = []
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        with self._lock:
            outcome = self.outcomes[min(len(self.requests), len(self.outcomes) - 1)]
            self.requests.append(request)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome(request) if callable(outcome) else outcome

    def close(self) -> None:
        pass


@pytest.fixture
def scripted() -> Callable[..., Scripted]:
    return lambda *outcomes: Scripted(outcomes)


@pytest.fixture
def ask() -> Callable[..., Request]:
    return lambda text="q", **more: Request((Message("user", text),), **more)


@pytest.fixture
def calls(tmp_path: Path) -> Iterator[Calls]:
    opened = Calls(tmp_path / "calls.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def pulse(tmp_path: Path) -> Iterator[Pulse]:
    made = Pulse(tmp_path / "pulse")
    yield made
    os.close(made.reader)


@pytest.fixture
def aws(server: FakeModels, monkeypatch: pytest.MonkeyPatch) -> FakeModels:
    """The environment by which boto3 finds the fake."""
    read_descriptions_once(monkeypatch)
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIATEST")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    return server


@pytest.fixture
def remote(aws: FakeModels) -> Iterator[Callable[..., Any]]:
    """A provider of the fake server by its name."""
    opened: list[Any] = []

    def make(name: str, model: str = "m", timeout: float = 5.0) -> Any:
        if name == "bedrock":
            opened.append(Bedrock(model, timeout))
        else:
            made = {"openai": OpenAI, "ollama": Ollama, "anthropic": Anthropic}[name]
            opened.append(made(model, aws.url, key="sk-secret", timeout=timeout))
        return opened[-1]

    yield make
    for provider in opened:
        provider.close()
