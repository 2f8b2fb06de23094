"""An Elasticsearch on the loopback with what the store asks of it, in memory, and with faults on demand."""

import json
import threading
import time
from collections import Counter
from copy import deepcopy
from typing import Any

from tests.support.loopback import Handler, Loopback

GARBAGE = "<html>proxy"


class FakeElasticsearch:
    """`faults`: (a piece of a path, what happens) taken once each, in order, by the first request that fits. What
    happens: a status, GARBAGE, `reset`, `hang`, `items-429` (every other entry of a bulk), an answer."""

    def __init__(self) -> None:
        self.version, self.product, self.flavor = "8.19.0", "Elasticsearch", "default"
        self.location = ""
        self.indices: dict[str, dict[str, Any]] = {}
        self.entries: dict[str, dict[str, Any]] = {}
        self.aliases: dict[str, str] = {}
        self.created: dict[str, float] = {}
        self.now = time.time()  # the server's clock, in seconds: it stands still
        self.faults: list[tuple[str, Any]] = []
        self.sent: list[tuple[str, dict[str, str], Any]] = []
        self.released = threading.Event()
        self.lock = threading.Lock()
        fake = self

        class Api(Handler):
            def serve(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                body = [json.loads(line) for line in raw.splitlines()] if b"ndjson" in self._kind() else None
                fake.answer(self, json.loads(raw) if raw and body is None else body)

            def _kind(self) -> bytes:
                return self.headers.get("content-type", "").encode()

            do_GET = do_PUT = do_POST = do_DELETE = serve

        self.server = Loopback(Api)
        self.url = self.server.url

    def __enter__(self) -> "FakeElasticsearch":
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def close(self) -> None:
        self.released.set()
        self.server.close()

    def count(self, piece: str) -> int:
        return sum(piece in path for path, _, _ in self.sent)

    def answer(self, handler: Any, body: Any) -> None:
        with self.lock:
            headers = {name.lower(): value for name, value in handler.headers.items()}
            self.sent.append((f"{handler.command} {handler.path}", headers, body))
            fault = next((one for one in self.faults if one[0] in self.sent[-1][0]), None)
            if fault:
                self.faults.remove(fault)
            kind = fault[1] if fault else None
            if "compatible-with=8" not in headers.get("accept", ""):
                status, given = 400, {"error": {"reason": "Accept version must be either version 8 or 7"}}
            elif isinstance(kind, int):
                status, given = kind, {"error": {"type": "planted", "reason": f"planted {kind}"}, "status": kind}
            elif kind is None or str(kind).startswith("items-"):
                status, given = self.route(handler.command, handler.path, body, kind)
            else:
                status, given = 200, kind
        if kind == "hang":
            self.released.wait(30)
        if kind in ("reset", "hang"):
            handler.close_connection = True
            return
        data = given.encode() if isinstance(given, str) else json.dumps(given).encode()
        kind = "application/vnd.elasticsearch+json;compatible-with=8"
        headers = {"content-type": kind, "x-elastic-product": self.product, "location": self.location}
        handler.send(status, data, {name: value for name, value in headers.items() if value})

    def route(self, method: str, path: str, body: Any, kind: str | None) -> tuple[int, Any]:
        index, _, action = path.partition("?")[0].strip("/").partition("/")
        if not index:
            return 200, {"version": {"number": self.version, "build_flavor": self.flavor}}
        if index == "_aliases":
            return 200, self.swap(body["actions"])
        if method == "PUT" and not action:
            return self.make(index, body, {})
        if index.endswith("*"):
            return 200, {name: self.told(name) for name in self.indices if name.startswith(index[:-1])}
        index = self.aliases.get(index, index)
        if index in self.indices:
            return self.within(index, method, action, body, kind)
        missing = {"type": "index_not_found_exception", "reason": "no such index"}
        if action in ("_mget", "_mtermvectors"):  # each entry is told apart
            return 200, {"docs": [{"error": missing} for _ in body["docs"]]}
        return 404, {"error": missing, "status": 404}

    def within(self, index: str, method: str, action: str, body: Any, kind: str | None) -> tuple[int, Any]:
        if action.startswith("_clone/"):
            return self.make(action.removeprefix("_clone/"), deepcopy(self.indices[index]), dict(self.entries[index]))
        if method == "DELETE":
            self.delete(index)
            return 200, {"acknowledged": True}
        if action == "_mapping":
            self.indices[index]["mappings"].update(body or {})
            return 200, {index: {"mappings": self.indices[index]["mappings"]}}
        if action == "_bulk":
            return 200, self.bulk(index, body, kind)
        reads = {
            "_search": self.search,
            "_msearch": lambda index, lines: {"responses": [self.search(index, one) for one in lines[1::2]]},
            "_mget": self.mget,
            "_mtermvectors": self.vectors,
        }
        return 200, reads[action](index, body) if action in reads else {}

    def make(self, index: str, definition: Any, entries: dict[str, Any]) -> tuple[int, Any]:
        if index in self.indices:
            return 400, {"error": {"type": "resource_already_exists_exception", "reason": "it is there"}}
        self.indices[index], self.entries[index], self.created[index] = definition, entries, self.now
        return 200, {"acknowledged": True}

    def delete(self, index: str) -> None:
        del self.indices[index], self.entries[index], self.created[index]

    def told(self, index: str) -> dict[str, Any]:
        aliases = {alias: {} for alias, name in self.aliases.items() if name == index}
        created = str(int(1000 * self.created.get(index, self.now)))
        mappings = self.indices[index]["mappings"]
        return {"aliases": aliases, "mappings": mappings, "settings": {"index": {"creation_date": created}}}

    def swap(self, actions: list[Any]) -> dict[str, Any]:
        for act in actions:
            if "add" in act:
                self.aliases[act["add"]["alias"]] = act["add"]["index"]
        return {"acknowledged": True}

    def bulk(self, index: str, lines: list[Any], kind: str | None) -> dict[str, Any]:
        items, at = [], 0
        while at < len(lines):
            verb, target = next(iter(lines[at].items()))
            source = lines[at + 1] if verb == "index" else None
            at += 2 if verb == "index" else 1
            if kind and len(items) % 2 == 0:
                items.append({verb: {"status": int(kind[-3:]), "error": {"type": "planted", "reason": "planted"}}})
                continue
            items.append({verb: {"status": 200}})
            if source is None:
                self.entries[index].pop(target["_id"], None)
            else:
                self.entries[index][target["_id"]] = source
        return {"items": items}

    def search(self, index: str, body: dict[str, Any]) -> dict[str, Any]:
        entries, query = self.entries[index], body.get("query", {})
        if "exists" in query:
            key = query["exists"]["field"]
            after = body.get("search_after", [""])[0]
            found = sorted((one[key], name) for name, one in entries.items() if key in one and one[key] > after)
            hits = [{"_id": name, "sort": [value], "_source": entries[name]} for value, name in found]
        else:
            scored = [(self.score(one, body), name) for name, one in entries.items() if "chunk" in one]
            hits = [{"_id": name, "_score": score} for score, name in sorted(scored, reverse=True) if score > 0]
        return {"hits": {"hits": hits[: body["size"]]}, "status": 200}

    def score(self, one: dict[str, Any], body: dict[str, Any]) -> float:
        if "knn" in body:
            asked = body["knn"]["query_vector"]
            near = [sum(a * b for a, b in zip(asked, w["vector"], strict=True)) for w in one["windows"]]
            return 1e-6 + max(0, *near) if near else 0.0
        counts = Counter(one["words"].split())
        terms = [clause["term"]["words"] for clause in body["query"].get("bool", {}).get("should", [])]
        return float(sum(term["boost"] * counts[term["value"]] / (1 + counts[term["value"]]) for term in terms))

    def mget(self, index: str, body: dict[str, Any]) -> dict[str, Any]:
        found = [(one["_id"], self.entries[index].get(one["_id"])) for one in body["docs"]]
        return {"docs": [{"_id": name, "found": bool(source), "_source": source} for name, source in found]}

    def vectors(self, index: str, body: dict[str, Any]) -> dict[str, Any]:
        chunks = [set(one["words"].split()) for one in self.entries[index].values() if "chunk" in one]
        docs = []
        for one in body["docs"]:
            terms = {
                word: {"term_freq": n, "doc_freq": sum(word in chunk for chunk in chunks)}
                for word, n in Counter(one["doc"]["words"].split()).items()
            }
            docs.append({"term_vectors": {"words": {"field_statistics": {"doc_count": len(chunks)}, "terms": terms}}})
        return {"docs": docs}
