"""The files of reports: forms that come back as they went, written whole or not at all, and read only where whole."""

from __future__ import annotations

import copy
import json
import math
import os
import runpy
import stat
import threading
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate import __version__
from gate.errors import InputFileError, UsageError
from gate.reports import github, outcome
from gate.reports.document import VerdictDocument, schema
from gate.reports.files import RENDERERS, check, load, render, render_json, write
from gate.reports.schema import faults
from gate.reports.words import View

ROOT = Path(__file__).parents[3]


def stored(tmp_path, value):
    path = tmp_path / "verdict.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def refusal(tmp_path, value):
    with pytest.raises(InputFileError) as caught:
        load(stored(tmp_path, value))
    assert "verdict.json" in caught.value.message
    assert caught.value.hint
    return caught.value.message


def test_unknown_keys_of_a_later_minor_version_are_kept(tmp_path, document):
    later = {**document, "schema_version": "1.7", "mood": "calm", "\ud800": 1}
    assert load(stored(tmp_path, later)) == later


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "line 1: not JSON"),
        ('{"schema_version": "2.0"}', "'2.0' is not one"),
        ('{"schema_version": "1.0"}', "decision: missing"),
        ('{"schema_version": NaN}', "NaN is not a JSON number"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_other_files_are_refused(tmp_path, text, words):
    assert words in refusal(tmp_path, text)


def test_files_that_cannot_be_read_are_refused(tmp_path, document):
    (tmp_path / "other.json").write_bytes('{"schema_version": "é"}'.encode("utf-16"))
    with pytest.raises(InputFileError, match="not UTF-8"):
        load(tmp_path / "other.json")
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputFileError, match="cannot be read"):
            load(path)
    with pytest.raises(InputFileError, match="larger than 100 bytes"):
        load(stored(tmp_path, document), max_bytes=100)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(supported=2), "supported: 2 in the ledger, 1 in details"),
        (lambda d: d.update(total_claims=6), "total_claims: 6, but the four labels add up to 5"),
        (lambda d: d["details"][0].update(label="fine"), "details[0].label: 'fine' is not 'supported', 'weakly_"),
        (lambda d: d["details"][0].update(prompt_id="q9"), "no prompt has the id 'q9'"),
        (lambda d: d["prompts"].append(d["prompts"][0]), "the id 'q1' is there 2 times"),
        (lambda d: d["details"][0].update(confidence=1.5), "details[0].confidence: 1.5 is not less than or equal to 1"),
        (lambda d: d.update(interval=[0.9, 0.1]), "the low end is above"),
        (lambda d: d["thresholds"].update(deploy_threshold=0.9), "deploy_threshold is above warn_threshold"),
        (lambda d: d["measures"].update(x=3), "measures.x: 3 is not an object"),
    ],
)
def test_a_verdict_that_is_not_whole_is_refused(tmp_path, document, change, words):
    change(document)
    assert words in refusal(tmp_path, document)


@pytest.mark.parametrize("text", ["x" * 5000, "\x1b[2J" * 200, "\n" * 90])
def test_only_the_first_faults_are_told_and_each_is_short_and_printable(tmp_path, document, text):
    document["details"] = [dict(document["details"][0], label=text) for _ in range(50)]
    document["timings"][text] = "x"
    rows = refusal(tmp_path, document).split("\n")[1:]
    assert len(rows) == 5
    assert all(len(row) < 160 and row.isprintable() for row in rows)


def places(value, path=()):
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


VALUES = [None, True, -1, 0, 0.5, 3, 1e9, "", "supported", "\ud800", [], {}, [1, 2], ["a"], {"a": 1}, {"\ud800": 1}]


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_the_checker_agrees_with_a_full_validator_of_the_schema(compared, data):
    changed = copy.deepcopy(compared)
    path = data.draw(st.sampled_from([path for path in places(changed) if path]))
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    new = data.draw(st.sampled_from([*VALUES, "absent"]))
    if new == "absent":
        del holder[path[-1]]
    else:
        holder[path[-1]] = new
    full = jsonschema.Draft202012Validator(schema()).is_valid(changed)
    assert full == (not list(faults(changed, VerdictDocument)))


@pytest.mark.parametrize("name", ["verdict", "calibration"])
def test_the_schema_in_the_package_is_that_of_the_code(name):
    path = f"gate/reports/{name}.schema.json"
    made = runpy.run_path(str(ROOT / "scripts/reference.py"))["PAGES"][path]()
    assert (ROOT / path).read_text(encoding="utf-8") == made, "python scripts/reference.py writes it anew"


GOLDEN = Path(__file__).parent / "golden"


TEXTS = {
    ".txt": outcome.render_terminal,
    ".commands": github.workflow_commands,
    ".comparison": lambda document: outcome.describe_comparison(document["comparison"]),
}


@pytest.mark.parametrize("suffix", [*RENDERERS, *TEXTS])
def test_golden_files(compared, suffix):
    """The whole text of each form. `UPDATE_GOLDEN=1 pytest tests/gate/reports/test_files.py` writes them anew."""
    view = View(None, "https://host.example/o/r/blob/abc", "kiln", "abc", "https://host.example/o/r/actions/runs/7")
    text = TEXTS[suffix](compared) if suffix in TEXTS else render(compared, suffix, view)
    text = text.replace(f'"semanticVersion": "{__version__}"', '"semanticVersion": "VERSION"')
    path = GOLDEN / f"verdict{suffix}"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", RENDERERS)
def test_every_form_tells_every_document(document, compared, empty, poison, hostile, suffix, tmp_path):
    for each in (document, compared, empty, poison(compared, hostile)):
        for baseline in (None, document, empty):
            text = render(each, suffix, View(baseline))
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


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_json_has_no_number_for_is_refused(document: VerdictDocument, value: float) -> None:
    document["timings"]["run_model"] = value
    with pytest.raises(ValueError, match="JSON compliant"):
        render_json(document)
