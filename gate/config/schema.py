"""The schema of the configuration: every part frozen, and the rules between the parts; of the model under test also the
template of what a server of any kind is sent."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from gate.config.parts import (
    CHANGING_EVIDENCE,
    DocSource,
    Elasticsearch,
    JudgeSettings,
    Measures,
    ModelSettings,
    Name,
    Part,
    ProbeName,
    ServerSettings,
    Share,
    check_server,
)
from gate.records import Category

Effect = Literal["ignore", "warn", "block"]
WAIVERS = ".gate-waivers.yaml"
ModelProvider = Literal["replay", "command", "http", "python", "bedrock", "ollama", "openai", "anthropic"]
PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
QUESTION: dict[str, Any] = {"question": "{{question}}"}  # the body that is sent where none is named
_PLACES = ("question", "messages", "id")
_SERVED = frozenset(("api_key_env", "headers", "timeout_seconds", "temperature", "max_tokens", "system"))
_OF_HTTP = ("url", "method", "body", "answer", "contexts", "tokens", "tool_calls", "health")
# The keys that came with a provider, and the ones that it has use for. Any provider may have `path`, `command`,
# `model_id` and `base_url`: they may be left from another one.
_USED: dict[str, frozenset[str]] = {
    "replay": frozenset(),
    "command": frozenset(("worker", "workers", "timeout_seconds")),
    "python": frozenset(("function", "workers", "timeout_seconds")),
    "http": frozenset((*_OF_HTTP, "api_key_env", "headers", "timeout_seconds")),
    **dict.fromkeys(("bedrock", "ollama", "openai", "anthropic"), _SERVED),
}
_CHECKED = frozenset().union(*_USED.values())
_NEEDED = {"replay": "path", "command": "command", "python": "function", "http": "url"}


def _all_or_number(value: Any) -> Any:
    """One fault in words, not one for each kind of value that it might have been."""
    if value != "all" and (type(value) is not int or value < 1):
        raise ValueError("must be `all`, or how many answers to a prompt must hold, from 1 on")
    return value


class RiskTolerance(Part):
    """What the decision is made by; the shares and thresholds are in 0..1. `contradicted`, `must_pass` and `checks` are
    what one claim that the documents deny, one `must_pass` prompt that does not hold, and one prompt that fails a check
    lead to at least."""

    deploy_threshold: Share = 0.10
    warn_threshold: Share = 0.25
    contradicted: Effect = "warn"
    must_pass: Effect = "warn"  # noqa: S105 - a prompt, no password
    checks: Effect = "block"  # exact, and asked for by whoever wrote the dataset
    waivers: Name = WAIVERS
    fail_on_regression: bool = False
    max_increase: Share = 0.0
    max_unjudged: Share = 0.0
    min_claims: int = Field(default=1, ge=1)
    decide_on: Literal["point", "interval", "corrected"] = "point"

    @model_validator(mode="after")
    def _ordered(self) -> RiskTolerance:
        if self.deploy_threshold > self.warn_threshold:
            raise ValueError(
                f"deploy_threshold ({self.deploy_threshold}) must not be above warn_threshold ({self.warn_threshold})"
            )
        return self


class Evaluation(Part):
    """Which questions are asked, and of how many answers to each at least `pass` must hold."""

    source: Literal["generated", "dataset", "recorded"] = "generated"
    dataset: Name | None = None
    num_prompts: int = Field(default=20, ge=1, le=100_000)
    prompt_categories: tuple[Category, ...] = Field(default=tuple(Category), min_length=1)
    seed: int = 0
    turns: Literal["last", "all"] = "last"
    repeats: int = Field(default=1, ge=1, le=100)
    pass_: Annotated[Literal["all"] | int, BeforeValidator(_all_or_number)] = Field(default="all", alias="pass")
    probes: tuple[ProbeName, ...] = ()
    generator: Literal["local", "model"] = "local"

    @model_validator(mode="after")
    def _has_dataset(self) -> Evaluation:
        if self.source == "dataset" and self.dataset is None:
            raise ValueError("source: dataset needs the key `dataset` with the path of a JSONL file")
        if self.dataset is not None and "source" not in self.model_fields_set:  # it would not be asked
            raise ValueError("`dataset` is read with source: dataset, and no source is named")
        return self

    @model_validator(mode="after")
    def _has_turns(self) -> Evaluation:
        if self.turns == "all" and self.source == "generated":
            raise ValueError("turns: all needs conversations: source: dataset or recorded")
        if self.turns == "all" and (self.repeats > 1 or self.probes):
            raise ValueError("turns: all judges what was said once: it goes with neither `repeats` nor `probes`")
        return self

    @model_validator(mode="after")
    def _can_pass(self) -> Evaluation:
        if self.must_hold > self.repeats:
            raise ValueError(f"pass ({self.must_hold}) must not be above repeats ({self.repeats})")
        return self

    @property
    def must_hold(self) -> int:
        """How many answers to a prompt must hold."""
        return self.repeats if self.pass_ == "all" else self.pass_  # noqa: S105 - no password


def _pointer(value: str) -> str:
    if value and not re.fullmatch(r"(/([^~]|~[01])*)+", value):
        raise ValueError("must be a JSON pointer, for instance /data/answer")
    return value


Pointer = Annotated[str, Field(max_length=500), AfterValidator(_pointer)]


class Model(ModelSettings):
    """The model under test."""

    provider: ModelProvider
    path: Name | None = None
    command: tuple[Name, ...] | None = None
    worker: bool = False
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    function: Annotated[str, Field(pattern=r"^\w+(\.\w+)*:\w+(\.\w+)*$")] | None = None
    url: Name | None = None
    method: Literal["POST", "PUT", "GET"] = "POST"
    body: Any = None
    answer: Pointer | None = None
    contexts: Pointer | None = None
    tokens: Pointer | None = None
    tool_calls: Pointer | None = None
    health: Annotated[str, Field(pattern="^/([^/]|$)")] | None = None
    context: Literal["none", "retrieved"] = "none"
    reuse: Literal["run", "always"] = "run"

    @property
    def is_program(self) -> bool:
        """Whether it is a program or a function of the user's: it is told the `contexts` of a question beside it."""
        return self.provider in ("command", "python")

    @field_validator("body")
    @classmethod
    def _as_json(cls, value: Any) -> Any:
        """A body may be written as YAML or as the text of JSON."""
        if isinstance(value, str) and PLACEHOLDER.fullmatch(value.strip()) is None:
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                raise ValueError("is no JSON: write the body as YAML, or as the text of a JSON value") from None
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError("holds a value that JSON has not, a date for instance: put it into quotes") from None
        return value

    @model_validator(mode="after")
    def _complete(self) -> Model:
        needed = _NEEDED.get(self.provider, "model_id")
        if not getattr(self, needed):
            raise ValueError(f"provider: {self.provider} needs the key `{needed}`")
        check_server(self.provider, self)
        if unused := sorted(self.model_fields_set & _CHECKED - _USED[self.provider]):
            raise ValueError(f"provider: {self.provider} has no use for the key `{unused[0]}`")
        if "workers" in self.model_fields_set and self.provider == "command" and not self.worker:
            raise ValueError("`workers` of a command need `worker: true`")
        return self

    @model_validator(mode="after")
    def _sends_the_question(self) -> Model:
        if self.provider != "http":
            return self
        in_body, in_url = list(_placeholders(self.sent)), PLACEHOLDER.findall(self.url or "")
        if wrong := next((name for name in [*in_body, *in_url] if name not in _PLACES), None):
            raise ValueError(f"{{{{{wrong}}}}} is none of {', '.join(f'{{{{{name}}}}}' for name in _PLACES)}")
        if "messages" in in_url:
            raise ValueError("{{messages}} can stand in `body` only: an address may hold {{question}} and {{id}}")
        if not {"question", "messages"} & {*in_body, *in_url}:
            raise ValueError("neither `body` nor `url` has {{question}} or {{messages}}: nothing would be asked")
        if self.context == "retrieved" and "messages" not in in_body:
            raise ValueError("context: retrieved goes with {{messages}}, which `body` does not have")
        return self

    @property
    def sent(self) -> Any:
        """The template of the body; None where nothing is sent but the address."""
        return self.body if self.body is not None or self.method == "GET" else QUESTION


