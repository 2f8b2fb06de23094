"""The provider `bedrock`: models of Amazon Bedrock through the Converse API, and its Titan text embeddings."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.application import spoken, tool_call
from gate.providers.base import TITAN_DIMENSIONS, Embedded, Reply, Request, estimate_usage, reported_usage, token_count
from gate.providers.faults import OVERLOADED, Refused, Server, messages_for
from gate.providers.wire import without_secrets
from gate.records import ToolCall

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

T = TypeVar("T")
_CREDENTIALS = "give AWS credentials that may use this model (AWS_PROFILE, AWS_ACCESS_KEY_ID, a role) and AWS_REGION"
_TOOL = "reply"
_STOPS = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "filter",
    "content_filtered": "filter",
}
# The statuses that the service's error codes stand for, where it sends another one (Bedrock Runtime API reference).
_STATUS_OF_CODE = {
    "ThrottlingException": 429, "TooManyRequestsException": 429, "ServiceQuotaExceededException": 429,
    "InternalServerException": 500, "ModelErrorException": 500, "ServiceUnavailableException": 503,
    "ResourceNotFoundException": 404,
}  # fmt: skip


class Bedrock:
    """Asks one model. Region and credentials come by boto3's own chain; AWS_ENDPOINT_URL_BEDROCK_RUNTIME is honoured.

    boto3 makes one attempt a call: the repeats are the gate's, so that each is counted and slows the pace.
    """

    name = "bedrock"

    def __init__(self, model: str, timeout: float = 120.0) -> None:
        """`timeout` is in seconds for one call. Errors: SetupError without a region or with a broken AWS profile."""
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError

        self.model, self.timeout = model, timeout
        settings = Config(
            connect_timeout=10,
            read_timeout=timeout,
            retries={"mode": "standard", "total_max_attempts": 1},
            max_pool_connections=64,
        )
        try:
            self._client = boto3.Session().client("bedrock-runtime", config=settings)
        except (BotoCoreError, ValueError) as error:
            raise SetupError(f"bedrock: {error}", _CREDENTIALS, "setup") from error
        self.identity = self._client.meta.endpoint_url
        self._server = Server(self.name, without_secrets(self.identity), model, _CREDENTIALS)
        self.refused = Refused("temperature", "length", "system", "tool")

    def complete(self, request: Request) -> Reply:
        """Send one request. Errors: SetupError, TransientError, BadReplyError, AskAgainError once for each thing that
        the model does not accept; a filtered or cut reply tells so in `stop`."""
        begun, refused = time.perf_counter(), self.refused.of(request)
        try:
            body = self._call(partial(self._client.converse, **self._arguments(request, refused)))
        except BadReplyError as error:
            self.refused.learn(error, request, refused)
        return self._reply(cast("dict[str, Any]", body), request, (time.perf_counter() - begun) * 1000)

    def embed(self, texts: Sequence[str], dimension: int | None = None) -> Embedded:
        """One vector for each text, one request each: the Titan interface takes one text, so who wants retries and a
        deadline for each asks with one. Errors: as `complete`."""
        found = [self._embedding(text, dimension) for text in texts]
        tokens = [number for _, number in found]
        return Embedded([vector for vector, _ in found], None if None in tokens else sum(filter(None, tokens)))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _embedding(self, text: str, dimension: int | None) -> tuple[list[float], int | None]:
        body: dict[str, Any] = {"inputText": text}
        if "titan-embed-text-v2" in self.model:
            body |= {"normalize": True, "dimensions": dimension or TITAN_DIMENSIONS[-1]}
        given = json.dumps(body)
        raw = self._call(lambda: self._client.invoke_model(modelId=self.model, body=given)["body"].read())
        try:
            answer = json.loads(raw)
            vector: list[float] = answer["embedding"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._server.malformed("the response has no embedding") from error
        return vector, token_count(answer.get("inputTextTokenCount"))

    def _arguments(self, request: Request, refused: frozenset[str]) -> dict[str, Any]:
        messages = messages_for(request, refused)
        settings = {"length": ("maxTokens", request.max_tokens), "temperature": ("temperature", request.temperature)}
        arguments: dict[str, Any] = {
            "modelId": self.model,
            "messages": [{"role": m.role, "content": [{"text": m.content}]} for m in spoken(messages)],
            "inferenceConfig": dict(pair for part, pair in settings.items() if part not in refused),
        }
        if system := [{"text": message.content} for message in messages if message.role == "system"]:
            arguments["system"] = system
        if request.schema is not None and "tool" not in refused:
            spec = {"name": _TOOL, "description": "Give the reply.", "inputSchema": {"json": request.schema}}
            arguments["toolConfig"] = {"tools": [{"toolSpec": spec}], "toolChoice": {"tool": {"name": _TOOL}}}
        return arguments

    def _reply(self, body: dict[str, Any], request: Request, latency_ms: float) -> Reply:
        try:
            blocks = body["output"]["message"]["content"]
            # The tool that a schema became is the form of the reply; without a schema each use is a call of a tool.
            text = reply_text([block for block in blocks if request.schema is not None or "toolUse" not in block])
            calls = () if request.schema is not None else _tool_calls(blocks)
            reason = str(body["stopReason"])
        except (KeyError, TypeError, AttributeError) as error:
            raise self._server.malformed("the response has no message") from error
        told = body.get("usage") or {}
        usage = reported_usage(told.get("inputTokens"), told.get("outputTokens"))
        if reason.startswith("malformed"):
            raise self._server.malformed(f"the model's output is unusable ({reason})", usage)
        stop = _STOPS.get(reason, "stop")
        if not text.strip() and not calls and stop == "stop":
            raise self._server.empty(usage)
        return Reply(text, usage or estimate_usage(request, text), latency_ms, stop, self.model, tool_calls=calls)

    def _call(self, work: Callable[[], T]) -> T:
        from botocore.exceptions import BotoCoreError, ClientError
        from botocore.parsers import ResponseParserError
        from urllib3.exceptions import HTTPError

        try:
            return work()
        except ClientError as error:
            raise _client_fault(self._server, error) from error
        except (ResponseParserError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise self._server.malformed("the response is not what Bedrock sends") from error
        except (BotoCoreError, HTTPError, OSError) as error:
            raise _boto_fault(self._server, error) from error


def _client_fault(server: Server, error: ClientError) -> ProviderError:
    """The error for what the service itself says."""
    details, meta = error.response.get("Error", {}), error.response.get("ResponseMetadata", {})
    code, message = str(details.get("Code", "")), str(details.get("Message", ""))
    status = _STATUS_OF_CODE.get(code, int(meta.get("HTTPStatusCode", 0)))
    if code == "ModelTimeoutException" or status == 408:
        return TransientError(f"{server.name}: {code}{server.quote(message)}", OVERLOADED, "timeout")
    if status == 400 and ("Signature" in code or "Token" in code):
        status = 401
    return server.status_fault(status, message, meta.get("HTTPHeaders", {}), code)


def _boto_fault(server: Server, error: Exception) -> ProviderError:
    """The error for a request that boto3 could not make or finish."""
    from botocore.exceptions import EndpointConnectionError, NoCredentialsError, ParamValidationError

    if isinstance(error, EndpointConnectionError):
        return SetupError(f"bedrock: {server.address} cannot be reached", "check AWS_REGION and the network", "setup")
    if isinstance(error, NoCredentialsError) or "redential" in type(error).__name__ or "Token" in type(error).__name__:
        return SetupError(f"bedrock: {error}", server.key_hint, "setup")
    if isinstance(error, ParamValidationError):
        hint = "check model_id, and the limits that the configuration sets"
        return BadReplyError(f"bedrock: the request is not valid{server.quote(str(error))}", hint, "rejected")
    return server.transport_fault(error)


def _tool_calls(blocks: Sequence[dict[str, Any]]) -> tuple[ToolCall, ...]:
    used = [block["toolUse"] for block in blocks if "toolUse" in block]
    return tuple(
        tool_call({"id": use.get("toolUseId"), "name": use["name"], "arguments": use["input"]}) for use in used
    )


def reply_text(blocks: Sequence[dict[str, Any]]) -> str:
    """The input of the tool if it was used, else the text; reasoning is no part of a reply. A model may use the tool
    several times in one reply, for each claim say, or to take something back: all that it gave is the reply.

    `blocks` is the content of a message of Amazon Bedrock's Converse API. Errors: KeyError, TypeError, AttributeError
    where it is not.
    """
    given = [block["toolUse"]["input"] for block in blocks if "toolUse" in block]
    if not given:
        return "".join(block.get("text", "") for block in blocks)
    return "\n".join(map(_as_json, _merge_inputs(given)))


def _merge_inputs(given: Sequence[Any]) -> Sequence[Any]:
    """Objects of lists as one object, each list with the entries of all; anything else as it is."""
    if len(given) < 2 or not all(isinstance(one, dict) and all(type(v) is list for v in one.values()) for one in given):
        return given
    names = dict.fromkeys(name for one in given for name in one)
    return [{name: [entry for one in given for entry in one.get(name, ())] for name in names}]


def _as_json(given: Any) -> str:
    """As JSON; a list that was given as a string stands as that list, with whatever follows it (Claude does so at
    times, and may close its own mark-up behind: boto3 issue 4644). Whether it can be used, its reader finds out."""
    if not isinstance(given, dict):
        return json.dumps(given, ensure_ascii=False)
    pairs = (f"{json.dumps(name)}: {_value_as_json(value)}" for name, value in given.items())
    return "{" + ", ".join(pairs) + "}"


def _value_as_json(value: Any) -> str:
    if isinstance(value, str) and value.lstrip()[:1] == "[":
        return value
    return json.dumps(value, ensure_ascii=False)
