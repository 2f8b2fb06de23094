"""The remaining time beside a bar, by the mean pace: what comes back in portions has no pace of its own."""

from __future__ import annotations

from rich.progress import ProgressColumn, Task
from rich.text import Text

from gate.commands.dataset_progress import seconds_left


class Left(ProgressColumn):
    """`about 0:02:05 left`; nothing as long as nothing is done."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        """The text of the column."""
        if not task.completed or task.total is None:
            return Text("")
        minutes, seconds = divmod(round(seconds_left(task.elapsed or 0.0, task.completed, task.total)), 60)
        hours, minutes = divmod(minutes, 60)
        return Text(f"about {hours}:{minutes:02}:{seconds:02} left", style="progress.remaining")
