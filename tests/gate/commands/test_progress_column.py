"""The remaining time beside a bar."""

import pytest
from rich.progress import Progress

from gate.commands.progress_column import Left


@pytest.mark.parametrize(
    ("done", "seconds", "told"),
    [
        (0, 60.0, ""),
        (256, 60.0, "about 0:02:54 left"),  # all at once: the pace is that of the whole minute
        (1, 60.0, "about 16:39:00 left"),
        (1000, 60.0, "about 0:00:00 left"),
    ],
)
def test_it_goes_by_the_mean_pace(done, seconds, told):
    now = [0.0]
    with Progress(get_time=lambda: now[0], disable=True) as progress:
        task = progress.add_task("", total=1000)
        now[0] = seconds
        for _ in range(done):
            progress.update(task, advance=1)
        assert Left().render(progress.tasks[0]).plain == told
