"""The verdict document as JSON: readable, and the same bytes for the same verdict."""

from __future__ import annotations

import json
import re

from gate.reports.document import VerdictDocument
from gate.reports.telling import View

_LONE = re.compile("[\ud800-\udfff]")


def render(document: VerdictDocument, view: View | None = None) -> str:
    """JSON with two blanks of indent. Half a surrogate pair, which UTF-8 cannot carry, stays as its escape."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    return _LONE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"
