"""Files of any kind: what stands in them decides, every fault is one message, no string is harmed."""

import contextlib
import csv
import json
import time
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.datasets import files
from gate.datasets.base import Leftovers
from gate.datasets.files import MAX_BYTES, MAX_NAMED_BYTES, load_file, load_text, parse_json, without_comments
from gate.errors import InputFileError


def opened(tmp_path, data, name="f", **options):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    content = load_file(path, **options)
    return content.kind, content.value


@pytest.mark.parametrize(
    ("data", "kind", "value"),
    [
        ('[{"a": 1}]', "json", [{"a": 1}]),
        ('// c\n{"a": 1,}', "json", {"a": 1}),
        ('{"a": 1}\n\n{"a": 2}\n', "json", [{"a": 1}, {"a": 2}]),
        ('{"a": 1}\n// c\n{"a": 2,}\n', "json", [{"a": 1}, {"a": 2}]),
        ('{"a": "//"} // c\n{"a": 2}\n', "json", [{"a": "//"}, {"a": 2}]),
        ('/* c\n"d */\n{"a": 1}\n{"a": 2}\n', "json", [{"a": 1}, {"a": 2}]),
        ("Frage,Antwort\nWie?,So.\n", "csv", [{"Frage": "Wie?", "Antwort": "So."}]),
        ('\ufeff{"a": "\u00e4"}', "json", {"a": "\u00e4"}),
        ("Question;Answer\r\nq?;a, b\r\n", "csv", [{"Question": "q?", "Answer": "a, b"}]),
        ('question,note\n"a\nb",x,y\n', "csv", [{"question": "a\nb", "note": "x", "cells without a column": ["y"]}]),
        ("question,note,note,\nq,1,2,3\n", "csv", [{"question": "q", "note": "1", "note_2": "2", "column_4": "3"}]),
        ("- vars:\n    q: 1\n", "yaml", [{"vars": {"q": 1}}]),
    ],
)
def test_the_content_says_what_it_is(tmp_path, data, kind, value):
    assert opened(tmp_path, data) == (kind, value)


def test_a_long_cell_is_read_and_the_limit_of_others_stays(tmp_path):
    before = csv.field_size_limit()
    kind, value = opened(tmp_path, "question\n" + "x" * 300_000 + "\n")
    assert len(value[0]["question"]) == 300_000
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "is empty"),
        (b'{"a": "\xff"}', ":1: is not UTF-8"),
        ('{"a": 1', ":1: not JSON"),
        ('{"a": 1}\n{"a" 2}\n', ":2: not JSON"),
        ('{\n  // one\n  "a": 1,\n  "b": nothing,\n}', ":4: not JSON: Expecting value (column 8)"),
        (f'{{"a": {"9" * 6000}}}', ":1: not JSON: a number has too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 500 + "]" * 500, "nested too deeply"),
        ('question,answer\n"a,b\n', "not CSV"),
        ("just words", "neither rows nor objects"),
        ("a: [1\n", "is not valid YAML"),
    ],
)
def test_a_fault_is_one_message_with_its_place(tmp_path, data, message):
    with pytest.raises(InputFileError) as fault:
        opened(tmp_path, data)
    assert message in fault.value.message
    assert fault.value.hint


@pytest.mark.parametrize("text", ['{"a": {"b": 1, "b": 2, "b": 3}}', '// c\n{"a": {"b": 1, "b": 2, "b": 3,}}'])
def test_a_key_that_stands_again_is_counted(tmp_path, text):
    left = Leftovers()
    (tmp_path / "f.json").write_text(text)
    assert load_file(tmp_path / "f.json", left=left).value == {"a": {"b": 3}}
    assert left.describe() == ["2 x value of a key that stands again in its object: b"]


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [BOMB, "a: " + "[" * 80 + "]" * 80, "&a [*a]", "[" * 5000, "? [1, 2]\n: " + "[" * 70 + "]" * 70],
)
def test_yaml_bombs_end_at_the_bound(text):
    with pytest.raises(ValueError, match="deep|too large"):
        files.parse_yaml(text)


def test_a_yaml_file_is_not_taken_for_a_table(tmp_path):
    (tmp_path / "tests.yaml").write_text(BOMB)
    with pytest.raises(InputFileError, match="too large"):
        files.load_file(tmp_path / "tests.yaml")


