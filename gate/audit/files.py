"""Files of logged answers, on a disk or in a bucket: found by name, cut into pieces, and read a piece at a time."""

from __future__ import annotations

import glob
import hashlib
import heapq
import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from typing import IO, Any, NoReturn

from pydantic import TypeAdapter

from gate.audit.rows import FIELDS, Broken, arrow, fields_of, table_of
from gate.audit.summary import Tally
from gate.errors import InputFileError, SourceError, UsageError
from gate.files import BOM, MAX_LINE_BYTES, Row, make_folder, parse_line
from gate.records import writable
from gate.reports.files import write
from ingest.s3 import connect, faults_named

# Rows of a piece: what a worker is given at once, and what a kill can cost. Logs of more than LARGE bytes are cut into
# larger ones: a piece is two files.
FEW, MANY, LARGE = 100, 1000, 100 * 1024 * 1024
_S3 = "s3://"
_BUFFER = 1 << 20
_SUFFIXES = (".jsonl", ".ndjson", ".parquet")
_HINT = (
    "name files that end with .jsonl, .ndjson or .parquet, patterns like 'logs/*.jsonl', folders or s3://bucket/prefix"
)
_MAGIC = "*?["
_TALLY = TypeAdapter(Tally)
_MARK = "audit"  # the file of a folder that says which audit it holds


@dataclass(frozen=True, slots=True)
class Log:
    """A file of answers. `version` changes with its content: see `_version`, or the ETag of an object."""

    name: str
    size: int
    version: str

    @property
    def parquet(self) -> bool:
        """Whether it is read as Parquet."""
        return self.name.lower().endswith(".parquet")


@dataclass(frozen=True, slots=True)
class LogPiece:
    """`rows` rows of a log in a stretch, from `line` on: lines of JSONL, which begin at byte `start`, or rows of the
    row group `group` of Parquet, from its row `start` on. With `take` only so many of them are drawn, by `seed`."""

    log: Log
    number: int
    line: int
    start: int
    rows: int
    group: int = 0
    take: int | None = None
    seed: int = 0

    @property
    def name(self) -> str:
        """A name for its files that no other piece of an audit has."""
        mark = hashlib.sha256(self.log.name.encode("utf-8", "surrogateescape")).hexdigest()[:10]
        return f"{mark}-{self.number:06}"


def find_logs(names: Sequence[str]) -> list[Log]:
    """The files that the names stand for, each once, by name: files, folders, patterns, and the same in a bucket. What
    a folder hides (a name with a dot), and the verdicts of an audit, are found by their own names alone.

    Errors: UsageError for a name that stands for none; SourceError for a bucket that cannot be listed.
    """
    found: dict[str, Log] = {}  # a file that has two names, as by a link, by where it is
    for name in names:
        logs = list(_in_bucket(name) if name.startswith(_S3) else _on_disk(name))
        if not logs:
            raise UsageError(f"{name}: no such file of answers", _HINT)
        for log in logs:
            place = log.name if log.name.startswith(_S3) else os.path.realpath(log.name)
            found[place] = min(log, found.get(place, log), key=lambda one: one.name)
    return sorted(found.values(), key=lambda log: log.name)


def _on_disk(name: str) -> Iterator[Log]:
    path = Path(name)
    places = list(_within(path)) if path.is_dir() else [name] if path.exists() else glob.glob(name, recursive=True)
    if places != [name]:
        ours = {folder for folder in {os.path.dirname(place) for place in places} if _holds_audit(Path(folder))}
        places = [place for place in places if os.path.dirname(place) not in ours]
    for place in places:
        if not place.lower().endswith(_SUFFIXES):
            raise UsageError(f"{place}: is no file of answers", _HINT)
        if os.path.isfile(place):
            about = os.stat(place)
            yield Log(place, about.st_size, _version(about))


def _version(about: os.stat_result) -> str:
    """The size of a file and its times. What unpacks or copies files may set the time of their content back to that of
    other answers; the time at which the file itself was last touched nobody can set."""
    return f"{about.st_size}-{about.st_mtime_ns}-{about.st_ctime_ns}"


def _within(folder: Path) -> Iterator[str]:
    """The logs of a folder and of those in it. Errors: InputFileError for one that cannot be read."""

    def unread(error: OSError) -> NoReturn:
        raise InputFileError(f"{error.filename}: cannot be read: {error.strerror}", "may you read this folder?")

    for place, folders, names in os.walk(folder, onerror=unread):
        folders[:] = [name for name in folders if not name.startswith(".")]
        seen = (name for name in names if not name.startswith(".") and name.lower().endswith(_SUFFIXES))
        yield from (str(Path(place, name)) for name in seen)


def _holds_audit(folder: Path) -> bool:
    with suppress(OSError, ValueError):
        return re.fullmatch(r"[0-9a-f]{64}\n", (folder / _MARK).read_text(encoding="utf-8")) is not None
    return False


