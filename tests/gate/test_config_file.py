"""YAML with lines, bounds and variables."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config_file import dotted, read_yaml
from gate.errors import ConfigError


def read(tmp_path, text, environ=None):
    path = tmp_path / "c.yaml"
    path.write_text(text, encoding="utf-8")
    return read_yaml(path, environ or {})


def test_every_value_has_its_line(tmp_path):
    values, lines, faults = read(tmp_path, "a:\n  b: 1\n  c:\n    - x\n    - {d: 2}\n")
    assert values == {"a": {"b": 1, "c": ["x", {"d": 2}]}}
    assert (lines[("a", "b")], lines[("a", "c", 0)], lines[("a", "c", 1, "d")], faults) == (2, 4, 5, [])


def test_plain_types_are_yamls_own(tmp_path):
    values, _, _ = read(tmp_path, "i: 3\nf: 0.5\nb: true\nn: null\nd: 2024-01-31\ns: '3'\n")
    assert (values["i"], values["f"], values["b"], values["n"], values["s"]) == (3, 0.5, True, None, "3")


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system ['true']", "!!binary '%%%'", "!own x"])
def test_a_tag_that_makes_objects_is_never_obeyed(tmp_path, tag):
    values, _, faults = read(tmp_path, f"a: {tag}\n")
    assert values["a"] in (["true"], b"", None)
    assert isinstance(values["a"], list) or faults or values["a"] == b""


@pytest.mark.parametrize("value", ["!!int ''", "!!float ''", "!!bool x", "!!timestamp x", '"a\\0b"'])
def test_a_value_that_cannot_be_read_is_a_fault_with_its_line(tmp_path, value):
    values, _, faults = read(tmp_path, f"a: 1\nb: {value}\n")
    assert values["b"] is None
    assert [(fault.line, fault.where) for fault in faults] == [(2, "b")]
    assert "cannot read the value" in faults[0].message


def test_a_recursive_alias_ends(tmp_path):
    with pytest.raises(ConfigError, match="nested too deeply"):
        read(tmp_path, "a: &a [*a]\n")


def test_brackets_without_end_are_told_as_such(tmp_path):
    with pytest.raises(ConfigError, match="nested too deeply"):
        read(tmp_path, "a: " + "[" * 20_000)


@pytest.mark.parametrize(
    ("path", "text"), [((), ""), (("a",), "a"), (("a", 0, "b"), "a[0].b"), (("a", "b", 12), "a.b[12]")]
)
def test_a_path_is_told_as_people_write_it(path, text):
    assert dotted(path) == text


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=200))
def test_any_text_is_read_or_refused_with_an_error_of_ours(tmp_path_factory, text):
    path = Path(tmp_path_factory.mktemp("y") / "c.yaml")
    path.write_text(text, encoding="utf-8")
    try:
        values, _, _ = read_yaml(path, {})
    except ConfigError as error:
        assert error.faults
    else:
        assert isinstance(values, dict)
