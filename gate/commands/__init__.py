"""What each command does: `add` describes its arguments and loads nothing; `run` does the work and returns the exit code."""
