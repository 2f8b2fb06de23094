"""promptfoo: tests with `vars` and `assert` from YAML, JSON or CSV; some assertions name the right answer."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gate.checks import parse_checks
from gate.datasets.base import (
    ALIASES,
    MAX_CHARS,
    Content,
    Format,
    Leftovers,
    NewRow,
    is_filled,
    keep,
    normalise_name,
    number_of,
    objects,
    row_of,
    text_of,
)
from gate.datasets.files import OVER, load_text

_FILE = "file://"
_NAMES = frozenset(name for place in ("question", "reference", "contexts") for name in ALIASES[place])
_SLOT = re.compile(r"\{\{-?\s{0,9}([A-Za-z_][\w.]{0,99})\s{0,9}-?\}\}")
_EXPECTED = re.compile(r"__expected\d{0,3}")
_SMALLER = "import fewer tests at a time, or shorten the arrays"
# The kinds that name an answer, the most exact first; several of a kind are parts (or, for -any, choices) of one.
KINDS = (
    *("equals", "factuality", "model-graded-factuality", "similar", "context-recall", "contains-all", "icontains-all"),
    *("contains", "icontains", "starts-with", "contains-any", "icontains-any", "levenshtein", "rouge-n", "bleu"),
)
_SHORTHAND = re.compile(r"(not-)?([a-z][a-z-]{1,40})(?:\(([\d.]{1,9})\))?:\s*(.*)", re.DOTALL)
_OTHER = frozenset(("regex", "javascript", "python", "llm-rubric", "g-eval", "is-json", "contains-json", "webhook"))
_SHORT_KINDS = {"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}
_WHOLE_SLOT = re.compile(r"\{\{\s{0,9}([A-Za-z_]\w{0,99})\s{0,9}\}\}")
_ESCAPED = re.compile(r"[^\w\s]", re.ASCII)
_LIMITS = {"latency": "max_latency_ms", "cost": "max_cost_usd"}
MAX_FILES = 200  # that the variables of all tests may name
MAX_TESTS = 100_000  # that the arrays of one file may give


def _matches(content: Content) -> bool:
    """Whether there are tests: entries with `vars` or `assert`, or a CSV column `__expected`."""
    if content.kind == "csv":
        return any(_EXPECTED.fullmatch(name) for row in objects(content.value)[:1] for name in row)
    if isinstance(content.value, dict) and "tests" in content.value:
        return bool({"prompts", "providers", "description", "defaultTest"} & set(content.value)) or any(
            "vars" in test or "assert" in test for test in objects(content.value["tests"])
        )
    return any("vars" in test or "assert" in test for test in objects(content.value)[:5])


def _parse(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each test, or for each combination of its variables. Errors: InputFileError where the tests are in
    another file, and where there are more combinations than can be written."""
    texts: dict[str, str | None] = {}
    for content in contents:
        more = spent = 0
        for test, prompt in _tests(content, left):
            more += _count_combinations(test) - 1
            if more > MAX_TESTS:
                raise content.fault(f"its arrays give more than {MAX_TESTS:,} tests", _SMALLER)
            for row in _rows(_with_files(test, Path(content.path).parent, texts, left), prompt, left):
                spent += len(row["question"])
                if spent > MAX_CHARS:
                    raise content.fault("its questions are larger than the gate reads", _SMALLER)
                yield row


def _tests(content: Content, left: Leftovers) -> Iterator[tuple[dict[str, Any], str]]:
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
    for test in objects(value, "tests", left=left):
        yield _with_default(test, default, left), prompt


