"""What each command does: `add` describes its arguments and loads nothing, `run` works and returns the exit code."""
