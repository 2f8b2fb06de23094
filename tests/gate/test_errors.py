"""The tree of errors: every class has its place in the drawing and its exit code."""

import inspect

import pytest

from gate import errors
from gate.errors import ConfigError, Fault, GateError, LimitError, ProviderError, TransientError

CLASSES = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, GateError)]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_is_drawn_in_the_docstring(kind):
    assert kind.__name__ in errors.__doc__


@pytest.mark.parametrize("kind", CLASSES)
def test_no_error_ends_like_a_decision(kind):
    assert kind.exit_code == (4 if kind is LimitError else 2)


def test_no_error_shadows_a_builtin():
    assert not {kind.__name__ for kind in CLASSES} & set(dir(__builtins__))


def test_faults_are_listed_with_their_lines():
    error = ConfigError("c.yaml", (Fault(3, "model.path", "is required"), Fault(0, "", "odd")), "look there")
    assert error.message == "c.yaml: 2 faults\n  line 3: model.path: is required\n  odd"
    assert error.hint == "look there"


def test_a_transient_error_carries_the_wait_that_was_asked_for():
    error = TransientError("busy", retry_after=2.5, kind="throttled")
    assert (error.retry_after, error.kind, isinstance(error, ProviderError)) == (2.5, "throttled", True)
