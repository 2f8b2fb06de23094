"""`gate serve`: the service, on loopback unless told otherwise."""

from __future__ import annotations

import argparse
import ipaddress
import os
from pathlib import Path

from gate.errors import UsageError

DESCRIPTION = """Serve POST /evaluate {"config_path": ...} (default .llm-reliability.yaml) over the configurations of
one folder, one run at a time, and GET /health. On an address other than loopback a token is needed: set GATE_TOKEN.

example: gate serve --port 8080"""

GRACE = 30  # seconds that a run in progress gets after SIGTERM


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.description = DESCRIPTION
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, metavar="N", help="default 8080")
    parser.add_argument("--root", default=".", metavar="DIR", help="the folder whose configurations may be run")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C."""
    token = os.environ.get("GATE_TOKEN", "")
    check(options.host, options.port, Path(options.root), token)
    try:
        import uvicorn

        from gate.service import application
    except ImportError as error:
        raise UsageError(f"the service needs {error.name}", "pip install 'llm-reliability-gate[serve]'") from None
    application_ = application(Path(options.root), token)
    uvicorn.run(
        application_,
        host=options.host,
        port=options.port,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    return 0


def check(host: str, port: int, root: Path, token: str) -> None:
    """Errors: UsageError for a folder that is none, a port that is none, an open address without a token."""
    if not root.is_dir():
        raise UsageError(f"{root}: is not a folder", "name the folder that holds the configurations")
    if not 0 <= port <= 65535:
        raise UsageError(f"there is no port {port}", "choose one from 1 to 65535")
    if not token and not _loopback(host):
        raise UsageError(
            f"{host} can be reached from elsewhere, and there is no token",
            "set GATE_TOKEN to a long random word, or listen on 127.0.0.1",
        )


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
