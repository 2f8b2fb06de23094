"""Documents from a real S3-compatible server: many of them, deep ones, one that vanishes, a wrong key."""

import os
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

from gate.commands.ingest import Shown
from gate.errors import SourceError
from gate.store import index_for_writing
from gate.store.base import Index
from ingest.index import Summary, ingest
from ingest.sources import open_sources
from tests.support.services import missing
from tests.support.words_embedder import WordsEmbedder

pytestmark = pytest.mark.services
URL = os.environ.get("MINIO_URL") or "http://127.0.0.1:9010"


@pytest.fixture
def environ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", URL)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "minioadmin")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "minioadmin")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bucket(environ: None) -> Iterator[Any]:
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError

    patience = Config(connect_timeout=2, retries={"total_max_attempts": 1}, max_pool_connections=16)
    bucket = boto3.resource("s3", config=patience).Bucket(f"gate-test-{uuid.uuid4().hex[:12]}")
    try:
        bucket.create()
    except BotoCoreError as error:
        missing(f"MinIO at {URL}: {error}")
    yield bucket
    bucket.objects.all().delete()
    bucket.delete()


def put(bucket: Any, objects: dict[str, str]) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda pair: bucket.put_object(Key=pair[0], Body=pair[1].encode()), objects.items()))


@pytest.fixture
def index(tmp_path: Any) -> Iterator[Index]:
    index = index_for_writing(None, tmp_path / "index.sqlite", WordsEmbedder(), {})
    yield index
    index.close()


def run(index: Index, *addresses: str) -> Summary:
    with ExitStack() as shown:
        return ingest(open_sources(addresses), index, Shown(shown))


def test_three_thousand_objects_and_a_repeat_that_reads_none(bucket: Any, index: Index) -> None:
    put(bucket, {f"docs/{n % 7}/{n % 3}/{n}.md": f"# Note {n}\n\nLimit {n} is {n * 3} seconds." for n in range(3000)})
    address = f"s3://{bucket.name}/docs"
    first = run(index, address)
    assert (first.documents, first.change.added, first.faults) == (3000, 3000, ())
    found = index.search(["Limit 1234 is 3702 seconds"], 1)[0][0]
    assert found.source == f"{address}/2/1/1234.md"
    put(bucket, {"docs/1/1/1.md": "# Note 1\n\nLimit 1 is new."})
    bucket.Object("docs/2/2/2.md").delete()
    again = run(index, address)
    assert (again.change.added, again.change.unchanged, again.change.removed) == (1, 2998, 2)


def test_prefixes_are_folders(bucket: Any, index: Index) -> None:
    keys = ["docs/a.md", "docs/deep/er/é +%&?#.md", "docs-old/b.md", "docs/.hidden/c.md", "docs/x.exe"]
    put(bucket, dict.fromkeys(keys, "# T\n\nSome text."))
    run(index, f"s3://{bucket.name}/docs")
    assert list(index.digests()) == [f"s3://{bucket.name}/{key}" for key in keys[:2]]


def test_an_object_that_vanishes_or_changes_costs_a_line(bucket: Any, index: Index) -> None:
    put(bucket, {f"{name}.md": f"# {name}\n\nText of {name}." for name in "abc"})
    source = open_sources([f"s3://{bucket.name}"])[0]
    listed = list(source.documents())
    bucket.Object("a.md").delete()
    put(bucket, {"b.md": "# b\n\nAnother text."})

    class Listed:
        address = source.address

        def documents(self) -> Any:
            return iter(listed)

    with ExitStack() as shown:
        summary = ingest([Listed()], index, Shown(shown))
    assert [(fault.source[-4:], fault.message) for fault in summary.faults] == [
        ("a.md", "is gone since it was listed"),
        ("b.md", "changed since it was listed"),
    ]
    assert len(index.digests()) == 1


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("AWS_SECRET_ACCESS_KEY", "wrong", "the secret key does not belong to the access key"),
        ("AWS_ACCESS_KEY_ID", "nobody", "the access key is not known there"),
    ],
)
def test_a_wrong_key(bucket: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SourceError, match=message):
        list(open_sources([f"s3://{bucket.name}"])[0].documents())


def test_no_bucket(bucket: Any) -> None:
    with pytest.raises(SourceError, match="there is no such bucket"):
        list(open_sources([f"s3://{bucket.name}-not"])[0].documents())
