"""The table of forms, JSON that comes back as it went, and files that are written whole or not at all."""

from __future__ import annotations

import json
import math
import os
import stat
import threading
from pathlib import Path

import pytest

from gate import __version__
from gate.errors import UsageError
from gate.reports import github, terminal
from gate.reports.document import VerdictDocument
from gate.reports.load import load
from gate.reports.render import RENDERERS, check, render, render_json, write

GOLDEN = Path(__file__).parent / "golden"


TEXTS = {
    ".txt": terminal.render,
    ".commands": github.render,
    ".comparison": lambda document: terminal.describe_comparison(document["comparison"]),
}


@pytest.mark.parametrize("suffix", [*RENDERERS, *TEXTS])
def test_golden_files(compared, suffix):
    """The whole text of each form. `UPDATE_GOLDEN=1 pytest tests/gate/reports/test_render.py` writes them anew."""
    base = "https://host.example/o/r/blob/abc"
    text = TEXTS[suffix](compared) if suffix in TEXTS else render(compared, suffix, blob_url=base)
    text = text.replace(f'"semanticVersion": "{__version__}"', '"semanticVersion": "VERSION"')
    path = GOLDEN / f"verdict{suffix}"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", RENDERERS)
def test_every_form_tells_every_document(document, compared, empty, poison, hostile, suffix, tmp_path):
    for each in (document, compared, empty, poison(compared, hostile)):
        for baseline in (None, document, empty):
            text = render(each, suffix, baseline)
            assert text.endswith("\n")
            write(tmp_path / f"x{suffix}", text)
            assert (tmp_path / f"x{suffix}").read_bytes().decode("utf-8") == text


def test_an_unknown_form_is_wrong_use(document, tmp_path):
    with pytest.raises(UsageError, match=r"\.pdf"):
        render(document, ".pdf")
    with pytest.raises(UsageError, match=r"\.pdf"):
        check(tmp_path / "x.pdf")
    with pytest.raises(UsageError, match="without a suffix"):
        check(tmp_path / "report")


def test_json_goes_round(compared, poison, hostile, tmp_path):
    for each in (compared, poison(compared, hostile)):
        path = tmp_path / "v.json"
        write(path, render(each, ".JSON"))
        assert load(path) == each


def test_a_missing_folder_is_wrong_use(tmp_path):
    for act in (check, lambda path: write(path, "x")):
        with pytest.raises(UsageError, match="does not exist"):
            act(tmp_path / "none" / "x.md")


def test_a_written_file_has_ordinary_rights_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "x.md"
    write(path, "one\n")
    write(path, "two\n")
    assert path.read_bytes() == b"two\n"
    assert [each.name for each in tmp_path.iterdir()] == ["x.md"]
    (tmp_path / "plain").touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_a_fault_keeps_the_old_file(tmp_path):
    path = tmp_path / ("x" * 300 + ".md")
    with pytest.raises(UsageError, match="cannot be written"):
        write(path, "new")
    assert list(tmp_path.iterdir()) == []


def test_a_link_goes_on_pointing(tmp_path):
    (tmp_path / "real.md").write_text("old")
    (tmp_path / "link.md").symlink_to("real.md")
    write(tmp_path / "link.md", "new")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "new"


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "x.md"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    write(pipe, "through")
    reader.join(10)
    assert got == ["through"]
    assert pipe.is_fifo()


def test_half_a_surrogate_pair_stays_as_its_escape(document: VerdictDocument) -> None:
    document["use_case"] = "a\ud83cb\udfffc"
    text = render_json(document)
    assert "a\\ud83cb\\udfffc" in text
    assert json.loads(text.encode())["use_case"] == "a\ud83cb\udfffc"


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_json_has_no_number_for_is_refused(document: VerdictDocument, value: float) -> None:
    document["timings"]["run_model"] = value
    with pytest.raises(ValueError, match="JSON compliant"):
        render_json(document)