def _placeholders(value: Any) -> list[str]:
    """The names between {{ and }} in a template. Errors: ValueError for {{messages}} within a longer text."""
    if isinstance(value, dict):
        return [name for inner in value.values() for name in _placeholders(inner)]
    if isinstance(value, list):
        return [name for inner in value for name in _placeholders(inner)]
    if not isinstance(value, str):
        return []
    names: list[str] = PLACEHOLDER.findall(value)
    if "messages" in names and PLACEHOLDER.fullmatch(value.strip()) is None:
        raise ValueError("{{messages}} is a list: it must stand alone in its value of `body`")
    return names


class Embedding(ServerSettings):
    """Who turns texts into vectors; `dimension` is asked of models that offer several."""

    provider: Literal["local", "bedrock", "ollama", "openai"] = "local"
    dimension: int | None = Field(default=None, ge=1, le=4096)

    @model_validator(mode="after")
    def _complete(self) -> Embedding:
        if self.provider in {"ollama", "openai"} and self.model_id is None:
            raise ValueError(f"provider: {self.provider} needs the key `model_id`")
        if self.provider == "local":
            unused = next((key for key in (*ServerSettings.model_fields, "dimension") if getattr(self, key)), None)
            if unused is not None:
                raise ValueError(f"provider: local has a model of its own, so `{unused}` has no sense here")
        check_server(self.provider, self)
        return self


