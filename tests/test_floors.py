"""Imports point one way: a module uses its own floor and those below it."""

import ast
from functools import cache
from pathlib import Path

from scripts.counts import imported, modules, rings

ROOT = Path(__file__).parent.parent
FLOORS = (  # the topmost first
    ("gate.cli", "gate.commands", "gate.__main__"),
    (
        "gate.service",
        "gate.doctor",
        "gate.calibration",
        "gate.job",
        "gate.judge_quality",
        "gate.plan",
        "gate.retrieval",
    ),
    ("gate.pipeline", "gate.compare", "gate.verdicts", "ingest"),
    ("gate.agents", "gate.state"),
    ("gate.toolbox", "gate.bench", "gate.local_judge", "gate.judges"),
    (
        "gate.datasets",
        "gate.measures",
        "gate.providers",
        "gate.store",
        "gate.reports",
        "gate.claims",
        "gate.generation",
    ),
    ("gate.measures.base", "gate.measures.table", "gate.judges.base", "gate.statistics"),
    ("gate.config", "gate.jsonl", "gate.text"),
    ("gate.records", "gate.errors", "gate"),
)
LATE = 25  # imports of own modules within functions: below so many
MODULES = sorted(path for room in ("gate", "ingest") for path in (ROOT / room).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


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


def imports(tree: ast.AST) -> set[str]:
    """What a module imports at run time, wherever in the file; TYPE_CHECKING blocks cost nothing and do not count."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {
                f"{node.module}.{a.name}"
                for a in node.names
                if (ROOT / node.module.replace(".", "/") / f"{a.name}.py").exists()
            }
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        found |= imports(node)
    return {name for name in found if name.split(".")[0] in {"gate", "ingest"}}


def test_imports_go_down():
    faults = [
        f"{name_of(path)} imports {there}, which is above it"
        for path in MODULES
        for there in sorted(imports(parsed(path)))
        if floor(there) < floor(name_of(path))
    ]
    assert not faults, "\n".join(faults)


def test_modules_and_functions_stay_small_and_say_what_they_are():
    faults = []
    for path in MODULES:
        text, tree = path.read_text(encoding="utf-8"), parsed(path)
        faults += [f"{path.name}: no module docstring"] * bool(text and not ast.get_docstring(tree))
        faults += [f"{path.name}: more than 400 lines"] * (len(text.splitlines()) > 400)
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        faults += [f"{path.name}: {f.name} is too long" for f in functions if f.end_lineno - f.lineno >= 40]
    assert not faults, "\n".join(faults)


def test_there_is_no_ring_and_few_imports_are_late():
    trees = modules(ROOT)
    graph: dict[str, set[str]] = {name: set() for name in trees}
    late = 0
    for name, tree in trees.items():
        for there, inside in set(imported(tree, trees)):
            graph[name] |= {there} - {name}
            late += inside
    assert not rings(graph)
    assert late < LATE
