"""Words of contrast between a subject and its verb: `The lid, on the other hand, is red` says that the lid is red."""

from __future__ import annotations

import re

from gate.extraction.lexicon import ADVERBS, AUX, BASE, PAST, THIRD
from gate.text import code_spans

_CONTRAST = re.compile(
    r"(?<=[^\s,;:.!?]), (?:on the (?:other hand|contrary)|(?:by|in) (?:contrast|comparison)|conversely|however|though|"
    r"in turn),(?= (?P<next>[a-z]+(?:n['’]t)?)\b)"
)
_RELATIVE = re.compile(r", ?(?:which|who|whose|where|that)\b[^,.;:!?\n]*\Z")
_NEAR = 150  # characters before that may have begun an aside, which the first comma ends
_GOES_ON = AUX | THIRD | PAST | BASE | ADVERBS


def uncontrasted(text: str) -> str:
    """`text` with blanks in place of such words, so that all places stay. Where no verb follows, another clause may
    begin; code is shown as it is written."""
    codes = code_spans(text) if _CONTRAST.search(text) else []
    pieces, at = [], 0
    for found in _CONTRAST.finditer(text):
        start = found.start()
        shown = any(begin <= start < end for begin, end in codes)
        closes = _RELATIVE.search(text[max(0, start - _NEAR) : start])
        if not shown and not closes and found["next"].replace("’", "'") in _GOES_ON:
            pieces += [text[at:start], " " * len(found[0])]
            at = found.end()
    return "".join([*pieces, text[at:]])
