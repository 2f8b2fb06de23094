"""The tree of errors: every class has its place in the drawing and its exit code."""

import inspect

import pytest

from gate import errors
from gate.errors import ConfigError, Fault, GateError, LimitError

CLASSES = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, GateError)]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_is_drawn_and_ends_unlike_a_decision(kind):
    assert kind.__name__ in errors.__doc__
    assert kind.exit_code == (4 if kind is LimitError else 2)


def test_faults_are_listed_with_their_lines():
    error = ConfigError("c.yaml", (Fault(3, "model.path", "is required"), Fault(0, "", "odd")), "look there")
    assert error.message == "c.yaml: 2 faults\n  line 3: model.path: is required\n  odd"
    assert error.hint == "look there"
