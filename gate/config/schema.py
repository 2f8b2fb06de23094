"""The schema of the configuration: every part frozen, and the rules between the parts."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from gate.config.parts import (
    CHANGING_EVIDENCE,
    DocSource,
    Elasticsearch,
    JudgeSettings,
    Measures,
    Name,
    Part,
    ProbeName,
    ServerSettings,
    Share,
    check_server,
)
from gate.config.target import Model
from gate.records import Category

Effect = Literal["ignore", "warn", "block"]
WAIVERS = ".gate-waivers.yaml"


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
    min_claims: int = Field(default=1, ge=0)
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