def _from_cells(cells: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a CSV file as a test."""
    expected = [name for name in cells if _EXPECTED.fullmatch(name)]
    others = [name for name in cells if name not in expected and (name.startswith("__") or name == OVER)]
    test: dict[str, Any] = {
        name if name in ("__vars", "__assert") else name.lstrip("_"): cells[name] for name in others
    }
    test["vars"] = {name: cell for name, cell in cells.items() if name not in (*expected, *others)}
    test["assert"] = [_shorthand(cells[name]) for name in expected if cells[name].strip()]
    return test


def _with_default(test: Mapping[str, Any], default: Any, left: Leftovers) -> dict[str, Any]:
    if not isinstance(default, dict):
        return dict(test)
    joined = {**default, **test}
    variables = [part["vars"] for part in (default, test) if isinstance(part.get("vars"), dict)]
    if variables:
        joined["vars"] = {**variables[0], **variables[-1]}
        for part in (default, test):
            if not isinstance(part.get("vars"), dict):
                left.count_fields("variables that are not written out", {"vars": part.get("vars")})
    joined["assert"] = [check for part in (default, test) for check in objects(part.get("assert"), left=left)]
    return joined


def _with_files(
    test: Mapping[str, Any], folder: Path, texts: dict[str, str | None], left: Leftovers
) -> Mapping[str, Any]:
    """The test with the texts of the files that its variables name (`file://`). One that is no text below the folder of
    the tests is counted, and stays a name; `texts` has those that were loaded before."""
    if not isinstance(test.get("vars"), dict):
        return test

    def filled(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [filled(name, part) for part in value]
        if not isinstance(value, str) or not value.startswith(_FILE):
            return value
        place = f"{folder}/{value}"
        if place not in texts:
            texts[place] = load_text(value.removeprefix(_FILE), folder) if len(texts) < MAX_FILES else None
        left.count("file that a variable names, and that is no text below this folder", name, int(texts[place] is None))
        return value if texts[place] is None else texts[place]

    return {**test, "vars": {name: filled(name, value) for name, value in test["vars"].items()}}


def _prompt(prompts: Any) -> str:
    """The one prompt, if there is one and it is written out."""
    listed = prompts if isinstance(prompts, list) else [prompts]
    texts = [text for text in listed if isinstance(text, str)]
    return texts[0] if len(listed) == len(texts) == 1 and not texts[0].startswith(_FILE) else ""


def _rows(test: Mapping[str, Any], prompt: str, left: Leftovers) -> Iterator[NewRow]:
    if not isinstance(test.get("vars"), dict):
        left.count("test without variables of its own")
        return
    checks = assertions_of(test.get("assert"), left)
    rest = {name: value for name, value in test.items() if name not in ("vars", "assert")}
    for variables in _combinations(test):
        row, more = case_of(variables, checks, prompt, left)
        yield keep(row, {**rest, **more}, left)


def case_of(
    variables: Mapping[str, Any], checks: Sequence[dict[str, Any]], prompt: str, left: Leftovers
) -> tuple[NewRow, dict[str, Any]]:
    """(a row with the question, the reference and the contexts of one case; the variables and assertions that are none
    of these)."""
    exact, inexact = _exact(checks, variables, left)
    reference, unused = _reference_of(checks, inexact, variables, left)
    row = _row(variables, reference, prompt, left)
    if exact and row["question"]:
        row["checks"] = exact
    for check in unused if row["question"] else ():
        left.count("assertion that names no answer (kept in `assert`)", str(check.get("type")))
    others = {name: value for name, value in variables.items() if not _is_named(name, value)}
    return row, {"vars": others, "assert": unused}


def _is_named(name: str, value: Any) -> bool:
    """Whether a variable is the question, the reference or the contexts; the name of a file is none of them."""
    texts = value if isinstance(value, list) else [value]
    return normalise_name(name) in _NAMES and not any(
        isinstance(text, str) and text.startswith(_FILE) for text in texts
    )


def _row(variables: Mapping[str, Any], reference: str, prompt: str, left: Leftovers) -> NewRow:
    """What the variables and the assertions say of question, reference and contexts. Without a question it is an empty
    text: the row is then counted as one without a question."""
    row = row_of({name: value for name, value in variables.items() if _is_named(name, value)}, left)
    other = row.get("reference")
    if reference and other != reference:
        row["reference"] = reference
        keep(row, {"reference": other}, left)
    row["question"] = row.get("question") or _question(variables, prompt)
    return row


def _question(variables: Mapping[str, Any], prompt: str) -> str:
    """Where no variable is called so: the prompt with its variables, else the only variable; else an empty text."""
    if prompt:
        filled = _SLOT.sub(lambda match: text_of(variables.get(match[1])) or match[0], prompt)
        return "" if _SLOT.search(filled) else filled
    return (text_of(next(iter(variables.values()))) or "") if len(variables) == 1 else ""


def _shorthand(cell: str) -> dict[str, Any]:
    """A cell of a column `__expected`: `contains: Paris`, `similar(0.8): Paris`, or the answer itself."""
    found = _SHORTHAND.fullmatch(cell.strip())
    kind = _SHORT_KINDS.get(found[2], found[2]) if found else ""
    if found is None or kind not in (*KINDS, *_OTHER):
        return {"type": "equals", "value": cell}
    value = found[4]
    listed = kind.endswith(("-all", "-any"))
    return {
        "type": f"{found[1] or ''}{kind}",
        "value": [part.strip() for part in value.split(",")] if listed else value,
        **({"threshold": found[3]} if found[3] else {}),
    }


def assertions_of(value: Any, left: Leftovers) -> list[dict[str, Any]]:
    """All assertions, those of sets among them; what a set says besides is counted as left out."""
    found: list[dict[str, Any]] = []
    for check in objects(value, left=left):
        if check.get("type") == "assert-set" and isinstance(check.get("assert"), list | dict):
            found += objects(check["assert"], left=left)
            left.count_fields("field of a set of assertions", check, {"type", "assert"})
        else:
            found.append(check)
    return found


def _exact(
    checks: Sequence[dict[str, Any]], variables: Mapping[str, Any], left: Leftovers
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """(`checks` of the gate that decide as these assertions do; the assertions that none of them does). A weighed
    assertion has to hold only in part, and stays one."""
    found: dict[str, Any] = {}
    others = []
    for check in checks:
        made = {} if check.get("weight") not in (None, 1) else _as_check(check, variables)
        for name, value in made.items():
            found[name] = [*found.get(name, ()), *value] if isinstance(value, list) else value
        if made:
            used = {"type", "threshold"} if check["type"] in _LIMITS else {"type", "value"}
            left.count_fields("field of an assertion that became a check", check, used)
        else:
            others.append(check)
    return found, others


def _as_check(check: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
    kind, limit, texts = str(check.get("type")), number_of(check.get("threshold")), _texts(check, variables)
    escaped = [_ESCAPED.sub(r"\\\g<0>", text) for text in texts]
    made: dict[str, Any] = {
        "contains": {"contains": texts},
        "contains-all": {"contains": texts},
        "not-contains": {"not_contains": texts},
        "icontains": {"regex": [f"(?i){text}" for text in escaped]},
        "icontains-all": {"regex": [f"(?i){text}" for text in escaped]},
        "contains-any": {"regex": ["|".join(escaped)]},
        "icontains-any": {"regex": [f"(?i){'|'.join(escaped)}"]},
        "starts-with": {"regex": [f"^{text}" for text in escaped]},
        "regex": {"regex": texts},
    }.get(kind, {})
    made = made if texts else {}
    if limit is not None and kind in _LIMITS:
        made = {_LIMITS[kind]: limit}
    try:
        parse_checks(made)
    except ValueError:
        return {}
    return made


def _reference_of(
    checks: Sequence[dict[str, Any]],
    inexact: Sequence[dict[str, Any]],
    variables: Mapping[str, Any],
    left: Leftovers,
) -> tuple[str, list[dict[str, Any]]]:
    """(the answer that the most exact assertions name, empty if none does; the assertions that were not used). What the
    used ones that are `inexact` say besides the answer, as their kind and threshold, is counted as left out."""
    for kind in KINDS:
        named = [(check, _texts(check, variables)) for check in checks if str(check.get("type")).split(":")[0] == kind]
        used = [check for check, texts in named if texts]
        if used:
            for check in (one for one in used if one in inexact):
                left.count("kind of an assertion that gave the reference", str(check["type"]))
                left.count_fields("field of an assertion that gave the reference", check, {"type", "value"})
            link = " or " if kind.endswith("-any") else "; "
            answer = link.join(dict.fromkeys(text for _, texts in named for text in texts))
            return answer, [check for check in inexact if check not in used]
    return "", list(inexact)


def _texts(check: Mapping[str, Any], variables: Mapping[str, Any]) -> list[str]:
    """The texts of the value; a `{{variable}}` is filled in. None where a part is no text or stands in another file:
    such an assertion is kept as it is."""
    value = check.get("value")
    found = [_filled(part, variables) for part in (value if isinstance(value, list) else [value]) if is_filled(part)]
    return [] if "" in found else found


def _filled(part: Any, variables: Mapping[str, Any]) -> str:
    text = text_of(part) or ""
    slot = _WHOLE_SLOT.fullmatch(text.strip())
    text = (text_of(variables.get(slot[1])) or "") if slot else text
    return "" if text.startswith(_FILE) or not text.strip() else text


def _count_combinations(test: Mapping[str, Any]) -> int:
    """How many combinations a test has; nothing is made yet. Each array at least doubles them: 17 are too many."""
    lengths = [len(values) for values in _values(test).values() if len(values) > 1]
    return math.prod(lengths[:17])


def _combinations(test: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The variables of a test, each with one value, in the order of the arrays (the last one changes fastest)."""
    values = _values(test)
    for chosen in itertools.product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


def _values(test: Mapping[str, Any]) -> dict[str, list[Any]]:
    """name -> the values that it takes in turn. A list of contexts is one value, as is what does not begin with a text;
    and every list, if the test says so."""
    variables, options = test.get("vars"), test.get("options")
    if not isinstance(variables, dict):
        return {}
    whole = isinstance(options, dict) and options.get("disableVarExpansion") is True
    return {name: value if not whole and _takes_turns(name, value) else [value] for name, value in variables.items()}


def _takes_turns(name: str, value: Any) -> bool:
    array = isinstance(value, list) and bool(value) and isinstance(value[0], str)
    return array and normalise_name(name) not in ALIASES["contexts"]


FORMAT = Format(
    "tests with `vars` and `assert`, a configuration with `tests`, or a CSV with `__expected`", _matches, _parse
)
