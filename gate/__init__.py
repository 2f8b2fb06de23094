"""The reliability gate for LLM applications: labels every claim of an answer against trusted documents, then decides."""

__version__ = "0.1.0"
