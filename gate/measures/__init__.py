"""What is computed from a run: pure functions over records."""
