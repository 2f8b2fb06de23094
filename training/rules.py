"""Rule-made changes of a sentence: those that break its meaning, those that keep it, and consistent renaming."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from training import wordlists

Rng = random.Random
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
_NAME = re.compile(
    r"`[^`\s]{2,40}`|\"[^\"\s]{2,30}\"|\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b(?:\(\))?|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}[A-Z0-9_]*\b"
    r"|\b[a-z][\w.]*\(\)|(?<=[a-z,] )[A-Z][a-z]+[A-Z]?\w*\b|(?<=\s)--?[a-z][\w-]+|\.[a-z]\w{2,}\b"
)
_AUX = re.compile(
    r"\b(is|are|was|were|will|can|could|should|must|may|does|do|did|has|have|had)\b(?! (?:not|no|never)\b)", re.I
)
_NEGATION = re.compile(
    r"\b(is|are|was|were|will|can|could|should|must|may|does|do|did|has|have|had) (?:not|never)\b|n't\b", re.I
)


def _table(text: str) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for pair in text.split():
        a, b = pair.split("/")
        out.setdefault(a, []).append(b)
        out.setdefault(b, []).append(a)
    return out


OPPOSITES = _table(wordlists.OPPOSITES)
UNITS = _table(wordlists.UNITS)


def _matcher(keys: Sequence[str]) -> re.Pattern[str]:
    ordered = sorted(keys, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, ordered)) + r")(?![\w-])", re.IGNORECASE)


_FINDERS = {
    "opposite": (_matcher(list(OPPOSITES)), OPPOSITES),
    "unit": (_matcher(list(UNITS)), UNITS),
    "duty": (_matcher(list(wordlists.DUTIES)), wordlists.DUTIES),
    "amount": (_matcher(list(wordlists.AMOUNTS)), wordlists.AMOUNTS),
    "reword": (_matcher(list(wordlists.REWORDINGS)), wordlists.REWORDINGS),
}


def _case(new: str, old: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() and not old.isupper() else new


def _swap(kind: str, text: str, rng: Rng) -> str | None:
    finder, table = _FINDERS[kind]
    hits = list(finder.finditer(text))
    if not hits:
        return None
    hit = rng.choice(hits)
    options = table.get(hit.group()) or table.get(hit.group().lower())
    return f"{text[: hit.start()]}{_case(rng.choice(options), hit.group())}{text[hit.end() :]}" if options else None


def other_number(old: str, rng: Rng) -> str:
    """Another number of the same form (thousands, decimals, years stay what they are)."""
    if "." in old:
        whole, part = old.split(".", 1)
        return (
            f"{whole}.{(int(part[:6]) + rng.randint(1, 8)) % 10 ** len(part[:6])}"
            if rng.random() < 0.6
            else f"{int(whole.replace(',', '')) + 1}.{part}"
        )
    value = int(old.replace(",", ""))
    near = [value + 1, value + 2, value * 2, value * 10, value + 5, max(0, value - 1), value // 2, value + 100]
    if 1500 <= value <= 2100:
        near = [value + d for d in (-11, -3, -2, -1, 1, 2, 4, 10)]
    new = rng.choice([n for n in near if n != value])
    return f"{new:,}" if "," in old else str(new)


def number(text: str, rng: Rng) -> str | None:
    """Change one number, in digits or in words."""
    hits = [h for h in _NUMBER.finditer(text) if len(h.group()) < 9]
    if hits:
        hit = rng.choice(hits)
        return text[: hit.start()] + other_number(hit.group(), rng) + text[hit.end() :]
    spelled = [h for h in re.finditer(r"\b[a-z]+\b", text) if h.group() in wordlists.NUMBERS[2:]]
    if not spelled:
        return None
    hit = rng.choice(spelled)
    new = rng.choice([n for n in wordlists.NUMBERS[1:] if n != hit.group()])
    return text[: hit.start()] + new + text[hit.end() :]


def negation(text: str, rng: Rng) -> str | None:
    """Take a negation out, or put one after an auxiliary verb."""
    hit = _NEGATION.search(text)
    if hit and hit.group(1):
        return text[: hit.start()] + hit.group(1) + text[hit.end() :]
    if hit:
        return text[: hit.start()] + text[hit.end() :] if not re.search(r"(?:ca|wo)$", text[: hit.start()]) else None
    aux = list(_AUX.finditer(text))
    if not aux:
        return None
    at = rng.choice(aux)
    return text[: at.end()] + rng.choice([" not", " not", " never"]) + text[at.end() :]


def names(text: str) -> list[str]:
    """Identifiers, quoted words, acronyms and capitalised names of a text, in order, each once."""
    return list(dict.fromkeys(_NAME.findall(text)))


def numbers(text: str) -> list[str]:
    """Numbers in digits of a text, in order."""
    return [h.group() for h in _NUMBER.finditer(text) if len(h.group()) < 9]


def rename(text: str, old: str, new: str) -> str:
    """Put one name in the place of another, wherever it stands as a whole word."""
    return re.sub(rf"(?<![\w]){re.escape(old)}(?![\w])", lambda _: new, text)


def entity(text: str, others: Sequence[str], rng: Rng) -> str | None:
    """Put a name from elsewhere in the passage in the place of one of the sentence's names."""
    own = names(text)
    foreign = [n for o in others for n in names(o) if n not in text]
    if not own or not foreign:
        return None
    old = rng.choice(own)
    alike = [n for n in foreign if n[:1].isupper() == old[:1].isupper() and n.endswith(")") == old.endswith(")")]
    return rename(text, old, rng.choice(alike or foreign))