def test_yaml_runs_nothing_and_reads_no_environment(monkeypatch):
    monkeypatch.setenv("SECRET", "s")
    text = "a: !!python/object/apply:os.system [id]\nb: ${SECRET}\nc: 2024-01-02\nd: !x y\n? [1]\n: e\n"
    assert files.parse_yaml(text) == {"a": ["id"], "b": "${SECRET}", "c": "2024-01-02", "d": "y", "?": "e"}


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:\n-question;&*!<|#/ ', max_size=80).map(str.encode))
def test_any_bytes_are_data_or_one_message(tmp_path, data):
    path = tmp_path / "f"
    path.write_bytes(data)
    with contextlib.suppress(InputFileError):
        assert load_file(path).kind in ("json", "csv", "yaml")


TRICKY = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["//", "/* x */", ",]", ", }", '"', "\\", '\\"', "http://a/b", "*/", "/*", "a\nb"]),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**6) | TRICKY,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TRICKY, inner, max_size=4),
    max_leaves=12,
)
NOISE = st.sampled_from(["", " ", "\n", '// a, b ] "\n', '/* { " // */', "/**/", "//\r\n", "\t/* ,] */ // x\n"])


@st.composite
def written(draw):
    """(value, the value as somebody might have written it)."""
    value = draw(VALUES)

    def told(item):
        if isinstance(item, list):
            return joined("[", [told(part) for part in item], "]")
        if isinstance(item, dict):
            pairs = [f"{json.dumps(name)}{draw(NOISE)}:{draw(NOISE)}{told(part)}" for name, part in item.items()]
            return joined("{", pairs, "}")
        return json.dumps(item, ensure_ascii=draw(st.booleans()))

    def joined(start, parts, end):
        text = start + ",".join(f"{draw(NOISE)}{part}{draw(NOISE)}" for part in parts)
        return text + ("," + draw(NOISE) if parts and draw(st.booleans()) else draw(NOISE)) + end

    return value, f"{draw(NOISE)}{told(value)}{draw(NOISE)}"


@given(written())
def test_comments_and_trailing_commas_change_nothing(pair):
    value, text = pair
    assert parse_json(text) == value


@given(st.text(alphabet='{}[],:"/*\\\n ax1', max_size=60))
def test_any_text_keeps_its_length_and_its_lines(text):
    kept = without_comments(text)
    assert len(kept) == len(text)
    assert [i for i, c in enumerate(kept) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]


@pytest.mark.parametrize("piece", ["/*", '\\"', ", ", "//", "a,"])
def test_hostile_repeats_take_linear_time(piece):
    begun = time.process_time()
    without_comments('"' + piece * 200_000)
    files.parse_csv("question," + piece * 100_000 + "\nq\n")
    assert time.process_time() - begun < 5


def packed(path, **files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"header.json": "{}"}, "no log of Inspect"),
        ({"header.json": "{}", "samples/1.json": " " * (MAX_BYTES + 1)}, "holds more than 64 MiB"),
        ({"header.json": "{}", "samples/1.json": "no JSON"}, "not JSON"),
    ],
)
def test_an_archive_that_is_no_log_is_one_error(tmp_path, files, message):
    with pytest.raises(InputFileError, match=message):
        load_file(packed(tmp_path / "a.eval", **files))


def test_a_broken_archive_is_one_error(tmp_path):
    whole = packed(tmp_path / "a.eval", **{"header.json": "{}", "samples/1.json": json.dumps("x" * 500)}).read_bytes()
    for end in (10, len(whole) // 2, len(whole) - 1):
        (tmp_path / "b.eval").write_bytes(whole[:end])
        with pytest.raises(InputFileError, match="cannot be unpacked"):
            load_file(tmp_path / "b.eval")


@pytest.mark.parametrize(
    "name", ["../secret.txt", "/etc/hostname", "link.txt", "app.py", "gone.txt", "big.txt", "a\0b.txt"]
)
def test_only_a_small_text_below_the_folder_is_loaded(tmp_path, name):
    folder = tmp_path / "tests"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "app.py").write_text("secret")
    (folder / "big.txt").write_text("x" * (MAX_NAMED_BYTES + 1))
    (folder / "good.txt").write_text("good")
    assert load_text(name, folder) is None
    assert load_text("good.txt", folder) == "good"
