"""promptfoo: tests with `vars` and `assert` from YAML, JSON or CSV; some assertions name the right answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.datasets import combinations
from gate.datasets.assertions import assertions_of, reference_of, shorthand
from gate.datasets.base import Content, Format, Ledger, Row, keep, objects
from gate.datasets.columns import ALIASES, mapped, normal, text_of
from gate.datasets.rows import MAX_CHARS
from gate.datasets.tables import OVER

_NAMES = frozenset(name for place in ("question", "reference", "contexts") for name in ALIASES[place])
_SLOT = re.compile(r"\{\{-?\s{0,9}([A-Za-z_][\w.]{0,99})\s{0,9}-?\}\}")
_EXPECTED = re.compile(r"__expected\d{0,3}")
_SMALLER = "import fewer tests at a time, or shorten the arrays"


def matches(content: Content) -> bool:
    """Whether there are tests: entries with `vars` or `assert`, or a CSV column `__expected`."""
    if content.kind == "csv":
        return any(_EXPECTED.fullmatch(name) for row in objects(content.value)[:1] for name in row)
    if isinstance(content.value, dict) and "tests" in content.value:
        return bool({"prompts", "providers", "description", "defaultTest"} & set(content.value)) or any(
            "vars" in test or "assert" in test for test in objects(content.value["tests"])
        )
    return any("vars" in test or "assert" in test for test in objects(content.value)[:5])


def read(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each test, or for each combination of its variables. Errors: InputFileError where the tests are in
    another file, and where there are more combinations than can be written."""
    for content in contents:
        more = spent = 0
        for test, prompt in _tests(content, ledger):
            more += combinations.number(test) - 1
            if more > combinations.MAX_TESTS:
                raise content.fault(f"its arrays give more than {combinations.MAX_TESTS:,} tests", _SMALLER)
            for row in _rows(test, prompt, ledger):
                spent += len(row["question"])
                if spent > MAX_CHARS:
                    raise content.fault("its questions are larger than the gate reads", _SMALLER)
                yield row


def _tests(content: Content, ledger: Ledger) -> Iterator[tuple[dict[str, Any], str]]:
    """Every test with what all have in common, and the prompt."""
    value = content.value
    if content.kind == "csv":
        yield from ((_from_cells(cells), "") for cells in objects(value))
        return
    if isinstance(value, dict) and isinstance(value.get("tests"), str):
        raise content.fault(f"its tests are elsewhere: {value['tests'][:80]}", "import that file")
    default = value.get("defaultTest") if isinstance(value, dict) else None
    prompt = _prompt(value.get("prompts")) if isinstance(value, dict) and "tests" in value else ""
    if isinstance(default, dict):  # it is written into every test
        value = {name: part for name, part in value.items() if name != "defaultTest"}
    for test in objects(value, "tests", ledger=ledger):
        yield _with_default(test, default, ledger), prompt


def _from_cells(cells: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a CSV file as a test."""
    expected = [name for name in cells if _EXPECTED.fullmatch(name)]
    others = [name for name in cells if name not in expected and (name.startswith("__") or name == OVER)]
    test: dict[str, Any] = {
        name if name in ("__vars", "__assert") else name.lstrip("_"): cells[name] for name in others
    }
    test["vars"] = {name: cell for name, cell in cells.items() if name not in (*expected, *others)}
    test["assert"] = [shorthand(cells[name]) for name in expected if cells[name].strip()]
    return test


def _with_default(test: Mapping[str, Any], default: Any, ledger: Ledger) -> dict[str, Any]:
    if not isinstance(default, dict):
        return dict(test)
    joined = {**default, **test}
    variables = [part["vars"] for part in (default, test) if isinstance(part.get("vars"), dict)]
    if variables:
        joined["vars"] = {**variables[0], **variables[-1]}
        for part in (default, test):
            if not isinstance(part.get("vars"), dict):
                ledger.rest("variables that are not written out", {"vars": part.get("vars")})
    joined["assert"] = [check for part in (default, test) for check in objects(part.get("assert"), ledger=ledger)]
    return joined


def _prompt(prompts: Any) -> str:
    """The one prompt, if there is one and it is written out."""
    listed = prompts if isinstance(prompts, list) else [prompts]
    texts = [text for text in listed if isinstance(text, str)]
    return texts[0] if len(listed) == len(texts) == 1 and not texts[0].startswith("file://") else ""


def _rows(test: Mapping[str, Any], prompt: str, ledger: Ledger) -> Iterator[Row]:
    if not isinstance(test.get("vars"), dict):
        ledger.out("test without variables of its own")
        return
    checks = assertions_of(test.get("assert"), ledger)
    rest = {name: value for name, value in test.items() if name not in ("vars", "assert")}
    for variables in combinations.combinations(test):
        reference, unused = reference_of(checks, variables, ledger)
        row = _row(variables, reference, prompt, ledger)
        others = {name: value for name, value in variables.items() if normal(name) not in _NAMES}
        keep(row, {**rest, "vars": others, "assert": unused}, ledger)
        for check in unused if row["question"] else ():
            ledger.out("assertion that names no answer (kept in `assert`)", str(check.get("type")))
        yield row


def _row(variables: Mapping[str, Any], reference: str, prompt: str, ledger: Ledger) -> Row:
    """What the variables and the assertions say of question, reference and contexts. Without a question it is an empty
    text: the row is then counted as one without a question."""
    row = mapped({name: value for name, value in variables.items() if normal(name) in _NAMES}, ledger)
    other = row.get("reference")
    if reference and other != reference:
        row["reference"] = reference
        keep(row, {"reference": other}, ledger)
    row["question"] = row.get("question") or _question(variables, prompt)
    return row


def _question(variables: Mapping[str, Any], prompt: str) -> str:
    """Where no variable is called so: the prompt with its variables, else the only variable; else an empty text."""
    if prompt:
        filled = _SLOT.sub(lambda match: text_of(variables.get(match[1])) or match[0], prompt)
        return "" if _SLOT.search(filled) else filled
    return (text_of(next(iter(variables.values()))) or "") if len(variables) == 1 else ""


FORMAT = Format(
    "tests with `vars` and `assert`, a configuration with `tests`, or a CSV with `__expected`", matches, read
)
