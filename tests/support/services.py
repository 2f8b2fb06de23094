"""Servers for the tests marked `services`: missing ones skip such a test, in CI (CI=true) they fail it."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

SCRIPTS = Path(os.environ.get("GATE_SERVICES", Path(__file__).parents[2] / "../shared/services")).resolve()


def missing(what: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is needed in CI")
    pytest.skip(what)


def link(there: str, here: str) -> None:
    try:
        os.link(there, here)
    except OSError:  # another file system
        shutil.copy2(there, here)


@dataclass
class OwnElasticsearch:
    """A server of the test's own, to be killed; what was built for the usual one is copied."""

    state: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        usual = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "gate-services/elasticsearch-9200"
        skipped = shutil.ignore_patterns("data", "logs", "pid")
        if usual.is_dir():
            shutil.copytree(usual, self.state, ignore=skipped, copy_function=link)
            shutil.rmtree(self.state / "config", ignore_errors=True)  # written in place by `up`: not to be shared

    def run(self, script: str) -> None:
        environ = {**os.environ, "ES_PORT": str(self.port), "ES_STATE": str(self.state), "ES_HEAP": "512m"}
        subprocess.run(
            [SCRIPTS / "elasticsearch" / script], env=environ, check=True, timeout=240, stdout=subprocess.DEVNULL
        )

    def kill(self) -> None:
        os.kill(int((self.state / "pid").read_text()), 9)
