"""The process of a `python` target: it imports the function, and answers a JSON line with a JSON line until its input
ends. It may run in another Python than the gate's, so it needs nothing but the standard library of 3.8.

python runner.py module:function
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    if sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
        del sys.path[0]  # its modules would stand before others of their name
    sys.path.insert(0, os.getcwd())

import asyncio  # noqa: E402
import importlib  # noqa: E402
import inspect  # noqa: E402
import json  # noqa: E402
import traceback  # noqa: E402
from typing import Any, BinaryIO, Callable, Dict, Mapping  # noqa: E402, UP035

UNUSABLE = 78  # EX_CONFIG of sysexits.h: no question can be answered
PASSING = (ConnectionError, TimeoutError, asyncio.TimeoutError)
_KNOWN = ("question", "messages", "contexts", "id", "repeat")


def find_function(name: str) -> Callable[..., Any]:
    """The function of `module:function`. Errors: ImportError, AttributeError, and whatever the module raises."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise AttributeError(f"{name} is no function")
    return found  # type: ignore[no-any-return]


def arguments_for(function: Callable[..., Any], asked: Mapping[str, Any]) -> Dict[str, Any]:  # noqa: UP006
    """What the function is called with: the parts of a question by the names of its parameters. A function that names
    none of them is given the question as its first argument. Errors: ValueError where it has no first one."""
    names = [
        one.name
        for one in inspect.signature(function).parameters.values()
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY, one.POSITIONAL_ONLY)
    ]
    known = {name: asked[name] for name in names if name in _KNOWN}
    if known:
        return known
    if not names:
        raise ValueError(f"the function takes none of {', '.join(_KNOWN)}")
    return {names[0]: asked["question"]}


def answer_line(function: Callable[..., Any], loop: asyncio.AbstractEventLoop, asked: Mapping[str, Any]) -> str:
    """The line for one question; what the function raises is told in it."""
    try:
        made = function(**arguments_for(function, asked))
        made = loop.run_until_complete(made) if inspect.isawaitable(made) else made
        fields = dict(made) if isinstance(made, dict) else {"answer": made}
        return json.dumps({**fields, "call": asked["call"]})
    except Exception as error:
        traceback.print_exc()
        told = {"call": asked["call"], "error": f"{type(error).__name__}: {error}"[:1000]}
        return json.dumps({**told, "retry": isinstance(error, PASSING)})


def serve(function: Callable[..., Any], questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer line by line until there are no more. One event loop serves all, so that clients of the application can
    be kept from question to question."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    for line in questions:
        answers.write(answer_line(function, loop, json.loads(line)).encode() + b"\n")
        answers.flush()


def _is_ours(filename: str) -> bool:
    """Whether a frame says nothing about the application: it is of this file, or of Python's import."""
    return filename == __file__ or "importlib" in filename


def main() -> int:
    """Serve over the streams of the process. What the application prints goes to stderr: stdout is the gate's."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    try:
        function = find_function(sys.argv[1])
        inspect.signature(function)
    except BaseException as error:  # a module may also exit
        frames = [each for each in traceback.extract_tb(error.__traceback__) if not _is_ours(each.filename)]
        sys.stderr.write("".join(traceback.format_list(frames)))
        fault = f"{type(error).__name__}: {error}"
        sys.stderr.write(f"model.function: {sys.argv[1]} cannot be used: {fault}\n")
        return UNUSABLE
    serve(function, questions, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
