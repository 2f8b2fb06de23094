"""The words of servers: what they mean, and that they cannot harm the terminal or the log."""

import socket
import time
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import BadReplyError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.connect import connect
from gate.providers.faults import Server, retry_after, status_fault, status_of, transport_fault
from gate.providers.plain import excerpt
from tests.support.fake_models import FakeModels

SERVER = Server("openai", "http://h/v1", "m", "set the key", ("sk-1234",))


@pytest.mark.parametrize(
    ("status", "text", "error", "kind"),
    [
        (402, "pay", SetupError, "setup"),
        (407, "", SetupError, "setup"),
        (429, '{"error": {"code": "insufficient_quota"}}', SetupError, "setup"),
        (408, "", TransientError, "server"),
        (529, "overloaded", TransientError, "server"),
        (400, '{"error": {"code": "content_filter"}}', BadReplyError, "filtered"),
        (403, '{"error": {"code": 403, "metadata": {"flagged_input": "how"}}}', BadReplyError, "filtered"),
        (403, '{"error": {"code": "content_policy_violation"}}', BadReplyError, "filtered"),
        (403, '{"error": {"code": 403, "message": "no access"}}', SetupError, "setup"),
        (413, "too large", BadReplyError, "rejected"),
    ],
)
def test_statuses(status: int, text: str, error: type[Exception], kind: str) -> None:
    fault = status_fault(SERVER, status, text, {})
    assert (type(fault), fault.kind) == (error, kind)
    assert fault.hint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"error": {"message": "bad thing"}}', "bad thing"),
        ('{"error": "bad thing"}', "bad thing"),
        ('{"message": "bad thing", "more": 1}', "bad thing"),
        ('{"detail": "bad thing"}', "bad thing"),
        ("bad\n\x1b[31mthing\x07", "bad [31mthing"),
        ("key sk-1234 is bad", "key *** is bad"),
        ('{"error": ' * 100_000, '{"error": {"error": '),
    ],
)
def test_what_a_server_says_is_told_on_one_line(text: str, told: str) -> None:
    message = status_fault(SERVER, 500, text, {}).message
    assert message.startswith("openai: HTTP 500: " + told)
    assert len(message) < 400
    assert message.isprintable()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 99 Foo 2020"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_long_wait_that_a_server_asks_for_is_told() -> None:
    short, long = (status_fault(SERVER, 429, "full", {"retry-after": seconds}) for seconds in ("7", "86400"))
    assert short.message == "openai: HTTP 429: full"
    assert long.message == "openai: HTTP 429: full (it asks for a wait of 86400 s)"


def test_retry_after_as_a_date() -> None:
    assert 50 < (retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)}) or 0) <= 60


def test_the_cause_behind_an_error_decides() -> None:
    def wrapped(cause: Exception) -> Exception:
        try:
            try:
                raise cause
            except Exception as inner:
                raise RuntimeError("sk-1234 failed") from inner
        except RuntimeError as outer:
            return outer

    assert isinstance(transport_fault(SERVER, wrapped(ConnectionRefusedError())), SetupError)
    assert transport_fault(SERVER, wrapped(TimeoutError())).kind == "timeout"
    unsent = transport_fault(SERVER, wrapped(ValueError(r"Invalid header value b'Bearer elm\n7'")))
    assert (type(unsent), "elm" in unsent.message, unsent.hint) == (SetupError, False, "set the key")
    broken = transport_fault(SERVER, wrapped(ConnectionResetError()))
    assert (broken.kind, "***" in broken.message, "sk-1234" in broken.message) == ("connection", True, False)


@given(st.text(max_size=400), st.integers(10, 100))
def test_an_excerpt_is_short_and_printable(text: str, limit: int) -> None:
    line = excerpt(text, limit)
    assert len(line) <= limit
    assert "\n" not in line
    assert "\x1b" not in line
    line.encode("utf-8")


@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_a_server_without_tls_is_told_as_that(server: FakeModels, provider: str) -> None:
    address = server.url.replace("http://", "https://")
    with pytest.raises(SetupError, match="does not speak TLS") as caught:
        connect(provider, "m", {}, address).complete(Request((Message("user", "q"),)))
    assert "http://" in caught.value.hint


@pytest.mark.parametrize("name", ["openai", "ollama", "bedrock"])
def test_a_proxy_that_refuses_is_not_taken_for_the_server(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for variable in ("ALL_PROXY", "all_proxy", "HTTP_PROXY", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "http://model.test")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIATEST")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # it does not listen, so it refuses
        proxy = f"127.0.0.1:{closed.getsockname()[1]}"
        monkeypatch.setenv("http_proxy", f"http://elm:maple@{proxy}")
        model = connect(name, "m", {}, "http://model.test")
        with pytest.raises(SetupError, match=f"by the proxy http://.*{proxy}: the connection is refused") as caught:
            model.complete(Request((Message("user", "q"),)))
    model.close()
    assert "maple" not in caught.value.message
    assert "NO_PROXY" in caught.value.hint


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (401, 401), (429, 429), ("429", 429), ("invalid_api_key", 401), ("rate_limit_exceeded", 429),
        ("insufficient_quota", 402), ("model_not_found", 404), ("context_length_exceeded", 400),
        (None, 500), (True, 500), (0, 500), (200, 500), (1, 500), (6000, 500), ("", 500), ("200", 500), ("4x9", 500),
        ("\u0664\u0662\u0669", 500), ("9" * 5000, 500), ({}, 500), ([401], 500), (401.0, 500),
    ],
)  # fmt: skip
def test_the_status_that_the_code_of_an_error_stands_for(code: object, status: int) -> None:
    assert status_of(code) == status
