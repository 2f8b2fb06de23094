"""Intervals, tests and agreement: pure functions over numbers and labels."""
