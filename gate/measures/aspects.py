"""What a question asks for: its parts, what kind of answer each wants, and the conditions that it sets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gate.text import STOPWORDS, normalise, plain, sentences, stem, words
from gate.text_kinds import kind_of

LONGEST = 2000  # characters of a question that are taken apart
MOST = 12  # aspects of a question
BARE = 2  # own words from which a question stands without the sentence before it
LEAD = 200  # characters of that sentence
ITEM = 4  # words of an item of a list
_WH = (
    r"(?:how (?:much|many|long|often|far|fast|soon|quickly|big|large|early|late|do|does|did|can|could|should|would|is|"
    r"are|to)|how|what|which|who|whom|whose|when|where|why|whether)"
)
_AUX = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|must|may|has|have)"
_ONE = r"(?:it|there|the|i|we|you|they|this|that|my|our|a|an|any)"
_GREETING = re.compile(
    r"(?:(?:hi|hello|hey|greetings|good (?:day|morning|afternoon|evening)|thanks|thank you)"
    r"(?:(?: [^\s,.!?:;]{1,30}){0,2} ?[,.!:;]+|(?=\s))\s*)+",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"(?:(?:and|but|so|also|then|please)[, ]+)*(?:{_WH}|{_AUX}|tell|explain|describe|list|name|give|show|compare|"
    r"summari[sz]e|outline)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:(?:hi|hello|hey|ok|okay|and|but|so|also|then|well|please)\b[, ]+)*"
    r"(?:(?:(?:can|could|would|will) you(?: please)?|please|i(?:'d| would) like you to|i want you to) "
    r"(?:tell me|explain(?: to me)?|let me know|say|show me|describe|give me)|tell me|do you know|"
    r"i(?:'d| would) like to know|i (?:want|need) to know|let me know|explain(?: to me)?)\b[:, ]*(?:about )?",
    re.IGNORECASE,
)
_JOINT = re.compile(
    rf"\s*(?:[,;](?! or\b)|\b(?:and|plus|as well as)\b|&)(?:[\s,;]|\b(?:and|also|then|if so)\b)*"
    rf"(?={_WH}\b|{_AUX} {_ONE}\b)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|your|its|their) ", re.IGNORECASE)
_OPENS = re.compile(rf"{_WH}\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless|in case|when|while|after|before|without|once|whenever)\b", re.IGNORECASE)
_FIRST = re.compile(
    rf"(?:if|when|unless|in case|after|before|once)\b(?! {_AUX}\b)([^,?]{{3,200}}),\s*(?=\w)", re.IGNORECASE
)
_WORD = r"[^\s,;?]{1,60}"
_NEXT = rf"(?:{_WORD} ){{0,{ITEM - 1}}}?{_WORD}"
_LIST = re.compile(
    rf"(?<![^\s,;?])({_WORD})((?:, (?:{_NEXT}))+),? and ({_NEXT})(?=\s+(?:of|for|in|on|with|at|to|from|by)\b|$)"
)
_TWO = re.compile(
    rf"\b(?:the|your|its|their|both|between) ({_WORD}) and (?:the |your |its |their )?({_NEXT})"
    r"(?=\s+(?:of|for)\b|$)"
)
_TOGETHER = re.compile(
    r"\b(?:both|between|compare[ds]?|differen\w+)\b", re.IGNORECASE
)  # no item has a question of its own
_FIXED = frozenset(
    {("terms", "conditions"), ("health", "safety"), ("trial", "error"), ("pros", "cons"), ("do's", "don'ts")}
)
_FRAME_LIST = (
    "much many long often far soon take takes happen happens mean means want need use there kind kinds type types way "
    "ways"
)
_FRAME = frozenset(stem(word) for word in _FRAME_LIST.split())  # words that every question may hold


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that is asked for: `text` is the question for it alone, `name` what it is called to people, `kind` of
    answer it wants (see kinds), `keys` the stems that tell it from the other aspects; empty where it is the only one.
    A `condition` is what the question supposes; `without` is then the question without it."""

    text: str
    name: str
    kind: str = "thing"
    keys: frozenset[str] = frozenset()
    without: str = ""

    @property
    def condition(self) -> bool:
        """Whether it is something that the question supposes."""
        return bool(self.without)


