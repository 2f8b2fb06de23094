"""The configuration: its schema, frozen, and `load`, which reports every fault of a file at once."""

from gate.config.file import DEFAULT_PATH, load
from gate.config.parts import (
    AtLeast,
    AtMost,
    Correctness,
    Cost,
    DocSource,
    Elasticsearch,
    JudgeSettings,
    Latency,
    Measures,
    ModelSettings,
    Overall,
    Part,
    Relevance,
    Require,
    ServerSettings,
    checked_address,
)
from gate.config.schema import PLACEHOLDER, Config, Embedding, Evaluation, Limits, Model, Price, RiskTolerance

__all__ = [
    "DEFAULT_PATH", "PLACEHOLDER", "AtLeast", "AtMost", "Config", "Correctness", "Cost", "DocSource",
    "Elasticsearch", "Embedding", "Evaluation", "JudgeSettings", "Latency", "Limits", "Measures", "Model",
    "ModelSettings", "Overall", "Part", "Price", "Relevance", "Require", "RiskTolerance", "ServerSettings",
    "checked_address", "load",
]  # fmt: skip
