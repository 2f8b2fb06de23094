"""The reliability gate for LLM applications: label every claim against trusted documents, then decide."""

__version__ = "1.0.0"
