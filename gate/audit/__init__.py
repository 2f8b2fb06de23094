"""Judging logged answers in bulk."""
