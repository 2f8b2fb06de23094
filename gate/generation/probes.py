"""Probes: prompts that vary another one in its words or its evidence, so that a measure can see what that does."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gate.records import Prompt
from gate.text import STOPWORDS, Number, identifiers, numbers, parse_blocks, plain, sentences, sentences_in, stems
from gate.text.tokenisation import is_foreign

LONGEST = 2000  # characters of a question that is varied; a longer one is a document
PARAPHRASES = 2  # of a question
_SHORTEST = 5  # letters of a word that may be misspelled: shorter ones turn into other words
_HALF = 3  # words of a half that may stand first
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)'[^']*'(?!\w)|‘[^’]*’(?!\w)")
_CHUNK = re.compile(r"\S+")
_WORD = re.compile(r"(?<![\w'’])[^\W\d_]+(?![\w'’])")
_SIGNS = frozenset("_/\\@=<>{}[]#$~^|+*&%€£¥₹")
_FRAMES = ("I would like to know the following: {}", "Here is what I want to find out. {}")
_POLITE = "Could you please help me with this question? {} Thank you very much!"
BEARS = 0.5  # share of what is asked for that a sentence must hold to bear on it
_NEAR = 0.75  # of the best sentence's share: these say it as well
_FOREIGN = 0.34  # of the question's words: a passage with more of them may be about it
_DIGITS = re.compile(r"\d+")
_DENIED = "It is not true that {}"


@dataclass(frozen=True, slots=True)
class ProbeInputs:
    """What a probe may be made of: the passages that the model is given with its prompt (none where it is given none),
    passages of another prompt, the seed, and other ways to ask that a model wrote."""

    contexts: tuple[str, ...]
    foreign: tuple[str, ...]
    seed: int
    paraphrases: tuple[str, ...] = ()


def make_probes(measure: str, prompt: Prompt, inputs: ProbeInputs) -> Sequence[Prompt]:
    """The probes that a measure needs of one prompt; equal prompts and seeds give equal probes. None is the prompt
    itself: what cannot be varied has fewer."""
    made = MAKERS[measure](prompt, inputs)
    return [probe for probe in made if (probe.question, probe.contexts) != (prompt.question, inputs.contexts)]


def _paraphrased(prompt: Prompt, inputs: ProbeInputs) -> list[Prompt]:
    """The question in other words: as a model wrote it, and where that falls short by the local templates."""
    ways = list(dict.fromkeys([*inputs.paraphrases, *paraphrases(prompt.question)]))[:PARAPHRASES]
    own = inputs.contexts or None
    return [variation(prompt, "consistency", f"paraphrase-{n}", way, own) for n, way in enumerate(ways, 1)]


def _changed(prompt: Prompt, inputs: ProbeInputs) -> list[Prompt]:
    """The question with small changes, and with a passage among its own that has nothing to do with it."""
    question = prompt.question
    if len(question) > LONGEST:
        return []
    ways = {
        "typos": typos(question, inputs.seed),
        "case": case(question),
        "politeness": None if is_foreign(question) else _POLITE.format(question),
        "order": reordered(question),
    }
    own = inputs.contexts or None
    made = [variation(prompt, "sensitivity", kind, way, own) for kind, way in ways.items() if way is not None]
    mixed = distracted(question, inputs.contexts, inputs.foreign, inputs.seed)
    return made if mixed is None else [*made, variation(prompt, "sensitivity", "distractor", contexts=mixed)]


def _against_evidence(prompt: Prompt, inputs: ProbeInputs) -> list[Prompt]:
    """The same question without any evidence, and with evidence that says otherwise; none where there was none."""
    if not inputs.contexts:
        return []
    made = [variation(prompt, "retrieval_dependency", "withheld", contexts=())]
    turned = contradicted(prompt.question, prompt.reference, inputs.contexts)
    if turned is not None:
        made.append(variation(prompt, "retrieval_dependency", "contradicted", contexts=turned))
    return made


# The measures that need probes; the table of the measures names the kinds of each.
MAKERS: dict[str, Callable[[Prompt, ProbeInputs], Sequence[Prompt]]] = {
    "consistency": _paraphrased,
    "sensitivity": _changed,
    "retrieval_dependency": _against_evidence,
}


def variation(
    prompt: Prompt, measure: str, kind: str, question: str | None = None, contexts: tuple[str, ...] | None = None
) -> Prompt:
    """The prompt with another question or other contexts, called `id~measure-kind`."""
    return replace(
        prompt,
        id=f"{prompt.id}~{measure}-{kind}",
        question=prompt.question if question is None else question,
        contexts=prompt.contexts if contexts is None else contexts,
        probe=f"{measure}:{kind}",
        of=prompt.id,
        own_contexts=contexts is not None,
    )


def paraphrases(question: str) -> list[str]:
    """Ways to ask the same, PARAPHRASES of them: frames that fit every question; none where it is long or not in
    English. The question itself stays as it is, so that nothing else is asked."""
    text = " ".join(question.split())
    if len(text) > LONGEST or not text or is_foreign(text):
        return []
    return [frame.format(text) for frame in _FRAMES]


def reordered(question: str) -> str | None:
    """The two halves of a question in the other order; None where its one sentence has not just one comma, with a few
    words on both sides."""
    text = " ".join(question.split())
    halves = text.rstrip("?. ").split(", ")
    if len(text) > LONGEST or len(halves) != 2 or len(sentences(text)) != 1:
        return None
    if any(half.count(" ") + 1 < _HALF for half in halves) or any(mark in text for mark in '()\u201c\u201d"`:;'):
        return None
    first, second = halves
    return f"{second[:1].upper()}{second[1:]}, {first[:1].lower()}{first[1:]}?"


def _kept(question: str) -> list[tuple[int, int]]:
    """Spans that no variation may touch: quotes, code, identifiers, amounts with the word behind them."""
    spans = [match.span() for match in _QUOTED.finditer(question)]
    counted = False
    for match in _CHUNK.finditer(question):
        word = match[0].strip("?!.,;:()")
        digits = any(char.isdigit() for char in word)
        if digits or counted or not _SIGNS.isdisjoint(word) or identifiers(word):
            spans.append(match.span())
        counted = digits
    return spans


def typos(question: str, seed: int) -> str | None:
    """One to three words with two inner letters swapped, never one that is code, a name or an amount."""
    closed = _kept(question)
    draw = random.Random(f"{seed}:{question}")  # noqa: S311 - a sample, not a secret
    open_ = [match for match in _WORD.finditer(question) if _open(match, closed)]
    found = [(match.start(), swapped) for match in open_ if (swapped := _misspelled(match[0], draw))]
    varied = question
    for start, word in draw.sample(found, min(len(found), 3, 1 + len(found) // 4)):
        varied = varied[:start] + word + varied[start + len(word) :]
    return varied if found else None


def _open(match: re.Match[str], closed: list[tuple[int, int]]) -> bool:
    """Lower-case, long enough, and no part of what is kept."""
    if len(match[0]) < _SHORTEST or not match[0].islower():
        return False
    return not any(start < match.end() and match.start() < end for start, end in closed)


def _misspelled(word: str, draw: random.Random) -> str | None:
    places = [at for at in range(1, len(word) - 2) if word[at] != word[at + 1]]
    if not places:
        return None
    at = draw.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def case(question: str) -> str | None:
    """In lower case, or in capitals where it is already; quotes, code, abbreviations and amounts stay."""
    return next((varied for varied in (_cased(question, False), _cased(question, True)) if varied != question), None)


def _cased(question: str, upper: bool) -> str:
    spans = sorted(_kept(question))
    pieces, at = [], 0
    for start, end in [*spans, (len(question), len(question))]:
        free = question[at : max(at, start)]
        pieces += [free.upper() if upper else free.lower(), question[max(at, start) : end]]
        at = max(at, end)
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class _Place:
    passage: int
    start: int
    end: int
    share: float


def distracted(question: str, contexts: Sequence[str], foreign: Sequence[str], seed: int) -> tuple[str, ...] | None:
    """The passages with one of another prompt among them that shares few words with the question; None without one."""
    asked = stems(plain(question))
    strange = [text for text in foreign if text not in contexts and _share(asked, stems(plain(text))) <= _FOREIGN]
    if not contexts or not strange:
        return None
    passage = min(strange, key=lambda text: _share(asked, stems(plain(text))))
    at = random.Random(f"{seed}:{question}:among").randint(0, len(contexts))  # noqa: S311 - a sample, not a secret
    return (*contexts[:at], passage, *contexts[at:])


def contradicted(question: str, reference: str | None, contexts: Sequence[str]) -> tuple[str, ...] | None:
    """The passages with what bears on the question turned: other amounts, or a denial in front where there is none.

    Every sentence that is as near to the question (and to its reference answer) as the best one is changed, and every
    amount that was changed there is changed in all passages alike. None where nothing bears on it or can be turned.
    """
    places = _bearing(question, reference, contexts)
    for where, turn in (_amounts(contexts, places), (places, _denied)):
        turned = _turned(contexts, where, turn)
        if turned != tuple(contexts):
            return turned
    return None


def _bearing(question: str, reference: str | None, contexts: Sequence[str]) -> list[_Place]:
    """The sentences that hold most of what is asked, and of the reference where there is one."""
    asked, told = stems(plain(question)), stems(plain(reference or ""))
    named = {name.lower() for name in identifiers(question)}
    found = []
    for number, text in enumerate(contexts):
        for start, end in _prose(text):
            there = stems(plain(text[start:end]))
            shares = [_share(asked, there), *([_share(told, there)] if told else [])]
            if not named or named & {name.lower() for name in identifiers(text[start:end])} or told:
                found.append(_Place(number, start, end, max(shares)))
    best = max((place.share for place in found), default=0.0)
    return [place for place in found if best >= BEARS and place.share >= _NEAR * best]


def _prose(text: str) -> list[tuple[int, int]]:
    """The sentences of a passage, without headings and code."""
    told = [block for block in parse_blocks(text) if block.kind in ("text", "item", "row")]
    return [span for block in told for span in sentences_in(text, block.start, block.end)]


def _turned(contexts: Sequence[str], places: Sequence[_Place], turn: Callable[[str], str]) -> tuple[str, ...]:
    texts = list(contexts)
    for place in sorted(places, key=lambda place: -place.start):
        text = texts[place.passage]
        texts[place.passage] = text[: place.start] + turn(text[place.start : place.end]) + text[place.end :]
    return tuple(texts)


def _amounts(contexts: Sequence[str], places: Sequence[_Place]) -> tuple[list[_Place], Callable[[str], str]]:
    """These sentences and those wherever else the passages name their amounts, and what changes the amounts there."""
    said = {_key(n) for p in places for n in numbers(contexts[p.passage][p.start : p.end])}
    known = {(place.passage, place.start) for place in places}
    more = [
        _Place(number, start, end, 0.0)
        for number, text in enumerate(contexts)
        for start, end in _prose(text)
        if (number, start) not in known and said & {_key(n) for n in numbers(text[start:end]) if n.known}
    ]
    return [*places, *more], lambda text: _other_amounts(text, said)


def _other_amounts(text: str, said: set[tuple[str, float]]) -> str:
    for number in reversed(numbers(text)):
        if _key(number) in said:
            piece = text[number.start : number.end]
            text = text[: number.start] + _other(piece, number.unit) + text[number.end :]
    return text


def _key(number: Number) -> tuple[str, float]:
    return number.unit, number.value


def _other(piece: str, unit: str) -> str:
    """The amount as it is written, with another figure in front."""
    digits = _DIGITS.search(piece)
    if digits is None or unit == "ordinal":
        return piece
    value = int(digits[0])
    day = value % 28 + 1 if value <= 31 else value + 2
    share = value + 25 if value <= 70 else value - 35
    special = {"clock": (value + 5) % 24, "date": day, "yearday": day, "%": share}
    other = special.get(unit, value + max(2, value // 2))
    return piece[: digits.start()] + str(other).zfill(len(digits[0])) + piece[digits.end() :]


def _denied(text: str) -> str:
    """A whole sentence in English, with its denial in front."""
    if text.count(" ") < 3 or not text.rstrip().endswith(".") or is_foreign(text):
        return text
    first, _, rest = text.partition(" ")
    return _DENIED.format(f"{first.lower() if first.lower() in STOPWORDS else first} {rest}")


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0
