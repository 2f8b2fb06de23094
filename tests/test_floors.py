"""Imports point one way: a module uses its own floor and those below it."""

import ast
from collections import Counter
from pathlib import Path

from scripts.counts import late, links, modules, rings

ROOT = Path(__file__).parent.parent
FLOORS = (  # the topmost first
    ("gate.cli", "gate.commands", "gate.__main__", "gate.api", "gate.pytest_plugin"),
    ("gate.service", "gate.audit", "gate.plan", "gate.retrieval"),
    ("gate.pipeline", "gate.anchors", "gate.calibration", "gate.compare", "gate.verdicts", "ingest"),
    ("gate.agents", "gate.state", "gate.matching"),
    ("gate.toolbox", "gate.bench", "gate.judge_quality", "gate.waivers", "gate.judges"),
    (
        "gate.datasets",
        "gate.measures",
        "gate.providers",
        "gate.store",
        "gate.reports",
        "gate.claims",
        "gate.generation",
        "gate.judges.windows",
        "gate.judges.reader",
    ),
    ("gate.measures.base", "gate.judges.base", "gate.statistics"),
    ("gate.conversation",),
    ("gate.config", "gate.files", "gate.text", "gate.checks"),
    ("gate.records", "gate.errors", "gate"),
)
LATE = 25  # imports of own modules within functions: below so many
MODULES = sorted(path for room in ("gate", "ingest") for path in (ROOT / room).rglob("*.py"))
TREES = modules(ROOT)
LINKS = links(TREES)  # what a table names, to be loaded when it is used, is an import as well


def floor(module: str) -> int:
    """0 is the top. The longest name that fits decides; gate.text.layout stands with gate.text."""
    fits = [
        (len(name), number)
        for number, names in enumerate(FLOORS)
        for name in names
        if module == name or module.startswith((name + ".", name + "_"))
    ]
    assert fits, f"{module} is on no floor"
    return max(fits)[1]


def test_imports_go_down():
    faults = [
        f"{name} imports {there}, which is above it" for name, there, _ in sorted(LINKS) if floor(there) < floor(name)
    ]
    assert not faults, "\n".join(faults)


def test_modules_and_functions_stay_small_and_say_what_they_are():
    faults = []
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        faults += [f"{path.name}: no module docstring"] * bool(text and not ast.get_docstring(tree))
        faults += [f"{path.name}: more than 400 lines"] * (len(text.splitlines()) > 400)
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        faults += [f"{path.name}: {f.name} is too long" for f in functions if f.end_lineno - f.lineno >= 40]
    assert not faults, "\n".join(faults)


def test_there_is_no_ring_and_few_imports_are_late():
    graph: dict[str, set[str]] = {}
    for name, there, _ in LINKS:
        graph.setdefault(name, set()).update({there} - {name})
    assert not rings(graph)
    assert sum(map(late, TREES.values())) < LATE


def test_one_class_has_one_name():
    classes = (node for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    names = Counter(node.name for node in classes if not node.name.startswith("_"))
    assert not [name for name, times in names.items() if times > 1]
