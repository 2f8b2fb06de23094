"""Judges made of a few lines: they read the sheet as it stands, and answer by words in common, or as they are told."""

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from gate.errors import GateError
from gate.providers.base import Reply, Request
from gate.records import Usage

_STOP_LIST = "the a an and or of in on at to for with is are was were it its this that by as be has have had"
STOP = set(_STOP_LIST.split())


@dataclass
class SheetSeen:
    """A sheet as a model sees it: numbers and texts."""

    sentences: dict[int, str] = field(default_factory=dict)
    claims: dict[int, str] = field(default_factory=dict)


def seen(request: Request) -> SheetSeen:
    sheet = SheetSeen()
    for line in request.messages[-1].content.split("\n"):
        if found := re.match(r"\[(\d+)\] (.*)", line):
            sheet.sentences[int(found[1])] = found[2]
        elif found := re.match(r"\((\d+)\) (.*)", line):
            sheet.claims[int(found[1])] = found[2]
    return sheet


def words(text: str) -> set[str]:
    return {w for w in re.findall(r"\w+", text.lower()) if w not in STOP}


def honest(sheet: SheetSeen) -> list[dict[str, object]]:
    """Supported if one sentence has all numbers and most words of the claim; contradicted if it has most words."""
    return [_ruling(number, claim, sheet) for number, claim in sheet.claims.items()]


def _ruling(number: int, claim: str, sheet: SheetSeen) -> dict[str, object]:
    wanted = words(claim)
    best, share = 0, 0.0
    for at, text in sheet.sentences.items():
        common = len(wanted & words(text)) / max(1, len(wanted))
        if common > share:
            best, share = at, common
    there = words(sheet.sentences.get(best, ""))
    numbers = {w for w in wanted if w.isdigit()}
    verdict = "unsupported"
    if share >= 0.6:
        verdict = "supported" if numbers <= there else "contradicted"
    return {"claim": number, "sentences": [best] if best else [], "why": f"share {share:.1f}", "verdict": verdict}


def as_json(entries: list[dict[str, object]]) -> str:
    return json.dumps({"verdicts": entries})


class Scripted:
    """A provider that answers each request by `script(request) -> text`; it keeps what it was asked."""

    name = "openai"
    model = "scripted"

    def __init__(self, script: Callable[[Request], str | Reply | GateError] | None = None) -> None:
        self.script = script or (lambda request: as_json(honest(seen(request))))
        self.requests: list[Request] = []
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
        said = self.script(request)
        if isinstance(said, GateError):
            raise said
        return said if isinstance(said, Reply) else Reply(said, Usage(10, 5))
