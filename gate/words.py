"""The closed vocabularies: categories of prompts, labels of claims, decisions of a run."""

from __future__ import annotations

from enum import StrEnum


class Category(StrEnum):
    """What a prompt tries."""

    FACTUAL_RECALL = "factual_recall"
    EDGE_CASES = "edge_cases"
    POLICY_BOUNDARIES = "policy_boundaries"
    AMBIGUOUS_QUERIES = "ambiguous_queries"


class Label(StrEnum):
    """The label of a claim; `unjudged` is never counted as any of the others."""

    SUPPORTED = "supported"
    WEAKLY_SUPPORTED = "weakly_supported"
    UNSUPPORTED = "unsupported"
    UNJUDGED = "unjudged"


class Decision(StrEnum):
    """What the gate says of a run."""

    DEPLOY = "deploy"
    WARN = "warn"
    BLOCK = "block"
    INCONCLUSIVE = "inconclusive"
