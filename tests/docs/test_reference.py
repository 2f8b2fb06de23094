"""The reference says what the code does: every key, every command, every exit code, and no link into nothing."""

import re
import runpy
import typing
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from gate.config import Config
from gate.reports.outcome import _CODES

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "action/README.md", *(ROOT / "docs").rglob("*.md")])
ROW = re.compile(r"^\| (`[^|]*`) \| ([^|]*) \|", re.MULTILINE)


def part_in(annotation):
    """(the model inside an annotation or None, what stands between its key and the model's keys)."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, "."
    for inner in typing.get_args(annotation):
        found, _ = part_in(inner)
        if found:
            origin = typing.get_origin(annotation)
            return found, {tuple: "[].", dict: ".<model>."}.get(origin, part_in(inner)[1])
    return None, ""


def keys(model, before=""):
    """key -> its default, all the way down."""
    for name, field in ((field.alias or name, field) for name, field in model.model_fields.items()):
        inner, between = part_in(field.annotation)
        if inner:
            yield from keys(inner, f"{before}{name}{between}")
        else:
            yield before + name, field.default


def documented():
    text = (ROOT / "docs/reference/configuration.md").read_text(encoding="utf-8")
    return {key: default for cells, default in ROW.findall(text) for key in re.findall(r"`([^`]+)`", cells)}


def test_every_key_of_the_configuration_is_in_the_reference_and_no_other():
    known = {key for key, _ in keys(Config)}
    parts = {key.split(".")[0].split("[")[0] for key in known}  # a row about the part as a whole is welcome
    assert known - documented().keys() == set()
    assert documented().keys() - known - parts == set()


def test_the_defaults_in_the_reference_are_those_of_the_code():
    told = documented()
    for key, default in keys(Config):
        if isinstance(default, bool | int | float | str):
            word = told[key].strip().strip("`")
            assert yaml.safe_load(word) == default or word in {"-", "none"}, key


@pytest.mark.parametrize("name", ["docs/reference/commands.md", "docs/reference/verdict.md"])
def test_generated_pages_are_up_to_date(name):
    pages = runpy.run_path(str(ROOT / "scripts/reference.py"))["PAGES"]
    assert (ROOT / name).read_text(encoding="utf-8") == pages[name](), "python scripts/reference.py writes it anew"


def test_exit_codes_are_those_of_the_code():
    told = dict(
        re.findall(r"^\| (\d) \| ([^|]+) \|", (ROOT / "docs/reference/exit-codes.md").read_text(), re.MULTILINE)
    )
    assert set(told) == {"0", "1", "2", "3", "4"}
    for decision, code in _CODES.items():
        assert decision in told[str(code)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith(("http://", "https://")):
            name, _, anchor = target.partition("#")
            there = (page.parent / name) if name else page
            assert there.exists(), target
            if anchor and there.suffix == ".md":
                heads = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
                assert anchor in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}, target


def commands():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for command in re.findall(r"^ {4}(?:\$ )?(gate [^#\n\\|>]*)", text, re.MULTILINE):
            for one in command.split("&&"):
                yield pytest.param(one.strip(), id=f"{page.stem}: {one.strip()}")


@pytest.mark.parametrize("command", list(commands()))
def test_commands_in_the_documentation_can_be_parsed(command):
    import shlex

    from tests.support.arguments import parse

    name, *arguments = shlex.split(command)
    assert name == "gate"
    parse([word for word in arguments if word != "..."])
