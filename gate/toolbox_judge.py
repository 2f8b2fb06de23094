"""Opens who labels the claims, and what the judge's model does besides: taking answers apart, writing questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from gate.errors import SetupError

if TYPE_CHECKING:
    from gate.claims.base import Extractor
    from gate.config_parts import Judge as Settings
    from gate.judges.base import Judge
    from gate.providers.base import Provider, Remote


def connect_judge(settings: Settings, environ: Mapping[str, str]) -> Remote:
    """The judge's model. Errors: SetupError where it can be told before any call."""
    from gate.providers.connect import connect

    model_id = model_of(settings, environ)
    if not model_id:
        raise SetupError("the Bedrock judge has no model", "set judge.model_id or BEDROCK_MODEL_ID", "setup")
    return connect(settings.served_by or "", model_id, environ, settings.base_url or "")


def model_of(settings: Settings, environ: Mapping[str, str]) -> str:
    """The name of the judge's model; BEDROCK_MODEL_ID goes before the configuration."""
    override = environ.get("BEDROCK_MODEL_ID", "").strip() if settings.served_by == "bedrock" else ""
    return override or settings.model_id or ""


def open_judge(settings: Settings, local: Callable[[], Judge], model: Provider | None) -> Judge:
    """The judge; `model` is there if a model is asked, `local` opens the local one if that is needed."""
    if model is None:
        return local()
    from gate.judges.llm import LlmJudge

    if settings.provider != "tiered":
        return LlmJudge(model)
    from gate.judges.tiered import TieredJudge

    return TieredJudge(local(), LlmJudge(model))


def open_extractor(settings: Settings, model: Provider | None) -> Extractor:
    """Who takes answers apart into claims."""
    if settings.extract == "model" and model is not None:
        from gate.claims.by_model import ModelExtractor

        return ModelExtractor(model)
    from gate.claims.local import LocalExtractor

    return LocalExtractor()
