"""A bucket on the loopback in the wire format of S3: listing by pages, objects with ETags, and faults on demand."""

import hashlib
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from tests.support.loopback import Handler, Loopback

PAGE = 3  # keys


class _Handler(Handler):
    fake: "FakeS3"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        bucket, _, key = unquote(parts.path).strip("/").partition("/")
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        fault = self.fake.faults.get(key or "list")
        if bucket != "b":
            self.refuse(404, "NoSuchBucket")
        elif isinstance(fault, tuple):
            self.refuse(*fault)
        elif fault == "html":
            self.send(200, b"<html>", {"content-type": "text/html"})
        elif key:
            self.get(key, fault)
        else:
            self.list(query)

    def get(self, key: str, fault: str | None) -> None:
        self.fake.reads.append(key)
        data = self.fake.objects.get(key)
        if data is None:
            return self.refuse(404, "NoSuchKey")
        if self.headers.get("if-match") != etag(data):
            return self.refuse(412, "PreconditionFailed")
        if fault == "cut" and self.fake.reads.count(key) == 1:
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
            return None
        if part := self.headers.get("range"):
            first, _, last = part.removeprefix("bytes=").partition("-")
            return self.send(206, data[int(first) : int(last) + 1], {"etag": etag(data)})
        return self.send(200, data, {"etag": etag(data)})

    def list(self, query: dict[str, str]) -> None:
        self.fake.lists += 1
        after = bytes.fromhex(query.get("continuation-token", "")).decode()
        keys = [key for key in sorted(self.fake.objects) if key.startswith(query.get("prefix", "")) and key > after]
        page = keys[: min(PAGE, int(query.get("max-keys", PAGE)))]
        entries = "".join(
            f"<Contents><Key>{quote(key)}</Key><ETag>{escape(etag(self.fake.objects[key]))}</ETag>"
            f"<Size>{len(self.fake.objects[key])}</Size></Contents>"
            for key in page
        )
        more = len(page) < len(keys)
        token = f"<NextContinuationToken>{page[-1].encode().hex()}</NextContinuationToken>" if more else ""
        body = (
            f"<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>{str(more).lower()}</IsTruncated>"
            f"{token}{entries}</ListBucketResult>"
        )
        self.send(200, body.encode(), {"content-type": "application/xml"})

    def refuse(self, status: int, code: str) -> None:
        self.send(status, f"<Error><Code>{code}</Code><Message>planted {code}</Message></Error>".encode(), {})


class FakeS3:
    """`objects`: key -> content of the bucket `b`; `faults`: key (or `list`) -> (status, code), `cut` (the body breaks
    off once) or `html`; `reads` holds the keys that were asked for."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.faults: dict[str, Any] = {}
        self.reads: list[str] = []
        self.lists = 0
        self.server = Loopback(type("Bucket", (_Handler,), {"fake": self}))
        self.url, self.close = self.server.url, self.server.close


def etag(data: bytes) -> str:
    return f'"{hashlib.md5(data, usedforsecurity=False).hexdigest()}"'
