"""`gate serve`: the service, on loopback unless told otherwise."""

from __future__ import annotations

import ipaddress
import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from gate.commands.options import Debug, whole
from gate.errors import UsageError, install_hint

GRACE = 30  # seconds that a run in progress gets after SIGTERM


def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="where to listen")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", parser=whole, metavar="N", help="the port to listen on")] = 8080,
    root: Annotated[
        str, typer.Option("--root", metavar="DIR", help="the folder whose configurations may be run")
    ] = ".",
    debug: Debug = False,
) -> int:
    """Serve POST /evaluate {"config_path": ...} (default .llm-reliability.yaml) over the configurations of
    one folder, one run at a time, and GET /health. On an address other than loopback a token is needed: set GATE_TOKEN.

    example: gate serve --port 8080
    """
    token = os.environ.get("GATE_TOKEN", "")
    check(host, port, Path(root), token)
    try:
        import uvicorn

        from gate.service import application
    except ImportError as error:
        raise UsageError(f"the service needs {error.name}", install_hint("serve")) from None
    uvicorn.run(
        application(Path(root), token),
        host=host,
        port=port,
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
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
