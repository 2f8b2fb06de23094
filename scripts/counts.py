"""Counts of the code: modules, lines, rings, late imports, names, files that a run executes.

python scripts/counts.py [ROOT]
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
PACKAGES = ("gate", "ingest")
SHORT = 60  # lines of a short module
WATCH = (  # runs the command line and counts the files of ours that were executed
    "import atexit, sys; from gate.cli import main; "
    "count = lambda: print(len({getattr(m, '__file__', None) for n, m in list(sys.modules.items()) "
    "if n.split('.')[0] in ('gate', 'ingest')} - {None}), file=sys.stderr); "
    "atexit.register(count); main(sys.argv[1:])"
)


def modules(root: Path) -> dict[str, ast.Module]:
    """The parsed modules of the packages by name; a package has the name of its folder."""
    found = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
            found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(tree: ast.AST, names: Mapping[str, object], late: bool = False) -> Iterator[tuple[str, str]]:
    """(module, how) of each import of ours at run time, a package with the module that is taken from it. How: `first`,
    `late` within a function, or `named` by a text "module:attribute" that is resolved when it is used. Blocks of
    TYPE_CHECKING cost nothing."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        how = "late" if late else "first"
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            yield from ((name, how) for name in whole if name in names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, how) for alias in node.names if alias.name in names)
        elif isinstance(node, ast.Constant) and re.fullmatch(r"[\w.]+:\w+", str(node.value)):
            yield from ((name, "named") for name in [str(node.value).partition(":")[0]] if name in names)
        inner = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        yield from imported(node, names, inner)


def links(trees: Mapping[str, ast.Module]) -> set[tuple[str, str, str]]:
    """(importer, imported, how) of all modules; see `imported`."""
    return {(name, there, how) for name, tree in trees.items() for there, how in imported(tree, trees)}


def late(tree: ast.Module) -> int:
    """How many statements within functions import a module of ours, relative ones and calls of import_module too."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(node): node for function in functions for node in ast.walk(function)}.values()
    return sum(
        (isinstance(node, ast.ImportFrom) and (node.level > 0 or (node.module or "").split(".")[0] in PACKAGES))
        or (isinstance(node, ast.Import) and any(alias.name.split(".")[0] in PACKAGES for alias in node.names))
        or (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"))
        for node in inside
    )


def rings(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The strongly connected components of more than one node."""

    def reach(start: str) -> set[str]:
        seen, left = set[str](), [start]
        while left:
            for there in graph.get(left.pop(), ()):
                if there not in seen:
                    seen.add(there)
                    left.append(there)
        return seen

    reached = {name: reach(name) for name in graph}
    found: list[set[str]] = []
    for name in graph:
        ring = {other for other in reached[name] if name in reached.get(other, ())}
        if len(ring) > 1 and ring not in found:
            found.append(ring)
    return found


def executed(root: Path) -> str:
    """The files of ours that `gate run` executes on the example, and that `gate --help` does."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    said = []
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(
            [
                "cp",
                "-r",
                f"{root}/.llm-reliability.yaml",
                f"{root}/docs",
                f"{root}/README.md",
                f"{root}/examples",
                scratch,
            ],
            check=True,
        )
        for arguments in (["ingest"], ["run"], ["--help"]):
            command = [sys.executable, "-c", WATCH, *arguments]
            done = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, check=False)
            said.append(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "failed")
    return f"files executed: ingest {said[0]}, run {said[1]}, --help {said[2]}"


def main() -> None:
    """Print the counts of one tree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path, nargs="?", default=ROOT, help="the tree to count (this one)")
    root = parser.parse_args().root.resolve()
    trees = modules(root)
    lines = {
        n: len(Path(root, *n.split(".")).with_suffix(".py").read_text().splitlines())
        for n in trees
        if Path(root, *n.split(".")).with_suffix(".py").is_file()
    }
    tests = [len(path.read_text(encoding="utf-8").splitlines()) for path in (root / "tests").rglob("*.py")]
    print(
        f"modules {len(lines)}, lines {sum(lines.values())}, median {median(lines.values()):.0f}, "
        f"under {SHORT} lines {sum(n < SHORT for n in lines.values())}, lines of tests {sum(tests)}"
    )
    graph: dict[str, set[str]] = defaultdict(set)
    packages: dict[str, set[str]] = defaultdict(set)
    found = links(trees)
    for name, there, _ in found:
        if there != name:
            graph[name].add(there)
        mine, theirs = (".".join(one.split(".")[:2]) for one in (name, there))
        if mine != theirs:
            packages[mine].add(theirs)
    importers = Counter(there for _, there in {(name, there) for name, there, how in found if how != "named"})
    named = sum(how == "named" for *_, how in found)
    print(
        f"late imports {sum(map(late, trees.values()))}, modules named in tables {named}, "
        f"modules with one importer {sum(n == 1 for n in importers.values())}"
    )
    print(f"rings of modules {[len(ring) for ring in rings(graph)]}")
    print(f"rings of packages {[sorted(ring) for ring in rings(packages)]}")
    classes = Counter(
        node.name
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    print(f"class names of several classes: {sorted(name for name, n in classes.items() if n > 1)}")
    public = Counter(node.name for tree in trees.values() for node in tree.body if isinstance(node, ast.FunctionDef))
    print("public functions " + ", ".join(f"{name} {public[name]}" for name in ("read", "told", "given", "said")))
    print(executed(root))


if __name__ == "__main__":
    main()
