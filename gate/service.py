"""The service: `POST /evaluate` runs a configuration of the served folder, `GET /health` says that it lives."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gate import __version__
from gate.config import DEFAULT_PATH, Config, load
from gate.errors import ConfigError, Fault, GateError, UsageError
from gate.pipeline import judged
from gate.reports.document import VerdictDocument
from gate.toolbox import FOLDER, Toolbox

MAX_BODY = 64 * 1024
Work = Callable[[Config, Path], VerdictDocument]
HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 409: {"Retry-After": "5"}}
OTHERWISE = {  # what else /evaluate may answer
    400: "the configuration, or a file that it names, has faults",
    401: "no valid token",
    403: "the path is outside of the served folder",
    404: "there is no such file",
    409: "a run is in progress",
    413: "the request is too large",
    500: "an internal fault",
    503: "a part that the run needs is down",
}


class Evaluate(BaseModel):
    """What to run: the path of a configuration, below the served folder."""

    model_config = ConfigDict(extra="forbid")
    config_path: str = Field(default=DEFAULT_PATH, min_length=1, max_length=4096)


class Problem(BaseModel):
    """What went wrong, what to do, and every fault of a configuration."""

    error: str
    hint: str = ""
    faults: list[dict[str, Any]] = []


def application(root: Path, token: str = "", work: Work | None = None) -> FastAPI:
    """The ASGI application over the folder `root`. With a `token`, /evaluate needs `Authorization: Bearer TOKEN`.

    One run at a time; a second request is answered 409. `work` runs a configuration (a fake in tests).
    """
    app = FastAPI(title="LLM reliability gate", version=__version__, docs_url=None, redoc_url=None)
    busy = threading.Lock()
    folder = root.resolve()
    job = work or (lambda config, path: _judged(config, path, folder))
    app.add_middleware(Bounded)
    _tell_faults(app)
    verdict = {"description": "the verdict", "content": {"application/json": {"schema": {"type": "object"}}}}
    responses: dict[int | str, dict[str, Any]] = {
        200: verdict,
        **{status: {"model": Problem, "description": text} for status, text in OTHERWISE.items()},
    }

    @app.get("/health")
    def health() -> dict[str, Any]:
        return {"status": "ok", "version": __version__, "busy": busy.locked()}

    @app.post("/evaluate", responses=responses, openapi_extra={"security": [{"bearer": []}]} if token else {})
    async def evaluate(request: Request, body: Evaluate | None = None) -> dict[str, Any]:
        _authorise(request.headers.get("Authorization", ""), token)
        config, path = _configured(folder, (body or Evaluate()).config_path)
        if not busy.acquire(blocking=False):
            raise _refused(409, "a run is in progress", "try again when it has ended")
        try:
            return dict(await run_in_threadpool(_run, job, config, path))
        finally:
            busy.release()

    return app


def _tell_faults(app: FastAPI) -> None:
    """Every way to fail is told as a Problem, never as a traceback."""

    @app.exception_handler(Exception)
    async def crashed(request: Request, error: Exception) -> JSONResponse:
        problem = Problem(error="internal fault: no decision was made", hint="see the log of the service")
        return JSONResponse(problem.model_dump(), 500)

    @app.exception_handler(AnyHTTPException)
    async def refused(request: Request, error: AnyHTTPException) -> JSONResponse:
        problem: Any = error.detail
        found = problem if isinstance(problem, Problem) else Problem(error=str(problem))
        return JSONResponse(found.model_dump(), error.status_code, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [{"line": 0, "where": ".".join(map(str, e["loc"])), "message": str(e["msg"])} for e in error.errors()]
        hint = 'send {"config_path": "..."} as JSON'
        problem = Problem(error="the request cannot be read", hint=hint, faults=faults)
        return JSONResponse(problem.model_dump(), 400)


def _refused(status: int, error: str, hint: str = "", faults: Sequence[Fault] = ()) -> HTTPException:
    """A request that is answered with a status of its own, to be raised."""
    told = [{"line": fault.line, "where": fault.where, "message": fault.message} for fault in faults]
    return HTTPException(status, Problem(error=error, hint=hint, faults=told), HEADERS.get(status))


def _judged(config: Config, path: Path, folder: Path) -> VerdictDocument:
    """Run one configuration with the index and the record of the served folder."""
    with closing(Toolbox(config, path.parent, folder / FOLDER)) as tools:
        return judged(tools)


def _run(work: Work, config: Config, path: Path) -> VerdictDocument:
    """Errors: 400 for what the user's files are to blame for, 503 for parts that are down."""
    try:
        return work(config, path)
    except GateError as error:
        raise _refused(400 if isinstance(error, UsageError) else 503, error.message, error.hint) from error


def _configured(folder: Path, name: str) -> tuple[Config, Path]:
    """The configuration of that name. Errors: HTTPException (403 outside of the folder, 404 missing, 400 faulty)."""
    try:
        path = (folder / name).resolve()
        inside = path.is_relative_to(folder)
        there = inside and path.is_file()
    except (OSError, ValueError, RuntimeError):  # NUL, too long, a loop of links
        raise _refused(404, OTHERWISE[404]) from None
    if not inside:
        raise _refused(403, OTHERWISE[403])
    if not there:
        raise _refused(404, OTHERWISE[404])
    try:
        return load(path), path
    except ConfigError as error:
        raise _refused(400, "the configuration has faults", error.hint, error.faults) from error


def _authorise(given: str, token: str) -> None:
    if token and not hmac.compare_digest(given.encode("utf-8", "replace"), f"Bearer {token}".encode()):
        raise _refused(401, "a valid token is needed", "send Authorization: Bearer TOKEN")


class Bounded:
    """ASGI middleware: a body is read up to its bound, whatever length it was said to have, and then handed on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413 beyond the bound."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > MAX_BODY:
                problem = Problem(error=f"the request is larger than {MAX_BODY} bytes")
                await JSONResponse(problem.model_dump(), 413)(scope, receive, send)
                return
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> Message:
            return next(messages, None) or await receive()

        await self._app(scope, replay, send)
