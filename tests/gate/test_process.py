"""A signal ends work and never the telling; none is lost. Numpy gets one thread, the user's programs all cores."""

import importlib
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from gate.errors import ModelFileError
from gate.process import NAME, OURS, Interrupts, alone, interrupt, load_beside, passed_on, take_signals
from gate.providers.command import Processes


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM])
def number(request):
    """A signal that is KeyboardInterrupt, as the command line makes it."""
    before = signal.signal(request.param, interrupt)
    yield request.param
    signal.signal(request.param, before)


def signalled(number, interrupts):
    with interrupts.allowed():
        signal.raise_signal(number)


def test_where_it_is_allowed_it_is_an_interrupt_at_once(number):
    with Interrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt):
            signalled(number, interrupts)
        reached = "told"
    assert reached == "told"


def test_elsewhere_it_waits_for_the_next_work(number):
    reached = []
    with Interrupts() as interrupts:
        signal.raise_signal(number)
        reached.append("told")
        with pytest.raises(KeyboardInterrupt), interrupts.allowed():
            reached.append("work")
        with interrupts.allowed():
            reached.append("more")
    assert reached == ["told", "more"]


def telling(number, tell):
    with Interrupts():
        signal.raise_signal(number)
        tell()


def test_one_that_nothing_was_left_for_is_told_at_the_end(number):
    reached = []
    with pytest.raises(KeyboardInterrupt):
        telling(number, lambda: reached.append("told"))
    assert reached == ["told"]
    assert signal.getsignal(number) is interrupt


def test_a_fault_goes_before_an_interrupt(number):
    with pytest.raises(ZeroDivisionError):
        telling(number, lambda: 1 / 0)


def test_an_ignored_signal_stays_ignored(number):
    signal.signal(number, signal.SIG_IGN)
    with Interrupts() as interrupts, interrupts.allowed():
        signal.raise_signal(number)
        assert signal.getsignal(number) is signal.SIG_IGN


def test_within_an_import_it_waits_until_that_is_done(number, tmp_path, monkeypatch):
    (tmp_path / "slowly_loaded.py").write_text(f"import signal\nsignal.raise_signal({int(number)})\nwhole = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("slowly_loaded")  # not ended by it
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        time.sleep(30)
    assert time.monotonic() - begun < 25  # what waits is woken
    assert sys.modules.pop("slowly_loaded").whole


def test_both_signals_end_the_process_and_one_that_is_ignored_stays_so():
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    take_signals()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGTERM) is interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)
    take_signals()
    assert signal.getsignal(signal.SIGINT) is interrupt
    for one, handler in before.items():
        signal.signal(one, handler)


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


def test_a_model_that_cannot_be_loaded_beside_says_nothing_yet(recwarn):
    tried, thread = threading.Event(), []

    def load():
        thread.append(threading.current_thread())
        tried.set()
        raise ModelFileError("no model", "")

    load_beside(load)
    assert tried.wait(30)
    thread[0].join(30)
    assert thread[0] is not threading.current_thread()
    assert not recwarn.list
