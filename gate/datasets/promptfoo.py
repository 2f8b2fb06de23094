"""promptfoo: tests with `vars` and `assert` from YAML, JSON or CSV; some assertions name the right answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.datasets.assertions import assertions_of, reference_of, shorthand
from gate.datasets.base import Content, Format, Ledger, Row, keep, objects
from gate.datasets.columns import ALIASES, mapped, normal, text_of

_NAMES = frozenset(name for place in ("question", "reference", "contexts") for name in ALIASES[place])
_SLOT = re.compile(r"\{\{-?\s{0,9}([A-Za-z_][\w.]{0,99})\s{0,9}-?\}\}")
_EXPECTED = re.compile(r"__expected\d{0,3}")


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
    """One row for each test. Errors: InputFileError where the tests are in another file."""
    for content in contents:
        if content.kind == "csv":
            for cells in objects(content.value):
                yield from _rows(_from_cells(cells), "", ledger)
            continue
        value = content.value
        if isinstance(value, dict) and isinstance(value.get("tests"), str):
            raise content.fault(f"its tests are elsewhere: {value['tests'][:80]}", "import that file")
        default = value.get("defaultTest") if isinstance(value, dict) else None
        prompt = _prompt(value.get("prompts")) if isinstance(value, dict) and "tests" in value else ""
        for test in objects(value, "tests", ledger=ledger):
            yield from _rows(_with_default(test, default), prompt, ledger)


def _from_cells(cells: Mapping[str, str]) -> dict[str, Any]:
    """A row of a CSV file as a test."""
    checks = [shorthand(cell) for name, cell in cells.items() if _EXPECTED.fullmatch(name) and cell.strip()]
    rest = {name.lstrip("_"): cell for name, cell in cells.items() if name.startswith("__")}
    rest = {name: cell for name, cell in rest.items() if not name.startswith("expected")}
    variables = {name: cell for name, cell in cells.items() if not name.startswith("__")}
    return {**rest, "vars": variables, "assert": checks}


def _with_default(test: Mapping[str, Any], default: Any) -> dict[str, Any]:
    if not isinstance(default, dict):
        return dict(test)
    joined = {**default, **test}
    variables = [part["vars"] for part in (default, test) if isinstance(part.get("vars"), dict)]
    if variables:
        joined["vars"] = {**variables[0], **variables[-1]}
    joined["assert"] = [check for part in (default, test) for check in objects(part.get("assert"))]
    return joined


def _prompt(prompts: Any) -> str:
    """The one prompt, if there is one and it is written out."""
    listed = prompts if isinstance(prompts, list) else [prompts]
    texts = [text for text in listed if isinstance(text, str)]
    return texts[0] if len(listed) == len(texts) == 1 and not texts[0].startswith("file://") else ""


def _rows(test: Mapping[str, Any], prompt: str, ledger: Ledger) -> Iterator[Row]:
    variables = test.get("vars")
    if not isinstance(variables, dict):
        ledger.out("test without variables of its own")
        return
    checks = assertions_of(test.get("assert"))
    reference, unused = reference_of(checks, variables)
    for question in _questions(variables, prompt):
        known = {name: value for name, value in variables.items() if normal(name) in _NAMES}
        row = mapped({**known, **({"reference": reference} if reference else {})}, ledger)
        row |= {"question": question}
        others = {name: value for name, value in variables.items() if name not in known}
        rest = {name: value for name, value in test.items() if name not in ("vars", "assert")}
        keep(row, {**rest, "vars": others, "assert": unused}, ledger)
        for check in unused if question else ():
            ledger.out("assertion that names no answer (kept in `assert`)", str(check.get("type")))
        yield row


def _questions(variables: Mapping[str, Any], prompt: str) -> list[str]:
    """The variable that is a question (each of several), else the prompt with its variables, else the only variable;
    one empty text where there is none: the row is then counted as one without a question."""
    by_name = {normal(name): value for name, value in variables.items()}
    found = next((by_name[name] for name in ALIASES["question"] if by_name.get(name)), None)
    if isinstance(found, list):
        return [text for text in map(text_of, found) if text]
    if found is None and prompt:
        filled = _SLOT.sub(lambda match: text_of(variables.get(match[1])) or match[0], prompt)
        return ["" if _SLOT.search(filled) else filled]
    if found is None and len(variables) == 1:
        found = next(iter(variables.values()))
    return [text_of(found) or ""]


FORMAT = Format(
    "tests with `vars` and `assert`, a configuration with `tests`, or a CSV with `__expected`", matches, read
)
