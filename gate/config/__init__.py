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
    Overall,
    Part,
    Relevance,
    Require,
    checked_address,
)
from gate.config.schema import Config, Embedding, Evaluation, Limits, Model, Price, RiskTolerance

__all__ = [
    "DEFAULT_PATH",
    "AtLeast",
    "AtMost",
    "Config",
    "Correctness",
    "Cost",
    "DocSource",
    "Elasticsearch",
    "Embedding",
    "Evaluation",
    "JudgeSettings",
    "Latency",
    "Limits",
    "Measures",
    "Model",
    "Overall",
    "Part",
    "Price",
    "Relevance",
    "Require",
    "RiskTolerance",
    "checked_address",
    "load",
]
