"""The service: statuses, the served folder, the token, one run at a time, a real server."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from fastapi.testclient import TestClient

from gate.commands.serve import check
from gate.errors import InputFileError, SetupError, StoreError, UsageError
from gate.service import MAX_BODY, application
from tests.support.project import CONFIG, configure, put, write

VERDICT = {"decision": "deploy", "score": 0.0}


@pytest.fixture
def root(tmp_path):
    served = tmp_path / "served"
    for name in (served / CONFIG, served / "sub" / "other.yaml", tmp_path / "secret.yaml"):
        configure(name)
    write(served / "bad.yaml", "use_case: x\nmodl: {}\n")
    (served / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    return served


def client(root, work=lambda config, path: VERDICT, token=""):
    return TestClient(application(root, token, work), raise_server_exceptions=False)


@pytest.mark.parametrize("body", [None, {}, {"config_path": "sub/other.yaml"}])
def test_a_configuration_is_run(root, body):
    reply = client(root).post("/evaluate", json=body) if body is not None else client(root).post("/evaluate")
    assert (reply.status_code, reply.json()) == (200, VERDICT)


def test_all_faults_of_a_configuration_are_told(root):
    reply = client(root).post("/evaluate", json={"config_path": "bad.yaml"})
    assert reply.status_code == 400
    assert [fault["where"] for fault in reply.json()["faults"]] == ["model", "modl"]


@pytest.mark.parametrize(
    "path",
    [
        "../secret.yaml", "sub/../../secret.yaml", "/etc/passwd", "//etc/passwd", "link.yaml", "/dev/zero",
    ],
)  # fmt: skip
def test_a_path_outside_of_the_folder_is_refused(root, path):
    assert client(root).post("/evaluate", json={"config_path": path}).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "none.yaml", "sub", "a\x00b", "%2e%2e/secret.yaml", "a" * 4000,
        "..\\secret.yaml", "file:///etc/passwd", "~/x.yaml", "${HOME}/x.yaml",
    ],
)  # fmt: skip
def test_what_is_no_file_is_not_found(root, path):
    assert client(root).post("/evaluate", json={"config_path": path}).status_code == 404


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InputFileError("a.jsonl:3: bad"), 400),
        (UsageError("nothing to ask"), 400),
        (SetupError("refused", "start it"), 503),
        (StoreError("no index"), 503),
        (KeyError("a bug"), 500),
    ],
)
def test_what_ends_a_run_has_a_status_and_no_traceback(root, error, status):
    def work(config, path):
        raise error

    reply = client(root, work).post("/evaluate", json={})
    assert reply.status_code == status
    assert "Traceback" not in reply.text
    assert "a bug" not in reply.text
    assert client(root).get("/health").json()["busy"] is False


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"config_path": 3}', b'{"other": 1}', b"\xff", b'{"config_path": ""}']
)
def test_a_request_that_cannot_be_read(root, content):
    reply = client(root).post("/evaluate", content=content, headers={"Content-Type": "application/json"})
    assert reply.status_code == 400
    assert reply.json()["error"]
    assert client(root).post("/evaluate", content=b"x" * (MAX_BODY + 1)).status_code == 413


def test_a_request_that_breaks_off_runs_nothing(root):
    ran, sent = [], []
    app = application(root, "", lambda config, path: ran.append(path) or VERDICT)
    scope = {"type": "http", "method": "POST", "path": "/evaluate", "headers": [], "query_string": b"", "raw_path": b""}
    parts = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive():
        return next(parts)

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    assert (ran, sent) == ([], [])


def test_with_a_token_only_its_bearer_may_run(root):
    app = client(root, token="s3cret")
    assert app.post("/evaluate").status_code == 401
    assert app.post("/evaluate", headers={"Authorization": "Bearer s3cre"}).status_code == 401
    assert app.post("/evaluate", headers={"Authorization": "Bearer s3cret"}).status_code == 200
    assert app.get("/health").status_code == 200


def test_one_run_at_a_time(root):
    started, go_on = threading.Event(), threading.Event()

    def work(config, path):
        started.set()
        go_on.wait(20)
        return VERDICT

    app = client(root, work)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(app.post, "/evaluate")
        assert started.wait(20)
        second = app.post("/evaluate")
        busy = app.get("/health").json()["busy"]
        go_on.set()
        assert (first.result().status_code, second.status_code, busy) == (200, 409, True)
    assert "Retry-After" in second.headers
    assert app.post("/evaluate").status_code == 200


@pytest.mark.parametrize(
    ("host", "port", "token", "part"),
    [("0.0.0.0", 80, "", "no token"), ("example.org", 80, "", "no token"), ("127.0.0.1", 70000, "", "no port 70000")],
)
def test_an_open_address_needs_a_token(tmp_path, host, port, token, part):
    with pytest.raises(UsageError, match=part):
        check(host, port, tmp_path, token)
    check("localhost", 8080, tmp_path, "")
    check("0.0.0.0", 8080, tmp_path, "t")


def own_port() -> int:
    """A free port below those that the system gives to the servers of other tests."""
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def test_a_real_server_gates_and_stops_on_sigterm(root):
    write(root / "docs" / "a.md", "# Pump\n\nThe warranty lasts two years from the date of purchase.\n")
    put(root / "answers.jsonl", {"question": "q", "answer": "The warranty lasts two years."})
    gate = [sys.executable, "-m", "gate"]
    environ = {**os.environ, "PYTHONPATH": os.getcwd()}
    subprocess.run([*gate, "ingest", "docs"], cwd=root, env=environ, check=True, capture_output=True)
    port = own_port()
    server = subprocess.Popen([*gate, "serve", "--port", str(port)], cwd=root, env=environ, stderr=subprocess.PIPE)
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(200):
            try:
                httpx.get(f"{url}/health", trust_env=False)
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        reply = httpx.post(f"{url}/evaluate", timeout=60, trust_env=False)
        assert (reply.status_code, reply.json()["decision"]) == (200, "deploy")
    finally:
        server.send_signal(signal.SIGTERM)
        _, told = server.communicate(timeout=60)
    assert server.returncode in (0, -signal.SIGTERM)
    assert b"Traceback" not in told
