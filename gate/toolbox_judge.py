"""Opens who labels the claims, and what the judge's model does besides: taking answers apart, writing questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from gate.errors import SetupError

if TYPE_CHECKING:
    from gate.config_parts import Judge as Settings
    from gate.judges.base import Judge
    from gate.providers.base import Embedder, Provider
    from gate.providers.chain import Remote


def connect_judge(settings: Settings, environ: Mapping[str, str]) -> Remote:
    """The judge's model; BEDROCK_MODEL_ID goes before the configuration. Errors: SetupError."""
    from gate.providers.connect import connect

    name = settings.served_by or ""
    model_id = settings.model_id or ""
    if name == "bedrock":
        model_id = environ.get("BEDROCK_MODEL_ID", "").strip() or model_id
    if not model_id:
        raise SetupError("the Bedrock judge has no model", "set judge.model_id or BEDROCK_MODEL_ID", "setup")
    return connect(name, model_id, environ, settings.base_url or "")


def open_judge(settings: Settings, embedder: Callable[[], Embedder], model: Provider | None) -> Judge:
    """The judge; `model` is there if a model is asked."""
    if settings.provider in ("local", "tiered"):
        from gate.judges.local import LocalJudge

        local = LocalJudge(embedder())
    if model is None:
        return local
    from gate.judges.llm import LlmJudge

    if settings.provider != "tiered":
        return LlmJudge(model)
    from gate.judges.tiered import TieredJudge

    return TieredJudge(local, LlmJudge(model))