def aspects(question: str) -> tuple[Aspect, ...]:
    """The aspects of a question in their order, at most MOST; a text without a question is one aspect as a whole."""
    clean = " ".join(plain(normalise(question[:LONGEST])).split())
    greeting = _GREETING.match(clean)
    clean = (clean[greeting.end() :] if greeting else "") or clean
    told = [clean[start:end] for start, end in sentences(clean)]
    asking = [sentence for sentence in told if sentence.endswith("?") or _ASKS.match(sentence) or _LEAD.match(sentence)]
    parts = [part for sentence in asking or [clean] if sentence for part in _questions(sentence)]
    found = [aspect for part in parts for aspect in _aspects(part)][:MOST]
    before = told[0] if asking and told[0] != asking[0] else ""
    return _told_apart(_completed(found, before))


def _completed(found: list[Aspect], before: str) -> list[Aspect]:
    """Questions that name nothing (`which ones do I need`, `what should I do`) with what was said before them: the
    sentence in front of all questions, else the aspect before."""
    made: list[Aspect] = []
    for place, aspect in enumerate(found):
        lead = before if before else found[place - 1].text if place else ""
        vague = not aspect.condition and len(aspect.keys) < (BARE if before else 1)
        made.append(replace(aspect, text=f"{lead[:LEAD]} {aspect.text}") if lead and vague else aspect)
    return made


def _questions(sentence: str) -> list[str]:
    """The questions in one sentence: `How and when do I pay?` are two."""
    bare = _LEAD.sub("", sentence, count=1).strip(" ?.!") or sentence
    first = _FIRST.match(bare)
    if first:  # `If I pay by card, how long ..` is asked as `how long .. if I pay by card`
        bare = f"{bare[first.end() :]} {bare[: first.end()].rstrip(', ')}"
    parts = [part.strip(" ,;?.!") for part in _JOINT.split(bare)]
    return _filled([part for part in parts if part])


def _filled(parts: list[str]) -> list[str]:
    """Bare question words get the rest of the question that follows, else of the one before."""
    made = list(parts)
    for place in reversed(range(len(parts))):
        if not _bare(parts[place]):
            continue
        others = [made[place + 1]] if place + 1 < len(parts) else [p for p in parts[:place] if not _bare(p)][-1:]
        rest = _OPENS.sub("", others[0], count=1).strip() if others else ""
        made[place] = f"{parts[place]} {rest}".strip()
    return made


def _bare(part: str) -> bool:
    return not any(word not in STOPWORDS for word in words(_OPENS.sub("", part, count=1)))


def _aspects(part: str) -> Iterator[Aspect]:
    """A question as it is, or one for each item of its list; and its condition."""
    main, condition = _conditional(part)
    named = list(_listed(main))
    for text, name in named or [(part, "")]:
        yield Aspect(text, name or text, kind_of(text), _stems(name or main))
    if condition:
        yield Aspect(part, condition, "condition", _stems(condition), main)


def _conditional(part: str) -> tuple[str, str]:
    """(the question without its condition, the condition); the latter empty where what is left asks for nothing."""
    found = next((m for m in _CONDITION.finditer(part) if m.start()), None)
    if found is None:
        return part, ""
    main, condition = part[: found.start()].rstrip(" ,"), part[found.start() :]
    enough = len(_stems(main)) > 1 and bool(_stems(condition))
    return (main, condition) if enough else (part, "")


def _listed(text: str) -> Iterator[tuple[str, str]]:
    """(the question for one item alone, the item) of a list of attributes or things."""
    found = _LIST.search(text)
    if found:
        middle = [item.strip() for item in found[2].split(",") if item.strip()]
        items = [found[1], *middle, found[3]]
    else:
        found = _TWO.search(text)
        items = [found[1], found[2]] if found else []
    if not found or tuple(items) in _FIXED or not all(_stems(item) for item in items):
        return
    together = _TOGETHER.search(text[: found.start(1)])
    for item in items:
        bare = _ARTICLE.sub("", item)
        yield bare if together else f"{text[: found.start(1)]}{bare}{text[found.end() :]}", bare


def _told_apart(found: list[Aspect]) -> tuple[Aspect, ...]:
    """Each with the stems that no other aspect has."""
    made = []
    for place, aspect in enumerate(found):
        own = aspect.keys
        others = frozenset[str]().union(
            *(other.keys for at, other in enumerate(found) if at != place and not other.condition)
        )
        keys = own if aspect.condition else own - others
        made.append(replace(aspect, keys=keys))
    return tuple(made)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text)) - _FRAME
