"""One thread for numpy's products in the gate, and the user's own setting for the user's programs."""

import os
import subprocess
import sys

import pytest

from gate.process import NAME, OURS, alone, passed_on
from gate.providers.command import Processes


@pytest.mark.parametrize(("given", "ours"), [({}, OURS), ({NAME: "8"}, "8"), ({NAME: "1"}, "1")])
def test_a_setting_of_the_user_stays_and_reaches_the_users_programs(given, ours):
    environment = {"PATH": "/bin", **given}
    alone(environment)
    assert environment[NAME] == ours
    assert passed_on(environment) == {"PATH": "/bin", **given}


def test_a_program_under_test_has_all_cores(monkeypatch, tmp_path):
    monkeypatch.setenv(NAME, OURS)
    ended = Processes().run(["sh", "-c", f"echo ${{{NAME}-none}} $PATH"], b"", tmp_path, 60.0, 10_000)
    assert ended.stdout.decode().split() == ["none", os.environ["PATH"]]


def test_a_product_of_the_gate_starts_no_threads(tmp_path):
    script = """if True:
        import os
        from gate.cli import main
        main([])
        import numpy as np
        side = np.ones((600, 600), dtype=np.float32)
        side @ side
        print(len(os.listdir("/proc/self/task")))
    """
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("no /proc")
    environment = {name: value for name, value in os.environ.items() if name != NAME}
    told = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.split()[-1] == "1"
