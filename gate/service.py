"""The service: `POST /evaluate` runs a configuration of the served folder, `GET /health` says that it lives."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gate import __version__
from gate.config import DEFAULT_PATH, Config, load
from gate.errors import ConfigError, GateError, InputFileError, UsageError
from gate.job import Job
from gate.reports.document import VerdictDocument
from gate.toolbox import FOLDER, Toolbox

MAX_BODY = 64 * 1024
Work = Callable[[Config, Path], VerdictDocument]
Reply = dict[int | str, dict[str, Any]]


class Evaluate(BaseModel):
    """What to run: the path of a configuration, below the served folder."""

    model_config = ConfigDict(extra="forbid")
    config_path: str = Field(default=DEFAULT_PATH, min_length=1, max_length=4096)


class Problem(BaseModel):
    """What went wrong, what to do, and every fault of a configuration."""

    error: str
    hint: str = ""
    faults: list[dict[str, Any]] = []


class Refused(Exception):
    """A request that is answered with a status of its own."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(problem.error)
        self.status = status
        self.problem = problem


def application(root: Path, token: str = "", work: Work | None = None) -> FastAPI:
    """The ASGI application over the folder `root`. With a `token`, /evaluate needs `Authorization: Bearer TOKEN`.

    One run at a time; a second request is answered 409. `work` runs a configuration (a fake in tests).
    """
    app = FastAPI(title="LLM reliability gate", version=__version__, docs_url=None, redoc_url=None)
    busy = threading.Lock()
    folder = root.resolve()
    job = work or (lambda config, path: judged(config, path, folder))

    app.add_middleware(Bounded)

    _tell_faults(app)

    @app.get("/health")
    def health() -> dict[str, Any]:
        return {"status": "ok", "version": __version__, "busy": busy.locked()}

    @app.post("/evaluate", responses=_responses(), openapi_extra=_secured(token))
    async def evaluate(request: Request, body: Evaluate | None = None) -> dict[str, Any]:
        _authorise(request.headers.get("Authorization", ""), token)
        config, path = _configured(folder, (body or Evaluate()).config_path)
        if not busy.acquire(blocking=False):
            raise Refused(409, Problem(error="a run is in progress", hint="try again when it has ended"))
        try:
            return dict(await run_in_threadpool(_run, job, config, path))
        finally:
            busy.release()

    return app


def _tell_faults(app: FastAPI) -> None:
    """Every way to fail is told as a Problem, never as a traceback."""

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        return _problem(error.status, error.problem)

    @app.exception_handler(Exception)
    async def crashed(request: Request, error: Exception) -> JSONResponse:
        return _problem(500, Problem(error="internal fault: no decision was made", hint="see the log of the service"))

    @app.exception_handler(HTTPException)
    async def general(request: Request, error: HTTPException) -> JSONResponse:
        return _problem(error.status_code, Problem(error=str(error.detail)), error.headers)

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [{"line": 0, "where": ".".join(map(str, e["loc"])), "message": str(e["msg"])} for e in error.errors()]
        hint = 'send {"config_path": "..."} as JSON'
        return _problem(400, Problem(error="the request cannot be read", hint=hint, faults=faults))


def judged(config: Config, path: Path, folder: Path) -> VerdictDocument:
    """Run one configuration with the index and the record of the served folder."""
    with Job(config, Toolbox(config, path.parent, folder / FOLDER)) as job:
        return job.document()


def _run(work: Work, config: Config, path: Path) -> VerdictDocument:
    """Errors: Refused, with 400 for what the user's files are to blame for, 503 for parts that are down."""
    try:
        return work(config, path)
    except (InputFileError, UsageError) as error:
        raise Refused(400, Problem(error=error.message, hint=error.hint)) from error
    except GateError as error:
        raise Refused(503, Problem(error=error.message, hint=error.hint)) from error


def _configured(folder: Path, name: str) -> tuple[Config, Path]:
    """The configuration of that name. Errors: Refused (403 outside of the folder, 404 missing, 400 faulty)."""
    try:
        path = (folder / name).resolve()
        inside = path.is_relative_to(folder)
        there = inside and path.is_file()
    except (OSError, ValueError, RuntimeError):  # NUL, too long, a loop of links
        raise Refused(404, Problem(error="there is no such file")) from None
    if not inside:
        raise Refused(403, Problem(error="the path is outside of the served folder"))
    if not there:
        raise Refused(404, Problem(error="there is no such file"))
    try:
        return load(path), path
    except ConfigError as error:
        faults = [{"line": f.line, "where": f.where, "message": f.message} for f in error.faults]
        raise Refused(400, Problem(error="the configuration has faults", hint=error.hint, faults=faults)) from error


def _authorise(given: str, token: str) -> None:
    if token and not hmac.compare_digest(given.encode("utf-8", "replace"), f"Bearer {token}".encode()):
        raise Refused(401, Problem(error="a valid token is needed", hint="send Authorization: Bearer TOKEN"))


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
                await _problem(413, Problem(error=f"the request is larger than {MAX_BODY} bytes"))(scope, receive, send)
                return
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> Message:
            return next(messages, None) or await receive()

        await self._app(scope, replay, send)


def _problem(status: int, problem: Problem, given: Mapping[str, str] | None = None) -> JSONResponse:
    headers = {"Retry-After": "5"} if status == 409 else {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse(problem.model_dump(), status, headers={**headers, **(given or {})})


def _responses() -> Reply:
    """What else /evaluate may answer, for OpenAPI."""
    texts = {
        400: "the configuration, or a file that it names, has faults",
        401: "no valid token",
        403: "the path is outside of the served folder",
        404: "there is no such file",
        409: "a run is in progress",
        413: "the request is too large",
        500: "an internal fault",
        503: "a part that the run needs is down",
    }
    verdict = {"description": "the verdict", "content": {"application/json": {"schema": {"type": "object"}}}}
    return {200: verdict, **{code: {"model": Problem, "description": text} for code, text in texts.items()}}


def _secured(token: str) -> dict[str, Any]:
    return {"security": [{"bearer": []}]} if token else {}
