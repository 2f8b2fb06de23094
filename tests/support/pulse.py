"""A pipe that programs hold open: it tells when they run, and when the last of them is dead."""

import os
import select
import time
from pathlib import Path


class Pulse:
    """The reading end of the named pipe at `path`."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def wait(self) -> None:
        """Until a program has written."""
        while not select.select([self.reader], [], [], 0)[0] or not os.read(self.reader, 100):
            time.sleep(0.01)

    def rest(self) -> bytes:
        """All that comes until nobody can write any more."""
        found = b""
        while True:
            assert select.select([self.reader], [], [], 20)[0], "a program still holds the pipe open"
            if not (data := os.read(self.reader, 100)):
                return found
            found += data