class Price(Part):
    """USD per million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


class Limits(Part):
    """What a run may use; null: no limit."""

    max_cost_usd: float | None = Field(default=5.0, ge=0, allow_inf_nan=False)
    max_calls: int | None = Field(default=2000, ge=0)
    max_seconds: float | None = Field(default=1800.0, gt=0, le=1e9)  # what a clock can wait for
    concurrency: int = Field(default=16, ge=1, le=512)


class Config(Part):
    """A whole configuration; see the reference in the documentation for every key."""

    use_case: Name
    risk_tolerance: RiskTolerance = RiskTolerance()
    evaluation: Evaluation = Evaluation()
    doc_sources: tuple[DocSource, ...] = ()
    model: Model
    judge: JudgeSettings = JudgeSettings()
    measures: Measures = Measures()
    prices: dict[str, Price] = Field(default_factory=dict)
    embedding: Embedding = Embedding()
    elasticsearch: Elasticsearch | None = None
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _recorded(self) -> Config:
        if self.evaluation.source == "recorded" and self.model.provider != "replay":
            raise ValueError("evaluation.source: recorded needs model.provider: replay")
        return self

    @model_validator(mode="after")
    def _has_a_model(self) -> Config:
        if self.judge.served_by is None:
            if self.evaluation.generator == "model":
                raise ValueError("evaluation.generator: model needs a judge with a model, which writes the questions")
            if graded := next(self.measures.graded(), ""):
                raise ValueError(f"measures.{graded}.by: model needs a judge with a model, which grades the answers")
        return self

    @model_validator(mode="after")
    def _probed(self) -> Config:
        probes, model = self.evaluation.probes, self.model
        if probes and model.provider == "replay":
            raise ValueError("evaluation.probes ask further questions, to which recorded answers have no answer")
        varied = next((name for name in probes if name in CHANGING_EVIDENCE), None)
        if varied and model.context == "none" and not model.is_program:
            raise ValueError(
                f"the probe {varied} changes the evidence that the model is given: it needs "
                "model.context: retrieved, or a command that uses the `contexts` of the dataset"
            )
        return self

    @model_validator(mode="after")
    def _fed(self, info: ValidationInfo) -> Config:
        if (info.context or {}).get("stored"):
            return self
        evaluation, recorded = self.evaluation, self.model.provider == "replay"
        unfed = list(self.measures.unfed(evaluation.probes, evaluation.repeats, recorded))
        if unfed:
            raise ValueError("; ".join(unfed))
        return self

    def hash(self) -> str:
        """SHA-256 (hex) over all values: two runs with the same one were configured alike."""
        return hashlib.sha256(json.dumps(self.model_dump(mode="json"), sort_keys=True).encode()).hexdigest()


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a configuration, for editors. What only several keys together make wrong it lets
    pass; `gate doctor` and every run do not."""
    made = Config.model_json_schema()
    parts = made["$defs"]
    parts["DocSource"] = {"anyOf": [{"type": "string", "minLength": 1}, parts["DocSource"]]}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Configuration of the gate"}
    return {**made, **head}
