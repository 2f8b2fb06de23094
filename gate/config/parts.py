"""Parts of the configuration: what all of them share, where the documents and an Elasticsearch are, and who judges."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationInfo, field_validator, model_validator

Name = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


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


def check_address(provider: str | None, base_url: str | None) -> None:
    """An address that is not used would let calls go elsewhere than its writer believes. Errors: ValueError."""
    if provider == "bedrock" and base_url is not None:
        raise ValueError("bedrock has its address from AWS_ENDPOINT_URL_BEDROCK_RUNTIME: `base_url` has no sense here")


class DocSource(Part):
    """Where trusted documents are."""

    type: Literal["local", "s3"] = "local"
    path: Name

    @model_validator(mode="after")
    def _is_of_its_type(self) -> DocSource:
        if (self.type == "s3") != _is_s3(self.path):
            raise ValueError("`type: s3` and a path that begins with s3:// belong together")
        return self


def doc_source(value: Any) -> Any:
    """The short form of a source, a path or an address, as the long one."""
    return {"type": "s3" if _is_s3(value) else "local", "path": value} if isinstance(value, str) else value


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


class JudgeSettings(Part):
    """Who labels the claims; a judge that asks a model may lend it to extraction and to prompt generation. `labels`
    says which output of the model in `model_path` means what."""

    provider: Literal["local", "bedrock", "ollama", "openai", "tiered"] = "local"
    escalate_to: Literal["bedrock", "ollama", "openai"] | None = None
    model_id: Name | None = None
    base_url: Name | None = None
    extract: Literal["local", "model"] = "local"
    model_path: Name | None = None
    labels: dict[Literal["supported", "contradicted", "neither"], Annotated[int, Field(ge=0)]] | None = None
    second_look: bool = False
    require: Require | None = None

    @property
    def served_by(self) -> str | None:
        """The provider of the judge's model; None where no model is asked."""
        return self.escalate_to if self.provider == "tiered" else None if self.provider == "local" else self.provider

    @model_validator(mode="after")
    def _complete(self) -> JudgeSettings:
        if (self.provider == "tiered") != (self.escalate_to is not None):
            raise ValueError("provider: tiered and the key `escalate_to` (bedrock, ollama, openai) belong together")
        if self.served_by is None:
            extra = [key for key in ("model_id", "base_url") if getattr(self, key)]
            extra += [key for key in ("extract", "second_look") if getattr(self, key) in ("model", True)]
            if extra:
                raise ValueError(f"provider: local has no model, so `{extra[0]}` has no sense here")
        elif self.served_by != "bedrock" and self.model_id is None:
            raise ValueError(f"a judge from {self.served_by} needs the key `model_id`")
        check_address(self.served_by, self.base_url)
        return self

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
