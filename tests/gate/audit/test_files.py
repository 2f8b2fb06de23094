"""Logs on a disk and in a bucket: found, cut, and read without a row lost or read twice."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gate.audit import files
from gate.audit.files import Folder, drawn, find_logs, pieces_of, rows_of
from gate.audit.rows import Broken, day_of
from gate.errors import InputFileError, SourceError, UsageError
from gate.files import MAX_LINE_BYTES
from tests.ingest.test_s3 import bucket  # noqa: F401 - a fixture
from tests.support.audited import all_rows, rows, write_rows


def test_every_line_is_a_row_or_named_as_broken(tmp_path):
    good = [json.dumps(row).encode() for row in rows(250)]
    good[0] = b"\xef\xbb\xbf" + good[0]
    good[3:3] = [b"", b"[1]", b"{", b"\xff", b'{"a": "' + b"x" * MAX_LINE_BYTES + b'"}', b"  "]
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(good))
    found = all_rows(tmp_path)
    broken = [one for one in found if isinstance(one, Broken)]
    assert [one.line for one in broken] == [5, 6, 7, 8]
    assert "16 MiB" in broken[3].why
    assert [one.fields["id"] for one in found if not isinstance(one, Broken)] == [f"a{n}" for n in range(250)]
    assert [one.line for one in found][-1] == len(good)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"\xef\xbb\xbf", []), (b"\xef\xbb\xbf\n{}", [2]), ("\u2003\n{}\n\u00a0".encode(), [1, 2, 3]),
        (b" " * 2**20 + b"\xef\xbb\xbf\n{}", [2]), (b" " * (MAX_LINE_BYTES + 9) + b"\n{}", [2]),
        (b"{}\r\n\r\n{}", [1, 3]), ("{}\n".encode("utf-16"), [1, 2]),
    ],
)  # fmt: skip
def test_blank_lines_are_the_same_when_counted_and_when_read(tmp_path, data, lines):
    (tmp_path / "a.jsonl").write_bytes(data)
    assert [row.line for row in all_rows(tmp_path / "a.jsonl")] == lines


def test_a_log_that_is_cut_while_it_is_read_ends_the_audit(tmp_path):
    (piece,) = pieces_of(find_logs([str(write_rows(tmp_path / "a.jsonl", rows(2)))]))
    with pytest.raises(InputFileError, match="changed"):
        list(rows_of(replace(piece, rows=3)))


STAMPS = [1769900000_000_000_001, 1769990000_000_000_000, None]
FAR = [10**18, 1769990000_000_000, None]


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [
        ("created_at", pa.array(STAMPS, pa.timestamp("ns")), ["2026-01-31", "2026-02-01", ""]),
        ("created_at", pa.array(STAMPS, pa.timestamp("ns", "Pacific/Auckland")), ["2026-01-31", "2026-02-01", ""]),
        ("created_at", pa.array(STAMPS, pa.timestamp("ns", "Mars/Base")), ["2026-01-31", "2026-02-01", ""]),
        ("created_at", pa.array(FAR, pa.timestamp("us")), ["", "2026-02-01", ""]),
        ("created_at", pa.array([1, 2, None], pa.duration("ns")), ["", "", ""]),
        ("created_at", pa.nulls(3), ["", "", ""]),
        ("answer", pa.array(["No.", "Yes.", None]).dictionary_encode(), ["No.", "Yes.", None]),
        ("answer", pa.array(["No.", "Yes.", None], pa.large_string()), ["No.", "Yes.", None]),
        ("answer", pa.array([b"\xff", b"Yes.", None]).view(pa.string()), [..., "Yes.", None]),
        ("tags", pa.array([["a"], [], None], pa.list_(pa.dictionary(pa.int8(), pa.string()))), [["a"], [], None]),
        ("about", pa.array([{"a": {"b": 1}}, None, None]), [{"a": {"b": 1}}, None, None]),
    ],
)
def test_every_kind_of_column_gives_a_row_for_each(tmp_path, name, column, expected):
    pq.write_table(pa.table({name: column, "more": ["x"] * 3}), tmp_path / "a.parquet")
    found = [row.fields[name] for row in all_rows(tmp_path / "a.parquet")]
    assert (list(map(day_of, found)) if name == "created_at" else found) == expected


def test_parquet_without_a_known_column_or_with_a_damaged_page_is_no_good_log(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"more": ["x"] * 3}), path)
    assert [row.fields for row in all_rows(path)] == [{}] * 3
    pq.write_table(pa.table({"answer": ["x"] * 3}), path)
    data = path.read_bytes()
    path.write_bytes(data[:8] + b"\xff" * 30 + data[38:])
    with pytest.raises(InputFileError, match=r"a\.parquet: is damaged"):
        all_rows(path)


def test_parquet_gives_the_rows_of_jsonl(tmp_path):
    some = rows(333)
    write_rows(tmp_path / "a.jsonl", some)
    pq.write_table(pa.Table.from_pylist(some), tmp_path / "b.parquet", row_group_size=130)
    lines, table = all_rows(tmp_path / "a.jsonl"), all_rows(tmp_path / "b.parquet")
    assert [(one.line, one.fields) for one in lines] == [(one.line, one.fields) for one in table]
    (tmp_path / "c.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(InputFileError, match=r"c\.parquet"):
        all_rows(tmp_path / "c.parquet")


def test_names_stand_for_files(tmp_path):
    for name in ("a.jsonl", "deep/b.ndjson", "deep/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_rows(tmp_path / name, rows(1))
    both = find_logs([str(tmp_path), f"{tmp_path}/*.jsonl", f"{tmp_path}/**/*.ndjson"])
    assert [log.name for log in both] == [f"{tmp_path}/a.jsonl", f"{tmp_path}/deep/b.ndjson"]
    for name in ("none.jsonl", "*.none", "deep/c.txt"):
        with pytest.raises(UsageError, match="no.* file of answers"):
            find_logs([f"{tmp_path}/{name}"])


def test_a_file_with_two_names_is_one_and_what_an_audit_wrote_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "a.jsonl", rows(1))
    (tmp_path / "latest.jsonl").symlink_to("a.jsonl")
    for place in (Path(".gate/audit/x"), Path("out")):
        place.mkdir(parents=True)
        write_rows(place / "verdicts.jsonl", rows(1))
        Folder(place, "0" * 64).path.joinpath("audit").write_text("0" * 64 + "\n")
    assert [log.name for log in find_logs([".", "./a.jsonl", str(tmp_path / "a.jsonl"), "*.jsonl"])] == ["./a.jsonl"]
    assert [log.name for log in find_logs(["**/*.jsonl"])] == ["a.jsonl"]
    assert [log.name for log in find_logs(["out/verdicts.jsonl"])] == ["out/verdicts.jsonl"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_folder_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "closed").mkdir(mode=0)
    write_rows(tmp_path / "a.jsonl", rows(1))
    with pytest.raises(InputFileError, match="closed: cannot be read"):
        find_logs([str(tmp_path)])


def test_a_log_that_changes_is_no_longer_the_one_that_was_found(tmp_path):
    path = write_rows(tmp_path / "a.jsonl", rows(2))
    (piece,) = pieces_of(find_logs([str(path)]))
    write_rows(path, rows(3))
    with pytest.raises(InputFileError, match="changed"):
        list(rows_of(piece))


def test_other_answers_of_the_same_size_and_time_are_another_log(tmp_path):
    path = write_rows(tmp_path / "a.jsonl", [{"question": "q", "answer": "30 days"}])
    os.utime(path, (0, 0))
    (before,) = find_logs([str(path)])
    write_rows(path, [{"question": "q", "answer": "90 days"}])
    os.utime(path, (0, 0))
    assert find_logs([str(path)]) != [before]


@pytest.mark.parametrize("size", [1, 7, 199, 1000])
def test_a_sample_has_its_size_and_its_share_of_every_stretch(tmp_path, size):
    write_rows(tmp_path / "a.jsonl", rows(730))
    write_rows(tmp_path / "b.jsonl", rows(270))
    pieces = list(pieces_of(find_logs([str(tmp_path)])))
    some = list(drawn(pieces, size, 1000, seed=4))
    assert sum(piece.take for piece in some) == size
    assert all(abs(piece.take - piece.rows * size / 1000) < 1 for piece in some)
    ids = [(row.path, row.line) for piece in some for row in rows_of(piece)]
    assert len(set(ids)) == size
    again = [(row.path, row.line) for piece in reversed(some) for row in rows_of(piece)]
    assert set(again) == set(ids)
    if 1 < size < 1000:
        assert {(r.path, r.line) for p in some for r in rows_of(replace(p, seed=5))} != set(ids)


def test_a_bucket_has_logs_too(bucket, tmp_path):  # noqa: F811
    path = write_rows(tmp_path / "a.jsonl", rows(250))
    pq.write_table(pa.Table.from_pylist(rows(30)), tmp_path / "b.parquet")
    bucket.objects = {
        "logs/a.jsonl": path.read_bytes(), "logs/b.parquet": (tmp_path / "b.parquet").read_bytes(),
        "logs/c.txt": b"", "logs2/d.jsonl": b"{}",
    }  # fmt: skip
    assert [log.name for log in find_logs(["s3://b/logs"])] == ["s3://b/logs/a.jsonl", "s3://b/logs/b.parquet"]
    assert [row.fields for row in all_rows("s3://b/logs/*.jsonl")] == rows(250)
    assert [row.fields for row in all_rows("s3://b/logs/b.parquet")] == rows(30)
    (piece,) = pieces_of(find_logs(["s3://b/logs2/"]))
    bucket.objects["logs2/d.jsonl"] = b"{ }"
    with pytest.raises(SourceError, match="changed since"):
        list(rows_of(piece))
    with pytest.raises(UsageError):
        find_logs(["s3://b/other/*.jsonl"])


def test_a_large_log_is_cut_into_larger_pieces(tmp_path):
    (log,) = find_logs([str(write_rows(tmp_path / "a.jsonl", rows(2000)))])
    assert {piece.rows for piece in pieces_of([log])} == {files.FEW}
    assert {piece.rows for piece in pieces_of([replace(log, size=files.LARGE + 1)])} == {files.MANY}
