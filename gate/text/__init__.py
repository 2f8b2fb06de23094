"""Text as data: pure functions, linear in the length of the text. The package's centre is imported from here.

Offsets: every span is (start, end) in the text that was given; `normalise` and `plain` change offsets.
"""

from __future__ import annotations

from gate.text.dates import versions
from gate.text.layout import Block, parse_blocks
from gate.text.markup import code_spans, normalise, plain
from gate.text.quantities import Number, numbers
from gate.text.tokenisation import STOPWORDS, identifiers, parts, sentences, sentences_in, stem, stems, tokens, words

__all__ = [
    "STOPWORDS", "Block", "Number", "code_spans", "identifiers", "normalise", "numbers", "parse_blocks", "parts",
    "plain", "sentences", "sentences_in", "stem", "stems", "tokens", "versions", "words",
]  # fmt: skip
