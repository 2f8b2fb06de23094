"""Parts of the configuration: what all of them share, where the documents and an Elasticsearch are, who judges, what
is measured beside the risk."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationInfo, field_validator, model_validator

Name = Annotated[str, Field(min_length=1)]
Glob = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^/\\\s]")]
Tag = Annotated[str, Field(max_length=64, pattern=r"^\w[\w .:/-]*$")]
Criterion = Annotated[str, Field(max_length=300, pattern=r"\w")]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
ProbeName = Literal["consistency", "sensitivity", "retrieval_dependency"]
PROBING = frozenset(typing.get_args(ProbeName))  # measures that compare an answer with those to its probes
CHANGING_EVIDENCE = frozenset({"retrieval_dependency"})  # probes that change what the model is given with a question
REPEATING = frozenset({"consistency", "noise"})  # measures that compare the answers to one prompt
_FRAMING = frozenset(("content-length", "transfer-encoding", "connection"))
Weight = Annotated[float, Field(ge=0.0, le=1000.0)]


class Part(BaseModel):
    """A mapping of known keys, frozen once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    @field_validator("*", mode="before")
    @classmethod
    def _no_yes_for_a_number(cls, value: Any, info: ValidationInfo) -> Any:
        """YAML's yes and no are not 1 and 0: a threshold of `yes` would let everything pass."""
        if isinstance(value, bool) and cls.model_fields[info.field_name or ""].annotation is not bool:
            raise ValueError(f"must not be {'yes' if value else 'no'}")
        return value


class ServerSettings(Part):
    """A server and what goes to it: the model, the address, the variable that holds its key, more headers, and the
    seconds that a call may take."""

    model_id: Name | None = None
    base_url: Name | None = None
    api_key_env: Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    timeout_seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None

    @field_validator("headers")
    @classmethod
    def _are_headers(cls, value: dict[str, SecretStr]) -> dict[str, SecretStr]:
        """A value may be a secret, so no message shows it."""
        for name, held in value.items():
            if not re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name, re.ASCII) or name.lower() in _FRAMING:
                raise ValueError(f"{name[:60]!r} is no header that can be set")
            text = held.get_secret_value()
            if not text.strip() or not text.isascii() or not text.isprintable():
                raise ValueError(f"the value of {name[:60]!r} must be one line of ASCII")
        return value

    def plain_headers(self) -> dict[str, str]:
        """The headers as they are sent."""
        return {name: value.get_secret_value() for name, value in self.headers.items()}


def check_server(provider: str | None, server: ServerSettings) -> None:
    """An address that is not used would let calls go elsewhere than its writer believes. Errors: ValueError."""
    if provider == "bedrock" and server.base_url is not None:
        raise ValueError("bedrock has its address from AWS_ENDPOINT_URL_BEDROCK_RUNTIME: `base_url` has no sense here")
    if provider == "bedrock" and (server.api_key_env or server.headers):
        raise ValueError("bedrock has its credentials as boto3 finds them: no `api_key_env`, no `headers`")


