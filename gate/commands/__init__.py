"""What each command does: functions whose parameters typer fills and whose result is the exit code."""