def roles(text: str, rng: Rng) -> str | None:
    """Exchange two names of the sentence."""
    own = names(text)
    if len(own) < 2:
        return None
    a, b = rng.sample(own, 2)
    return rename(rename(rename(text, a, "\0"), b, a), "\0", b) if a not in b and b not in a else None


def broken(text: str, others: Sequence[str], rng: Rng) -> tuple[str, str] | None:
    """Change the sentence so that it no longer holds; (kind, changed), None where no rule applies."""
    rules: list[tuple[str, Callable[[], str | None]]] = [
        ("number", lambda: number(text, rng)),
        ("negation", lambda: negation(text, rng)),
        ("entity", lambda: entity(text, others, rng)),
        ("roles", lambda: roles(text, rng)),
        *((k, lambda k=k: _swap(k, text, rng)) for k in ("opposite", "unit", "duty", "amount")),  # type: ignore[misc]
    ]
    weights = {"number": 3.0, "opposite": 3.0, "unit": 2.0, "negation": 1.2, "duty": 2.0, "roles": 1.5}
    rules.sort(key=lambda rule: -(rng.random() ** (1 / weights.get(rule[0], 1.0))))
    for kind, change in rules:
        changed = change()
        if changed and changed.lower() != text.lower():
            return kind, changed
    return None


_OPENING = re.compile(
    r"^(?:however|therefore|note that|for example|in addition|also|thus|furthermore|in this case),? ", re.IGNORECASE
)
_IF = re.compile(r"^(If|When|Unless|Once|Before|After|Because) ([^,]{8,90}), ([^,]{10,160}?)([.]?)$")


def kept(text: str, rng: Rng) -> str:
    """Say nearly the same in nearly the same words: none to three small changes that keep the meaning."""
    out = text
    if rng.random() < 0.5:
        out = _OPENING.sub("", out)
        out = out[:1].upper() + out[1:]
    clause = _IF.match(out)
    if clause and rng.random() < 0.7:
        word, condition, main, stop = clause.groups()
        out = f"{main[:1].upper()}{main[1:]} {word.lower()} {condition}{stop}"
    if rng.random() < 0.3:
        out = re.sub(r" \([^()]{3,60}\)", "", out, count=1)
    for _ in range(rng.randint(0, 3)):
        out = _swap("reword", out, rng) or out
    if rng.random() < 0.15:
        out = re.sub(
            r"\b(two|three|four|five|six|seven|eight|nine|ten)\b",
            lambda m: str(wordlists.NUMBERS.index(m.group())),
            out,
        )
    return out.rstrip(".") if rng.random() < 0.2 else out