class ModelSettings(ServerSettings):
    """A server that writes texts: how freely, how long, and what it is told before everything else."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    system: Name | None = None


class DocSource(Part):
    """Where trusted documents are. `include` and `exclude` are globs relative to `path`; an exclusion wins. `tags` go
    with every document from here."""

    type: Literal["local", "s3"] = "local"
    path: Name
    include: tuple[Glob, ...] = ()
    exclude: tuple[Glob, ...] = ()
    tags: tuple[Tag, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _long(cls, value: Any) -> Any:
        """The short form, a path or an address, as the long one."""
        return {"type": "s3" if _is_s3(value) else "local", "path": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _is_of_its_type(self) -> DocSource:
        if (self.type == "s3") != _is_s3(self.path):
            raise ValueError("`type: s3` and a path that begins with s3:// belong together")
        return self

    def takes(self, name: str) -> bool:
        """Whether a file is one of these documents; `name` is relative to `path`, with slashes."""
        return (not self.include or _fits(name, self.include)) and not self.leaves_out(name)

    def leaves_out(self, name: str) -> bool:
        """Whether `exclude` fits the name of a file or a folder, relative to `path`."""
        return _fits(name, self.exclude)


def _fits(name: str, globs: Sequence[str]) -> bool:
    return any(_fits_one(name.split("/"), glob.rstrip("/")) for glob in globs)


def _fits_one(parts: Sequence[str], glob: str) -> bool:
    """Whether a glob fits the parts of a name. Without a slash it fits in any folder; one whose last piece has no star
    takes the folder of that name too. No backtracking: `ends` are the numbers of parts that it may have taken so far.
    """
    ends, pieces = {0}, glob.split("/") if "/" in glob else ["**", glob]
    for piece in pieces:
        if piece == "**":
            ends = set(range(min(ends), len(parts) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(parts) and fnmatchcase(parts[end], piece)}
        if not ends:
            return False
    return len(parts) in ends or "*" not in pieces[-1]


def _is_s3(path: str) -> bool:
    return path.lower().startswith("s3://")


class Elasticsearch(Part):
    """The index on a server; without `host` and `cloud_id` ES_HOST names it, without any key or user ES_API_KEY."""

    host: Name | None = None
    cloud_id: Name | None = None
    index: str = "llm-reliability"
    api_key: SecretStr | None = None
    username: Name | None = None
    password: SecretStr | None = None
    ca_certs: Name | None = None
    int8: bool = False

    @field_validator("host")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        return None if value is None else checked_address(value)

    @field_validator("index")
    @classmethod
    def _is_name(cls, value: str) -> str:
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,99}", value):
            raise ValueError("must be 1 to 100 of a-z, 0-9, `.`, `_` and `-`, and begin with a letter or digit")
        return value

    @field_validator("api_key", "password")
    @classmethod
    def _is_given(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value():
            raise ValueError("is empty")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Elasticsearch:
        if self.host and self.cloud_id:
            raise ValueError("give `host` or `cloud_id`, not both")
        if bool(self.username) != bool(self.password):
            raise ValueError("`username` and `password` belong together")
        if self.api_key and self.username:
            raise ValueError("give `api_key`, or `username` and `password`, not both")
        return self

    def located(self, path: Callable[[str], Path]) -> Elasticsearch:
        """The same with the file of `ca_certs` where `path` finds it."""
        return self.model_copy(update={"ca_certs": str(path(self.ca_certs))}) if self.ca_certs else self


def checked_address(address: str) -> str:
    """The address of a server. Errors: ValueError where it is none, or where it holds what may be secret."""
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise ValueError("must be the address of a server, for instance https://localhost:9200")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user or a password: give `username` and `password`, or `api_key`")
    if parts.query:
        raise ValueError("must not hold a `?`: give a key as `api_key`")
    return address.rstrip("/")


class Require(Part):
    """What the judge's calibration must show; a run without it is inconclusive."""

    balanced_accuracy: Share | None = None
    max_age_days: float | None = Field(default=None, gt=0, le=36_500)


