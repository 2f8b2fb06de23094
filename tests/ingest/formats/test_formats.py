"""Which reader a name gets, and what no reader is given."""

import pytest

from gate.errors import SourceError
from ingest.formats import NAMES, TEXT_BYTES, read_blocks, reader_for


@pytest.mark.parametrize("suffix", [*NAMES.split(), ".htm", ".markdown", ".mdx", ".MD", ".Html"])
def test_every_format_has_a_reader(suffix: str) -> None:
    assert reader_for(f"name{suffix}") is not None


@pytest.mark.parametrize("name", ["LICENSE", "a.py", "md", "notes.md.bak", "page.html.gz", ""])
def test_other_names_have_none(name: str) -> None:
    assert reader_for(name) is None
    with pytest.raises(SourceError, match="not of a known format"):
        read_blocks(name, b"text")


@pytest.mark.parametrize("data", [b"", b" \r\n\t"])
def test_nothing_is_told(data: bytes) -> None:
    with pytest.raises(SourceError, match="is empty"):
        read_blocks("a.md", data)


def test_text_has_a_limit_of_its_own() -> None:
    with pytest.raises(SourceError, match="too large: 20 MB, the limit for text is 20 MB"):
        read_blocks("a.md", b"x" * (TEXT_BYTES + 1))
    with pytest.raises(SourceError, match="cannot be read as PDF"):
        read_blocks("a.pdf", b"%PDF-1.4" + b"x" * (TEXT_BYTES + 1))