def _in_bucket(name: str) -> Iterator[Log]:
    bucket, _, pattern = name.removeprefix(_S3).partition("/")
    first = min((place for sign in _MAGIC if (place := pattern.find(sign)) >= 0), default=len(pattern))
    with faults_named(f"{name}: "):
        for page in connect().get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=pattern[:first]):
            for entry in page.get("Contents", []):
                key, plain = entry["Key"], first == len(pattern)
                fits = key == pattern or key.startswith(f"{pattern.rstrip('/')}/" if pattern else "")
                if key.lower().endswith(_SUFFIXES) and (fits if plain else fnmatchcase(key, pattern)):
                    yield Log(f"{_S3}{bucket}/{key}", entry["Size"], entry["ETag"].strip('"'))


class Ranged(io.RawIOBase):
    """An object of a bucket as a file: a read asks for its bytes alone, of the version that was listed."""

    def __init__(self, log: Log) -> None:
        self._log, self._at, self._client = log, 0, connect()
        self._bucket, _, self._key = log.name.removeprefix(_S3).partition("/")

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def tell(self) -> int:
        """The place of the next byte."""
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._log.size}[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as there are bytes. Errors: SourceError, also where the object changed."""
        end = min(self._at + len(buffer), self._log.size)
        if end <= self._at:
            return 0
        with faults_named(f"{self._log.name}: "):
            answer = self._client.get_object(
                Bucket=self._bucket,
                Key=self._key,
                Range=f"bytes={self._at}-{end - 1}",
                IfMatch=f'"{self._log.version}"',
            )
            data = answer["Body"].read()
        if len(data) != end - self._at:
            raise SourceError(f"{self._log.name}: the server gave another part than was asked for", "run it again")
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def open_log(log: Log) -> IO[bytes]:
    """The bytes of a log, from any place on. Errors: InputFileError where it is gone or has changed."""
    if log.name.startswith(_S3):
        return io.BufferedReader(Ranged(log), _BUFFER)
    try:
        stream = open(log.name, "rb", _BUFFER)  # noqa: SIM115 - the caller closes it
    except OSError as error:
        raise InputFileError(f"{log.name}: cannot be read: {error.strerror}", _HINT) from error
    about = os.fstat(stream.fileno())
    if log.version != _version(about):
        stream.close()
        raise _changed(log)
    return stream


def _changed(log: Log) -> InputFileError:
    return InputFileError(
        f"{log.name}: changed since the audit began", "run it again; of a log that is still written, audit a copy"
    )


def pieces_of(logs: Sequence[Log]) -> Iterator[LogPiece]:
    """The pieces of all logs in order. JSONL is looked through for the ends of its lines, Parquet has them in its foot.

    Errors: InputFileError for a file that is no Parquet; SourceError, UsageError.
    """
    most = MANY if sum(log.size for log in logs) > LARGE else FEW
    for log in logs:
        yield from _of_parquet(log, most) if log.parquet else _of_lines(log, most)


def _of_lines(log: Log, most: int) -> Iterator[LogPiece]:
    with open_log(log) as stream:
        number, line, start, rows, count, at = 0, 1, 0, 0, 0, 0
        for size, blank in _line_sizes(stream):
            count, at, rows = count + 1, at + size, rows + (not blank)
            if rows == most:
                yield LogPiece(log, number, line, start, rows)
                number, line, start, rows = number + 1, count + 1, at, 0
        if rows:
            yield LogPiece(log, number, line, start, rows)


def _line_sizes(stream: IO[bytes]) -> Iterator[tuple[int, bool]]:
    """The bytes of each line, and whether it is blank; no line is held whole."""
    size, blank = 0, True
    while part := stream.readline(_BUFFER):
        size, blank = size + len(part), blank and _blank(part)
        if part.endswith(b"\n"):
            yield size, blank
            size, blank = 0, True
    if size:
        yield size, blank


def _blank(part: bytes) -> bool:
    """Wherever a line is cut into parts, it is blank if all of them are; a mark of the byte order is."""
    return not part.strip(b" \t\r\n\v\f" + BOM)


def _of_parquet(log: Log, most: int) -> Iterator[LogPiece]:
    number, line = 0, 1
    with open_log(log) as stream:
        foot = _parquet(log, stream).metadata
        for group in range(foot.num_row_groups):
            rows = foot.row_group(group).num_rows
            for first in range(0, rows, most):
                yield LogPiece(log, number, line + first, first, min(most, rows - first), group)
                number += 1
            line += rows


def _parquet(log: Log, stream: IO[bytes]) -> Any:
    arrows = arrow()
    try:
        return arrows.parquet.ParquetFile(stream)
    except (arrows.ArrowException, OSError) as error:
        raise InputFileError(f"{log.name}: is no Parquet that can be read: {error}", _HINT) from error


def drawn(pieces: Iterable[LogPiece], size: int, of: int, seed: int) -> Iterator[LogPiece]:
    """The pieces with their shares of a sample of `size` of all `of` rows, those with none left out.

    So the strata are the files and, within a file, stretches of rows, which in a log are stretches of time. Each gives
    as many rows as its size asks for; a seeded start settles the fractions (systematic sampling).
    """
    begin, before, size = Random(seed).random(), 0, min(size, of)  # noqa: S311 - a sample, no secret
    for piece in pieces:
        after = before + piece.rows
        take = int(after * size / of + begin) - int(before * size / of + begin)
        if take:
            yield replace(piece, take=take, seed=seed)
        before = after


def rows_of(piece: LogPiece) -> Iterator[Row | Broken]:
    """The rows of a piece, in order; of a sample those drawn. Errors: InputFileError, SourceError where the log cannot
    be read any more."""
    with open_log(piece.log) as stream:
        rows = _table_rows(piece, stream) if piece.log.parquet else _line_rows(piece, stream)
        if piece.take is None:
            yield from rows
            return
        chosen = frozenset(heapq.nsmallest(piece.take, range(piece.rows), key=lambda n: _draw(piece, n)))
        yield from (row for n, row in enumerate(rows) if n in chosen)


def _draw(piece: LogPiece, place: int) -> bytes:
    """The lot of a row: the same in any process, and for any other seed another one."""
    return hashlib.sha256(f"{piece.seed} {piece.name} {place}".encode()).digest()


def _line_rows(piece: LogPiece, stream: IO[bytes]) -> Iterator[Row | Broken]:
    stream.seek(piece.start)
    line, found = piece.line, 0
    while found < piece.rows:
        raw = part = stream.readline(MAX_LINE_BYTES + 1)
        if not raw:  # cut while it is read
            raise _changed(piece.log)
        blank = _blank(raw)
        while part and not part.endswith(b"\n"):  # the rest of a line that is too long
            part = stream.readline(_BUFFER)
            blank = blank and _blank(part)
        if not blank:
            found += 1
            yield _row(piece, line, raw)
        line += 1


def _row(piece: LogPiece, line: int, raw: bytes) -> Row | Broken:
    name = writable(piece.log.name)
    if len(raw) > MAX_LINE_BYTES:
        return Broken(name, line, f"the line is longer than {MAX_LINE_BYTES >> 20} MiB")
    try:
        fields = parse_line(raw.removeprefix(BOM) if line == 1 else raw, "")
    except InputFileError as error:
        return Broken(name, line, error.message.removeprefix(": "))
    return Broken(name, line, "the line is blank") if fields is None else Row(name, line, fields)


def _table_rows(piece: LogPiece, stream: IO[bytes]) -> Iterator[Row]:
    """Errors: InputFileError where the file is damaged."""
    file, name = _parquet(piece.log, stream), writable(piece.log.name)
    columns = [column for column in file.schema_arrow.names if column in FIELDS]
    place, end = 0, piece.start + piece.rows
    try:
        for batch in file.iter_batches(MANY, row_groups=[piece.group], columns=columns):
            first, last = max(piece.start, place), min(end, place + batch.num_rows)
            if first < last:
                part = fields_of(batch.slice(first - place, last - first))
                for number, fields in enumerate(part, piece.line + first - piece.start):
                    yield Row(name, number, fields)
            place += batch.num_rows
            if place >= end:
                return
    except (arrow().ArrowException, OSError) as error:
        raise InputFileError(f"{name}: is damaged: {str(error)[:200]}", "write the file anew") from error


@dataclass(frozen=True, slots=True)
class Folder:
    """Where an audit keeps its verdicts, a file a piece, and beside each its tally, which says that the piece is done.
    A folder holds one audit: `key` stands for its answers, its settings, and what they are judged by."""

    path: Path
    key: str
    parquet: bool = False

    def open(self) -> None:
        """Make the folder, or go on in it. Errors: UsageError where it holds another audit; OSError."""
        make_folder(self.path)
        mark = self.path / _MARK
        # Looked at before the mark, which the same audit in another process may be writing.
        used = any(not one.name.startswith(f".{_MARK}.") for one in self.path.iterdir())
        if not mark.exists():
            if used:
                raise UsageError(f"{self.path}: is not empty, and holds no audit", "name a new folder")
            write(mark, self.key + "\n")
        elif mark.read_text(encoding="utf-8", errors="replace").strip() != self.key:
            raise UsageError(
                f"{self.path}: holds an audit of other answers, settings or documents",
                "name another folder, or remove this one",
            )

    def verdicts(self, piece: LogPiece) -> Path:
        """The file with the verdicts of a piece."""
        return self.path / f"{piece.name}.{'parquet' if self.parquet else 'jsonl'}"

    def tally(self, piece: LogPiece) -> Tally | None:
        """The tally of a piece that is done; None where it is not, or cannot be trusted to be."""
        path = self.path / f"{piece.name}.json"
        try:
            return _TALLY.validate_json(path.read_bytes()) if self.verdicts(piece).exists() else None
        except (OSError, ValueError):
            return None

    def keep(self, piece: LogPiece, rows: Sequence[Mapping[str, Any]], tally: Tally | None) -> None:
        """Write the verdicts, then the tally, each whole or not at all; without a tally the piece is not done. Errors:
        UsageError."""
        if self.parquet:
            arrow().parquet.write_table(table_of(rows), sink := io.BytesIO(), compression="zstd")
            write(self.verdicts(piece), sink.getvalue())
        else:
            write(self.verdicts(piece), "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
        if tally:
            write(self.path / f"{piece.name}.json", json.dumps(asdict(tally), ensure_ascii=False))
