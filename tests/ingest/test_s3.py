"""Documents of a bucket: which are listed, how they are read, and what the user is told when that fails."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from gate.config import DocSource
from gate.errors import SourceError
from ingest import s3
from ingest.base import MAX_BYTES, Other, Unread
from ingest.s3 import S3Document
from ingest.sources import open_sources
from tests.support.aws import read_descriptions_once
from tests.support.fake_s3 import FakeS3


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeS3]:
    fake = FakeS3()
    read_descriptions_once(monkeypatch)
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", fake.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIATEST")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    yield fake
    fake.close()


def listed(address: str) -> list[S3Document]:
    found = list(open_sources([address])[0].documents())
    assert not any(isinstance(entry, Unread) for entry in found)
    return [entry for entry in found if isinstance(entry, S3Document)]


def names(address: str) -> list[str]:
    return [document.source for document in listed(address)]


def test_a_key_that_cannot_be_printed_is_named_and_left_out(bucket: FakeS3) -> None:
    bucket.objects = dict.fromkeys(["docs/a\x1b[31m.md", "docs/b\u202e.md", "docs/c\n::error::x.md", "docs/d.md"], b"x")
    *left, kept = open_sources(["s3://b/docs"])[0].documents()
    assert all(isinstance(entry, Unread) and "cannot be printed" in entry.message for entry in left)
    assert [entry.source for entry in left] == [
        "s3://b/docs/a�[31m.md",
        "s3://b/docs/b�.md",
        "s3://b/docs/c�::error::x.md",
    ]
    assert kept.source == "s3://b/docs/d.md"


def test_globs_and_tags_and_what_is_no_document(bucket: FakeS3) -> None:
    keys = ["docs/a.md", "docs/old/b.md", "docs/data.json", "docs/c.odt", "docs/v1/openapi.json"]
    bucket.objects = dict.fromkeys(keys, b"text")
    (source,) = open_sources([DocSource(type="s3", path="s3://b/docs", exclude=["old"], tags=["v1"])])
    found = list(source.documents())
    assert [(entry.source, entry.tags) for entry in found if isinstance(entry, S3Document)] == [
        ("s3://b/docs/a.md", ("v1",)),
        ("s3://b/docs/v1/openapi.json", ("v1",)),
    ]
    assert [entry.kind for entry in found if isinstance(entry, Other)] == [".odt", ".json"]


KEYS = [
    "docs/a.md",
    "docs/deep/er/b.html",
    "docs/deep/é +%&?.txt",
    "docs/.hidden/c.md",
    "docs/node_modules/d.md",
    "docs/program.exe",
    "docs/folder.md/",
    "docs-old/e.md",
    "top.rst",
]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("s3://b", ["docs-old/e.md", "docs/a.md", "docs/deep/er/b.html", "docs/deep/é +%&?.txt", "top.rst"]),
        ("s3://b/docs", ["docs/a.md", "docs/deep/er/b.html", "docs/deep/é +%&?.txt"]),
        ("s3://b/docs/a.md", ["docs/a.md"]),
        ("s3://b/nothing", []),
    ],
)
def test_what_is_listed(bucket: FakeS3, address: str, expected: list[str]) -> None:
    bucket.objects = dict.fromkeys(KEYS, b"text")
    assert names(address) == [f"s3://b/{key}" for key in expected]


def test_an_object_is_read_and_known_by_its_etag(bucket: FakeS3) -> None:
    bucket.objects = {"a é.md": "# Ä\n".encode()}
    first = listed("s3://b")[0]
    assert first.digest() == listed("s3://b")[0].digest()
    assert bucket.reads == []
    assert first.read() == "# Ä\n".encode()
    bucket.objects["a é.md"] = b"other"
    assert listed("s3://b")[0].digest() != first.digest()


def test_an_object_that_went_or_changed_since_it_was_listed(bucket: FakeS3) -> None:
    bucket.objects = {"a.md": b"1", "b.md": b"2"}
    gone, changed = listed("s3://b")
    bucket.objects = {"b.md": b"3"}
    for document, message in ((gone, "is gone"), (changed, "changed since")):
        with pytest.raises(SourceError, match=message) as caught:
            document.read()
        assert caught.value.hint == "run it again"


def test_an_object_that_is_too_large_is_not_read(bucket: FakeS3, monkeypatch: pytest.MonkeyPatch) -> None:
    bucket.objects = {"a.md": b"x" * 100}
    document = listed("s3://b")[0]
    with pytest.raises(SourceError, match="is too large: 50 MB, the limit is 50 MB"):
        replace(document, size=MAX_BYTES + 1).read()
    assert bucket.reads == []
    monkeypatch.setattr(s3, "MAX_BYTES", 99)  # the listing said less than there is
    with pytest.raises(SourceError, match="is too large"):
        replace(document, size=1).read()


def test_a_body_that_breaks_off_is_read_again(bucket: FakeS3) -> None:
    bucket.objects = {"a.md": b"x" * 5000}
    bucket.faults = {"a.md": "cut"}
    assert listed("s3://b")[0].read() == b"x" * 5000
    assert len(bucket.reads) == 2


@pytest.mark.parametrize(
    ("fault", "message", "hint"),
    [
        ((403, "AccessDenied"), "access is denied", "s3:ListBucket"),
        ((404, "NoSuchBucket"), "no such bucket", "AWS_ENDPOINT_URL_S3"),
        ((418, "Teapot"), "was refused: planted Teapot", "AWS_REGION"),
        ("html", "was refused", "AWS_ENDPOINT_URL_S3"),
    ],
)
def test_a_bucket_that_cannot_be_listed(bucket: FakeS3, fault: object, message: str, hint: str) -> None:
    bucket.faults = {"list": fault}
    with pytest.raises(SourceError, match=f"s3://b/docs: .*({message})") as caught:
        names("s3://b/docs")
    assert hint in caught.value.hint
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("s3://", "names no bucket"),
        ("s3://Bad bucket!/x", "is not the address of a bucket"),
    ],
)
def test_an_address_that_leads_nowhere(bucket: FakeS3, address: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        names(address)


@pytest.mark.parametrize(
    ("name", "value", "message", "hint"),
    [
        ("AWS_ACCESS_KEY_ID", None, "Unable to locate credentials", "AWS_ACCESS_KEY_ID"),
        ("AWS_ENDPOINT_URL_S3", "nonsense", "Invalid endpoint", "AWS_ENDPOINT_URL_S3"),
        ("AWS_SESSION_TOKEN", "maple\n7", r"\*\*\*", ""),
        ("AWS_ENDPOINT_URL_S3", "http://elm:maple@127.0.0.1:9", r"\*\*\*", ""),
    ],
)
def test_a_set_up_that_cannot_work_is_told_without_what_is_secret(
    bucket: FakeS3, monkeypatch: pytest.MonkeyPatch, name: str, value: str | None, message: str, hint: str
) -> None:
    monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name)
    with pytest.raises(SourceError, match=f"cannot be read: .*{message}") as caught:
        names("s3://b")
    assert hint in caught.value.hint
    assert "maple" not in caught.value.message
