"""What a format needs is loaded when a document of it is read, and not before."""

import subprocess
import sys


def test_no_library_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, ingest.index, ingest.progress, ingest.sources, ingest.stale\n"
        "from ingest.formats import read_blocks\n"
        "print(sorted(name for name in sys.modules if name.startswith('ingest.formats.')))\n"
        "read_blocks('a.md', b'text')\n"
        "print(sorted({'lxml', 'pypdf', 'rich', 'boto3', 'numpy', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n[]\n"
