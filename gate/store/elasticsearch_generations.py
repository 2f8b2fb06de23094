"""The indices behind one alias: which is written, how it takes the place of the live one, and which are cleared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from gate.errors import StoreError
from gate.store.elasticsearch_mapping import MAX_DIMENSIONS, behind, definition, target_name
from gate.store.elasticsearch_server import WRITE, Server

GRACE = 6 * 3600.0  # seconds that readers keep an index that was replaced: as long as a job in CI may take


@dataclass(frozen=True, slots=True)
class Generation:
    """An index that the gate made for an alias: when, in seconds of the server's clock, whether an alias leads to it,
    and when another one took its place, if readers ever had it."""

    name: str
    created: float
    aliased: bool
    replaced: float | None = None


def prepare(server: Server, alias: str, made: dict[str, Any]) -> tuple[str, bool]:
    """(the index to go on with, whether readers have it), made where there is none. An ingest that was stopped left a
    newer one than the live one: it is taken up. One that was replaced by another embedder's may still be open
    somewhere. Errors: StoreError."""
    if made["dimension"] > MAX_DIMENSIONS:
        raise StoreError(
            f"the embedder {made['embedder']} has {made['dimension']} dimensions, Elasticsearch takes {MAX_DIMENSIONS}",
            "set another `embedding`, or one of fewer dimensions",
        )
    live, _ = behind(server, alias)
    stem = target_name(alias, made)
    ours = {number: one for one in generations(server, alias) if (number := _number(stem, one.name)) >= 0}
    newest = max(ours, default=0)
    target = _named(stem, newest)
    if not ours:
        _make(server, f"/{target}", definition(made))
    check_target(server, target, made)
    return target, target == live or (newest in ours and ours[newest].replaced is not None)


def copy(server: Server, alias: str, live: str, made: dict[str, Any]) -> str:
    """A copy of the live index, to be written while readers keep what they have. The server links its files: nothing
    is read, sent or embedded again. Errors: StoreError."""
    stem = target_name(alias, made)
    target = _named(stem, _number(stem, live) + 1)
    server.ask("PUT", f"/{live}/_settings", {"index.blocks.write": True}, patience=WRITE)
    _make(server, f"/{live}/_clone/{target}", {"settings": {"index.blocks.write": None}})
    server.ask("PUT", f"/{target}/_mapping", {"_meta": {"gate": made}}, patience=WRITE)  # no reader has had this one
    check_target(server, target, made)
    return target


def check_target(server: Server, target: str, made: dict[str, Any]) -> None:
    """Errors: StoreError where the index is not the one that was made (deleted, and made anew by something else)."""
    found = server.ask("GET", f"/{target}/_mapping", missing=True)
    with server.understood():
        record = found.get(target, {}).get("mappings", {}).get("_meta", {}).get("gate")
    if record != made:
        raise StoreError(
            f"the index `{target}` on {server.name} is not as the gate made it", "delete it and run `gate ingest` again"
        )


def swap(server: Server, alias: str, target: str, now: float) -> None:
    """From here on readers find `target` behind the alias, in one step; what stood there stays for those who have it
    open, and is marked as replaced `now`."""
    before, made = behind(server, alias)
    if before == target:
        return
    actions: list[dict[str, Any]] = [{"add": {"index": target, "alias": alias}}]
    if before:
        actions.append({"remove": {"index": before, "alias": alias}})
    server.ask("POST", "/_aliases", {"actions": actions}, patience=WRITE)
    if before:
        with suppress(StoreError):  # readers have the new one
            server.ask("PUT", f"/{before}/_mapping", {"_meta": {"gate": made, "replaced": now}}, patience=WRITE)


def clear(server: Server, alias: str, now: float) -> None:
    """Delete what is left over at `now`. The index is right without it, so a fault here is none."""
    with suppress(StoreError):
        for name in left_over(generations(server, alias), now):
            server.ask("DELETE", f"/{name}", missing=True, patience=WRITE)


def left_over(found: Sequence[Generation], now: float) -> list[str]:
    """The indices that no alias leads to and no reader can need: replaced or, where readers never had it, followed by
    another, or begun as the last one and given up, longer than GRACE ago."""
    order = sorted(found, key=lambda one: (one.created, one.name))
    pairs = zip(order, [*order[1:], *order[-1:]], strict=True)
    ended = [(one, follower.created if one.replaced is None else one.replaced) for one, follower in pairs]
    return [one.name for one, end in ended if not one.aliased and now - end > GRACE]


def generations(server: Server, alias: str) -> list[Generation]:
    """The indices that the gate made for this alias, with whatever embedder."""
    ours = re.compile(re.escape(alias) + r"-[0-9a-f]{12}(-\d+)?")
    found = server.ask("GET", f"/{alias}-*", missing=True)
    with server.understood():
        return [
            _generation(name, one)
            for name, one in found.items()
            if ours.fullmatch(name) and isinstance(one["mappings"].get("_meta", {}).get("gate"), dict)
        ]


def _generation(name: str, told: Mapping[str, Any]) -> Generation:
    created = int(told["settings"]["index"]["creation_date"]) / 1000
    replaced = told["mappings"]["_meta"].get("replaced")
    return Generation(name, created, bool(told["aliases"]), None if replaced is None else float(replaced))


def _make(server: Server, path: str, body: dict[str, Any]) -> None:
    try:
        server.ask("PUT", path, body, patience=WRITE)
    except StoreError as error:
        if "resource_already_exists" not in str(error.__cause__):  # another was faster, or an answer was lost
            raise


def _number(stem: str, name: str) -> int:
    """Which copy an index is: 0 for the first one, -1 for one of another embedder."""
    found = re.fullmatch(re.escape(stem) + r"(?:-(\d+))?", name)
    return int(found[1] or 0) if found else -1


def _named(stem: str, number: int) -> str:
    return f"{stem}-{number}" if number > 0 else stem