class JudgeSettings(ModelSettings):
    """Who labels the claims; a judge that asks a model may lend it to extraction, prompt generation and `criteria` of
    the user's own. `labels` says which output of the model in `model_path` means what."""

    provider: Literal["local", "bedrock", "ollama", "openai", "anthropic", "tiered"] = "local"
    escalate_to: Literal["bedrock", "ollama", "openai", "anthropic"] | None = None
    extract: Literal["local", "model"] = "local"
    model_path: Name | None = None
    labels: dict[Literal["supported", "contradicted", "neither"], Annotated[int, Field(ge=0)]] | None = None
    second_look: bool = False
    criteria: tuple[Criterion, ...] = Field(default=(), max_length=20)
    require: Require | None = None
    anchors: Name | None = None

    @property
    def served_by(self) -> str | None:
        """The provider of the judge's model; None where no model is asked."""
        return self.escalate_to if self.provider == "tiered" else None if self.provider == "local" else self.provider

    @model_validator(mode="after")
    def _complete(self) -> JudgeSettings:
        if (self.provider == "tiered") != (self.escalate_to is not None):
            raise ValueError(
                "provider: tiered and the key `escalate_to` (bedrock, ollama, openai, anthropic) belong together"
            )
        if self.served_by is None:
            extra = [key for key in ModelSettings.model_fields if getattr(self, key)]
            extra += [key for key in ("extract", "second_look") if getattr(self, key) in ("model", True)]
            extra += [key for key in ("criteria", "anchors") if getattr(self, key)]
            if extra:
                raise ValueError(f"provider: local has no model, so `{extra[0]}` has no sense here")
        elif self.served_by != "bedrock" and self.model_id is None:
            raise ValueError(f"a judge from {self.served_by} needs the key `model_id`")
        check_server(self.served_by, self)
        return self

    @field_validator("criteria")
    @classmethod
    def _differ(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len({" ".join(each.casefold().split()) for each in value}) < len(value):
            raise ValueError("must not name a criterion twice")
        return value

    @model_validator(mode="after")
    def _reads(self) -> JudgeSettings:
        if self.model_path and self.provider not in ("local", "tiered"):
            raise ValueError(f"provider: {self.provider} reads with its own model, so `model_path` has no sense here")
        if self.labels is not None:
            if not self.model_path:
                raise ValueError("`labels` belong to the model of `model_path`")
            if "supported" not in self.labels or sorted(self.labels.values()) != list(range(len(self.labels))):
                raise ValueError("`labels` must number every output of the model from 0 on, `supported` among them")
        return self


class AtLeast(Part):
    """A share that has to reach `min`, where that is given."""

    min: Share | None = None


class AtMost(Part):
    """A share that must not exceed `max`, where that is given."""

    max: Share | None = None


class _Weighted(AtLeast):
    @model_validator(mode="after")
    def _weighed(self) -> _Weighted:
        weights = [name for name in type(self).model_fields if name.endswith("_weight")]
        if not any(getattr(self, name) for name in weights):
            raise ValueError(f"one of {', '.join(weights)} must be above 0")
        return self


class Relevance(_Weighted):
    """How much the likeness to the question weighs, and that to the contexts."""

    question_weight: Weight = 0.4
    context_weight: Weight = 0.6


class Overall(_Weighted):
    """How much each of the three parts weighs."""

    relevance_weight: Weight = 0.35
    faithfulness_weight: Weight = 0.40
    completeness_weight: Weight = 0.25


class Correctness(Part):
    """Who grades from 1 to 5, which grade an answer passes at, and the mean that is asked for."""

    min: Annotated[float, Field(ge=1.0, le=5.0)] | None = None
    pass_at: Annotated[float, Field(ge=1.0, le=5.0)] = 4.0
    by: Literal["local", "model"] = "local"


class Latency(Part):
    """Milliseconds that 95 of 100 answers may take at most."""

    max: Annotated[float, Field(gt=0)] | None = None


class Cost(Part):
    """USD that an answer may cost on average."""

    max: Annotated[float, Field(ge=0)] | None = None


class Measures(Part):
    """What is measured beside the risk; a measure that is not named is not computed. Reports follow this order."""

    faithfulness: AtLeast | None = None
    hallucination: AtMost | None = None
    relevance: Relevance | None = None
    context_relevance: AtLeast | None = None
    completeness: AtLeast | None = None
    overall: Overall | None = None
    correctness: Correctness | None = None
    consistency: AtLeast | None = None
    sensitivity: AtMost | None = None
    retrieval_dependency: AtLeast | None = None
    abstention: AtLeast | None = None
    noise: AtMost | None = None
    latency: Latency | None = None
    cost: Cost | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:
        """`relevance:` with nothing behind it asks for the measure with its defaults."""
        if isinstance(value, dict):
            return {name: {} if options is None else options for name, options in value.items()}
        return value

    def asked(self) -> Iterator[tuple[str, Part]]:
        """(name, options) of every measure that is asked for."""
        for name in type(self).model_fields:
            if (options := getattr(self, name)) is not None:
                yield name, options

    def options(self, name: str) -> Part:
        """The options of a measure, asked for or not."""
        given: Part | None = getattr(self, name)
        if given is not None:
            return given
        schema: type[Part] = typing.get_args(type(self).model_fields[name].annotation)[0]
        return schema()

    def thresholds(self) -> dict[str, float]:
        """name -> threshold of the measures that count."""
        found = {name: getattr(options, "min", getattr(options, "max", None)) for name, options in self.asked()}
        return {name: value for name, value in found.items() if value is not None}

    def graded(self) -> Iterator[str]:
        """The measures that ask the judge's model."""
        return (name for name, options in self.asked() if getattr(options, "by", "") == "model")

    def unfed(self, probes: Collection[str], repeats: int, recorded: bool) -> Iterator[str]:
        """What to do about every threshold of a measure that would have nothing to read: it compares an answer with
        those to its probes, which are not planned, or with its repeats; for some either will do. `recorded` answers
        have no probes."""
        for name in self.thresholds():
            probing, repeating = name in PROBING, name in REPEATING
            if not (probing or repeating) or name in probes or (repeating and repeats > 1):
                continue
            ways = ["add it to evaluation.probes"] if probing and not recorded else []
            ways += ["set evaluation.repeats above 1"] if repeating else []
            ways = ways or ["recorded answers have none to its probes; leave the threshold out, or ask a model"]
            yield f"measures.{name} has a threshold, and nothing to be measured by: {', or '.join(ways)}"
