"""What an installation takes: `pip install .` into an empty environment, its distributions and megabytes.

python benchmarks/install_size.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ("pip", "setuptools")  # what an empty environment has


def main() -> None:
    """Install, count, measure."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        copy = Path(folder) / "source"
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", str(copy)], check=True)
        python = Path(folder) / "bin" / "python"
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(copy)], check=True)
        site = next((Path(folder) / "lib").glob("python3*/site-packages"))
        names = sorted(d.metadata["Name"] for d in distributions(path=[str(site)]))
        counted = [name for name in names if name not in OURS]
        size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file() and not file.is_symlink())
        without = sum(f.stat().st_size for name in OURS for f in (site / name).rglob("*") if f.is_file())
    print(f"{len(counted)} distributions, {(size - without) / 2**20:.0f} MiB in site-packages (with compiled files)")


if __name__ == "__main__":
    main()
