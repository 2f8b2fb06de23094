"""Documents in a bucket: listed by pages, told apart by ETag, read in a stream; S3 or a server that speaks like it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gate.config import DocSource
from gate.errors import SourceError
from ingest.base import MAX_BYTES, SKIPPED, Other, Unread, unnamed, without_controls
from ingest.formats import is_api, reader_for

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_READS = 3  # of one object, where the connection breaks in the middle of it
_KEYS = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a role: whatever boto3 finds"
_PLACE = "check the address, AWS_REGION, and for a server that is not AWS's own AWS_ENDPOINT_URL_S3"
_RIGHTS = "give these credentials s3:ListBucket on the bucket and s3:GetObject on what is in it"
_FAULTS = {
    "NoSuchBucket": ("there is no such bucket", _PLACE),
    "InvalidBucketName": ("is not the name of a bucket", "s3://bucket/prefix"),
    "InvalidAccessKeyId": ("the access key is not known there", _KEYS),
    "SignatureDoesNotMatch": ("the secret key does not belong to the access key", _KEYS),
    "ExpiredToken": ("the credentials have expired", "log in again"),
    "InvalidToken": ("the session token is not valid", _KEYS),
    "AccessDenied": ("access is denied", _RIGHTS),
    "403": ("access is denied", _RIGHTS),
    "PermanentRedirect": ("the bucket is in another region", _PLACE),
    "AuthorizationHeaderMalformed": ("the bucket is in another region", _PLACE),
    "NoSuchKey": ("is gone since it was listed", "run it again"),
    "404": ("is gone since it was listed", "run it again"),
    "PreconditionFailed": ("changed since it was listed", "run it again"),
    "412": ("changed since it was listed", "run it again"),
    "InvalidObjectState": ("is archived", "restore it first"),
}


@dataclass(frozen=True, slots=True)
class S3Document:
    """An object; `source` is its whole address. The content is the one that was listed, or there is a fault."""

    source: str
    bucket: str
    key: str
    etag: str
    size: int
    client: S3Client
    tags: tuple[str, ...] = ()

    def digest(self) -> str:
        """The ETag, which changes with the content: nothing is read."""
        return f"etag-{self.etag}-{self.size}"

    def read(self) -> bytes:
        """The content, at most MAX_BYTES. Raises SourceError."""
        if self.size > MAX_BYTES:
            raise _too_large(self.size)
        for _ in range(_READS - 1):
            try:
                return self._stream()
            except SourceError as error:
                if not _is_cut_off(error.__cause__):
                    raise
        return self._stream()

    def _stream(self) -> bytes:
        from botocore.exceptions import IncompleteReadError

        with faults_named(""):
            answer = self.client.get_object(Bucket=self.bucket, Key=self.key, IfMatch=f'"{self.etag}"')
            length = answer.get("ContentLength", 0)
            with answer["Body"] as body:
                data = body.read(MAX_BYTES + 1)
            if len(data) < min(length, MAX_BYTES + 1):  # a read with a limit ends without a fault
                raise IncompleteReadError(actual_bytes=len(data), expected_bytes=length)
        if len(data) > MAX_BYTES:
            raise _too_large(len(data))
        return data


@dataclass(frozen=True, slots=True)
class S3Source:
    """The documents below a prefix that `given` takes; credentials, region and endpoint come from where boto3 looks
    for them."""

    given: DocSource

    @property
    def address(self) -> str:
        """As the user gave it."""
        return self.given.path

    def documents(self) -> Iterator[S3Document | Unread | Other]:
        """Sorted by key. `s3://bucket/a` is the object `a` and what is below `a/`, not `ab`; hidden and generated
        folders are left out, as on a disk. Raises SourceError if the bucket cannot be listed."""
        bucket, _, prefix = self.address.partition("://")[2].partition("/")
        if not bucket:
            raise SourceError(f"{self.address}: names no bucket", "s3://bucket/prefix")
        with faults_named(f"{self.address}: "):
            client = connect()
            found = list(self._listed(client, bucket, prefix))
        for document in sorted(found, key=lambda document: document.key):
            name = document.source
            yield (unnamed(name) or document) if _is_document(document.key) else Other(without_controls(name))

    def _listed(self, client: S3Client, bucket: str, prefix: str) -> Iterator[S3Document]:
        exact = bool(prefix) and not prefix.endswith("/")
        if exact:
            # The first key that begins with the prefix is the prefix itself, if there is such an object.
            listing = client.list_objects_v2(Bucket=bucket, Prefix=prefix, MaxKeys=1)
            first = [entry for entry in listing.get("Contents", []) if entry["Key"] == prefix]
            yield from (self._document(client, bucket, entry) for entry in first)
        below = f"{prefix}/" if exact else prefix
        for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=below):
            for entry in page.get("Contents", []):
                path = entry["Key"][len(below) :]
                hidden = any(part.startswith(".") or part in SKIPPED for part in path.split("/"))
                if path and not path.endswith("/") and not hidden and self.given.takes(path):
                    yield self._document(client, bucket, entry)

    def _document(self, client: S3Client, bucket: str, entry: Any) -> S3Document:
        key = entry["Key"]
        name, etag = f"s3://{bucket}/{key}", entry["ETag"].strip('"')
        return S3Document(name, bucket, key, etag, entry["Size"], client, self.given.tags)


def _is_document(key: str) -> bool:
    """By its name alone: an object is read once, and only if it changed."""
    name = key.rpartition("/")[2].lower()
    return reader_for(name) is not None and (not is_api(name) or "openapi" in name or "swagger" in name)


def connect() -> S3Client:
    """A client with the credentials, region and endpoint that boto3 finds."""
    import boto3
    from botocore.config import Config

    patience = Config(
        connect_timeout=5, read_timeout=20, retries={"mode": "standard", "total_max_attempts": 4}, tcp_keepalive=True
    )
    return boto3.session.Session().client("s3", config=patience)


def _too_large(size: int) -> SourceError:
    limit = MAX_BYTES // 2**20
    return SourceError(f"is too large: {size / 2**20:,.0f} MB, the limit is {limit} MB", "split it")


def _is_cut_off(error: BaseException | None) -> bool:
    """Whether an answer broke off in its middle; what fails before it begins was repeated by boto3."""
    from botocore.exceptions import IncompleteReadError, ReadTimeoutError, ResponseStreamingError

    return isinstance(error, IncompleteReadError | ReadTimeoutError | ResponseStreamingError)


@contextmanager
def faults_named(where: str) -> Iterator[None]:
    """Faults of boto3 become SourceErrors that begin with `where`. Errors: SourceError."""
    from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

    try:
        yield
    except ParamValidationError as error:
        raise SourceError(f"{where}is not the address of a bucket", "s3://bucket/prefix") from error
    except ClientError as error:
        answer: dict[str, Any] = dict(error.response.get("Error", {}))
        code = str(answer.get("Code", ""))
        message, hint = _FAULTS.get(code, (f"was refused: {answer.get('Message') or code}", _PLACE))
        raise SourceError(f"{where}{_plain(message)}", hint) from error
    except (BotoCoreError, ValueError, KeyError) as error:
        hint = _KEYS if re.search("Credential|Profile", type(error).__name__) else _PLACE
        raise SourceError(f"{where}cannot be read: {_plain(str(error))}", hint) from error


def _plain(text: str) -> str:
    """One line without the secrets that boto3 repeats: a password in an address, a token that no header can carry."""
    bare = re.sub(r"(?<=://)[^/\s]*@", "***@", re.sub(r"(?<=header value ).*", "***", text, flags=re.DOTALL))
    return "".join(char if char.isprintable() else " " for char in bare)[:300]
