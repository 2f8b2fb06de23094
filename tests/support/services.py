"""Servers for the tests marked `services`: missing ones skip such a test, in CI (CI=true) they fail it.

Some tests kill a server: one of their own, where the scripts are that start one; else docker-compose.test.yml's."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NoReturn

import pytest

SCRIPTS = Path(os.environ.get("GATE_SERVICES", Path(__file__).parents[2] / "../shared/services")).resolve()
COMPOSE = ("docker", "compose", "-f", str(Path(__file__).parents[2] / "docker-compose.test.yml"))


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
class Own:
    """A server of the test's own, to be stopped: `folder` of the scripts starts and stops it on `port`."""

    port: int
    folder: ClassVar[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def up(self) -> None:
        self._run("up")

    def down(self) -> None:
        self._run("down")

    def environ(self) -> dict[str, str]:
        raise NotImplementedError

    def _run(self, script: str) -> None:
        command = [SCRIPTS / self.folder / script]
        subprocess.run(command, env=self.environ(), check=True, timeout=600, stdout=subprocess.DEVNULL)


@dataclass
class OwnElasticsearch(Own):
    """To be killed; what was built for the usual one is copied."""

    state: Path
    folder = "elasticsearch"

    def environ(self) -> dict[str, str]:
        return {**os.environ, "ES_PORT": str(self.port), "ES_STATE": str(self.state), "ES_HEAP": "512m"}

    def prepare(self) -> None:
        usual = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "gate-services/elasticsearch-9200"
        skipped = shutil.ignore_patterns("data", "logs", "pid")
        if usual.is_dir():
            shutil.copytree(usual, self.state, ignore=skipped, copy_function=link)
            shutil.rmtree(self.state / "config", ignore_errors=True)  # written in place by `up`: not to be shared

    def kill(self) -> None:
        os.kill(int((self.state / "pid").read_text()), 9)


@dataclass
class OwnOllama(Own):
    model: str = "gemma-270m"
    folder = "ollama"
    kill = Own.down

    def environ(self) -> dict[str, str]:
        usual = {name: value for name, value in os.environ.items() if name != "OLLAMA_HOST"}
        return {**usual, "OLLAMA_PORT": str(self.port)}


@dataclass
class Composed:
    """A server that other tests use as well: after a test it runs again."""

    name: str
    url: str
    model: str = ""

    def prepare(self) -> None:
        pass

    def up(self) -> None:
        subprocess.run([*COMPOSE, "up", "-d", "--wait", self.name], check=True, timeout=240)

    down = up

    def kill(self) -> None:
        subprocess.run([*COMPOSE, "kill", self.name], check=True, timeout=60)


def composed(name: str, url: str, model: str = "") -> Composed:
    """The running server of that name; where there is none, the test is skipped, in CI it fails."""
    try:
        done = subprocess.run([*COMPOSE, "ps", "-q", name], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        missing(f"docker compose: {error}")
    if done.returncode or not done.stdout.strip():
        missing(f"{name} of docker-compose.test.yml, to be killed,")
    return Composed(name, url, model)


def elasticsearch_to_kill(state: Path, url: str) -> OwnElasticsearch | Composed:
    """Needs no index that was there before."""
    if (SCRIPTS / "elasticsearch/up").exists():
        return OwnElasticsearch(9277, state)
    return composed("elasticsearch", url)


def ollama_to_kill(url: str, model: str) -> OwnOllama | Composed:
    """With a tiny model."""
    return OwnOllama(11499) if (SCRIPTS / "ollama/up").exists() else composed("ollama", url, model)
