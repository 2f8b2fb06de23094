"""A model server on the loopback that speaks the wire formats of OpenAI, Ollama and Bedrock, with faults on demand."""

import contextlib
import json
import re
import socket
import struct
import threading
from collections import ChainMap, Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from tests.support.loopback import Handler, Loopback

ANSWER = "The time-out is 5 seconds."
JSON_ANSWER = '{"verdicts": [1]}'
HTML = "<html><body>proxy</body></html>"

# What a status fault says, by the dialect of the server.
STATUS = {
    "401": (401, "invalid key", "UnrecognizedClientException"),
    "403": (403, "not allowed", "AccessDeniedException"),
    "404": (404, "model 'm' not found", "ResourceNotFoundException"),
    "400": (400, "bad request", "ValidationException"),
    "429": (429, "rate limit", "ThrottlingException"),
    "429-after": (429, "rate limit", "ThrottlingException"),
    "500": (500, "boom", "InternalServerException"),
    "503": (503, "too busy", "ThrottlingException"),
}


class FakeModels:
    """`faults` are taken one for each request (the last one stays); `sent` holds (path, headers, body) of each."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.sent: list[tuple[str, dict[str, str], Any]] = []
        self.counts: Counter[str] = Counter()
        self.dimension = 8
        self.latency = 0.0
        self.elsewhere = "http://127.0.0.1:9/elsewhere"  # where a redirect points to
        self.finish: dict[str, Any] = {}
        self.raw = ("", "")  # (media type, body) of a good reply that is no JSON document
        self.health = 200
        self.change: Callable[[Any], Any] = lambda reply: reply  # of a good reply, before it is sent
        self.released = threading.Event()
        self.status: ChainMap[str, tuple[int, Any, str]] = ChainMap({}, STATUS)  # what its faults say
        self._lock = threading.Lock()
        fake = self

        class Dialects(Handler):
            def do_GET(self) -> None:
                fake.sent.append((self.path, {name.lower(): value for name, value in self.headers.items()}, None))
                if self.path == "/health":
                    self.send(fake.health, b"", {})
                else:
                    self.send(200, json.dumps(fake.change({})).encode(), {"Content-Type": "application/json"})

            def do_POST(self) -> None:
                with contextlib.suppress(ConnectionError):  # clients may die
                    fake.answer(self)

            do_PUT = do_POST

        self.server = Loopback(Dialects)
        self.url = self.server.url

    def close(self) -> None:
        self.released.set()
        self.server.close()

    def answer(self, handler: Handler) -> None:
        length = int(handler.headers["Content-Length"])
        raw = handler.rfile.read(length)
        if len(raw) < length:  # the client died while it was asking
            handler.close_connection = True
            return
        body = json.loads(raw)
        path = unquote(handler.path)
        with self._lock:
            self.sent.append((path, {name.lower(): value for name, value in handler.headers.items()}, body))
            fault = self.faults.pop(0) if len(self.faults) > 1 else self.faults[0] if self.faults else ""
            self.counts[fault] += 1
        if self.latency:
            self.released.wait(self.latency)
        if fault in self.status:
            self._status(handler, fault, bedrock=path.startswith("/model/"))
        elif fault in ("hang", "drip", "reset", "cut"):
            self._stall(handler, fault)
        elif fault == "html":
            handler.send(200, HTML.encode(), {"Content-Type": "text/html"})
        elif fault == "redirect":
            handler.send(307, b"", {"Location": self.elsewhere})
        elif self.raw[0] and not fault:
            handler.send(200, self.raw[1].encode(), {"Content-Type": self.raw[0]})
        else:
            good = self.change(self._good(path, body, fault))
            handler.send(200, json.dumps(good).encode(), {"Content-Type": "application/json"})

    def _status(self, handler: Handler, fault: str, bedrock: bool) -> None:
        status, words, code = self.status[fault]
        headers = {"Content-Type": "application/json", "x-amzn-ErrorType": code}
        if fault == "429-after":
            headers["Retry-After"] = "7"
        said: Any = {"message": words} if bedrock else {"error": words}
        if "/v1/" in handler.path or "/openai/" in handler.path:
            said = words if isinstance(words, list) else {"error": words}
            said = {"error": {"message": words, "code": "x"}} if isinstance(words, str) else said
        handler.send(status, json.dumps(said).encode(), headers)

    def _stall(self, handler: Handler, fault: str) -> None:
        if fault == "hang":
            self.released.wait(60)
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [{"mess')
        if fault == "drip":
            while not self.released.wait(0.02):
                handler.wfile.write(b" ")
        if fault == "reset":
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.close_connection = True
        handler.connection.close()

    def _good(self, path: str, body: Any, fault: str) -> Any:
        text = {"empty": "", "truncated": '{"verdicts": ['}.get(fault)
        if fault == "wrong-shape":
            return {"choices": "none", "message": 5, "output": [], "data": {}, "embeddings": "x", "embedding": 3}
        if fault == "wrong-json":
            return [1, 2]
        if path.endswith("/embeddings") or path.endswith("/api/embed"):
            return self._embeddings(path, body, fault)
        if path.endswith("/invoke"):
            return {"embedding": self._vector(body["inputText"], fault), "inputTextTokenCount": 3}
        if path.startswith("/model/"):
            return self._converse(body, text, fault)
        if path.endswith("/v1/messages"):
            return self._messages(body, text, fault)
        if path.endswith("/api/chat"):
            said = text if text is not None else JSON_ANSWER if body.get("format") else ANSWER
            done = {"done": fault != "unfinished", "done_reason": "length" if fault == "truncated" else "stop"}
            return {"model": "m", "message": {"role": "assistant", "content": said}, **done} | self._tokens(
                "prompt_eval_count", "eval_count"
            )
        return self._chat(body, text, fault)

    def _tokens(self, given: str, made: str) -> dict[str, int]:
        return {} if self.finish.get("no_usage") else {given: 11, made: 5}

    def _chat(self, body: Any, text: str | None, fault: str) -> Any:
        said = text if text is not None else JSON_ANSWER if body.get("response_format") else ANSWER
        reason = {"truncated": "length", "filter": "content_filter"}.get(fault, "stop")
        message = {"role": "assistant", "content": None if fault == "filter" else said}
        usage = self._tokens("prompt_tokens", "completion_tokens")
        return {"model": "m-1", "choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage}

    def _messages(self, body: Any, text: str | None, fault: str) -> Any:
        reason = {"truncated": "max_tokens", "filter": "refusal"}.get(fault, "end_turn")
        content: list[Any] = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": ANSWER}]
        content = content if text is None else [{"type": "text", "text": text}] if text else []
        if body.get("tools") and text is None:
            content = [{"type": "tool_use", "id": "t", "name": "reply", "input": {"verdicts": [1]}}]
        usage = {"cache_read_input_tokens": 1, **self._tokens("input_tokens", "output_tokens")}
        usage = usage if len(usage) > 1 else {}
        content = [] if fault == "filter" else content
        return {"model": "m-1", "type": "message", "content": content, "stop_reason": reason, "usage": usage}

    def _converse(self, body: Any, text: str | None, fault: str) -> Any:
        reason = {"truncated": "max_tokens", "filter": "guardrail_intervened", "bad-tool": "malformed_tool_use"}
        content: list[Any] = [{"text": ANSWER if text is None else text}]
        if body.get("toolConfig") and text is None:
            content = [{"text": "Sure."}, {"toolUse": {"toolUseId": "t", "name": "reply", "input": {"verdicts": [1]}}}]
        usage = {"inputTokens": 11, "outputTokens": 5, "totalTokens": 16}
        message = {"role": "assistant", "content": [] if fault == "filter" else content}
        return {"output": {"message": message}, "stopReason": reason.get(fault, "end_turn"), "usage": usage}

    def _embeddings(self, path: str, body: Any, fault: str) -> Any:
        vectors = [self._vector(text, fault) for text in body["input"]]
        if fault == "few":
            vectors = vectors[1:]
        if path.endswith("/api/embed"):
            return {"model": "m", "embeddings": vectors, "prompt_eval_count": 3}
        rows = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
        return {"data": rows[::-1], "usage": {"prompt_tokens": 3}}

    def _vector(self, text: str, fault: str) -> list[float]:
        if fault in ("empty", "zero"):
            return [] if fault == "empty" else [0.0] * self.dimension
        letters = re.findall(r"\w", text.lower())
        return [
            1.0 + sum(ord(letter) % self.dimension == index for letter in letters) for index in range(self.dimension)
        ]
