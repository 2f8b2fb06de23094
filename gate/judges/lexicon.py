"""What the judge knows of words before it reads: how rare they are, which say the same, which the opposite."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from gate.errors import ModelFileError
from gate.text import stem

MODELS = Path(__file__).parents[1] / "models"
LIGHT = 0.2  # the most that a word of everyday talk weighs, however rare it is in documents


class Lexicon(NamedTuple):
    """`weights` 0..1 (not listed: 1), `groups` of synonyms, `opposites`, all by stem; `lemmas` of irregular forms."""

    weights: dict[str, float]
    groups: dict[str, frozenset[int]]
    opposites: dict[str, frozenset[str]]
    lemmas: dict[str, str]

    def key(self, word: str) -> str:
        """What a lower-case word is matched by."""
        return stem(self.lemmas.get(word, word))

    def opposed(self, a: str, b: str) -> bool:
        """Whether two keys say the opposite: by the list, or by a prefix of denial."""
        if b in self.opposites.get(a, ()):
            return True
        long, short = (a, b) if len(a) > len(b) else (b, a)
        return len(short) > 3 and short != "less" and long.endswith(short) and long[: -len(short)] in _DENYING


# In-, im-, de- and dis- are not among them: import, inform, design and discover deny nothing. They stand in the list.
_DENYING = frozenset(("un", "non", "non-", "ir", "il"))


def listed(words: str) -> frozenset[str]:
    """The set of the words of a line."""
    return frozenset(words.split())


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped tables. Errors: ModelFileError.

    A weight is log((N + 1) / (n + 1)) / log(N + 1) for a stem that stands in n of N passages.
    """
    try:
        levels = json.loads((MODELS / "words.json").read_text(encoding="utf-8"))["levels"]
        senses = json.loads((MODELS / "senses.json").read_text(encoding="utf-8"))
        lines = {name: [str(line) for line in senses[name]] for name in ("irregular", "same", "opposite")}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"the judge's word tables cannot be read: {error}", "install the package again") from error
    lemmas = {word: line.split()[0] for line in lines["irregular"] for word in line.split()[1:]}
    weights = {word: int(level) / 20 for level, line in levels.items() for word in line.split()}
    weights |= {key: min(LIGHT, weights.get(key, 1.0)) for key in (stem(lemmas.get(w, w)) for w in senses["light"])}
    groups: dict[str, frozenset[int]] = {}
    against: dict[str, set[str]] = {}
    book = Lexicon(weights, groups, {}, lemmas)
    for i, line in enumerate(lines["same"]):
        for word in line.split():
            groups[book.key(word)] = groups.get(book.key(word), frozenset()) | {i}
    for line in lines["opposite"]:
        left, right = ({book.key(word) for word in side.split()} for side in line.split("|"))
        for word in left:
            against.setdefault(word, set()).update(right - left)
        for word in right:
            against.setdefault(word, set()).update(left - right)
    return book._replace(opposites={word: frozenset(found) for word, found in against.items()})
