"""Yes and no: what such an answer claims, in the words of its question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gate.extraction.grammar import imperative
from gate.extraction.lexicon import BASE, DETERMINERS, PREPOSITIONS, SUBJECTS, third
from gate.extraction.tokens import Token, tokenise
from gate.text import sentences, stem, words

_POLAR_WORDS = (
    r"yes|yep|yeah|no|nope|correct|right|true|false|absolutely|definitely|certainly|sure|of course|indeed|exactly|"
    r"not (?:at all|really|quite|exactly|necessarily|directly|yet|always|by default|currently|anymore)"
)
_PITY = r"(?:(?:i['’]?m |i am )?(?:afraid|sorry)|unfortunately|sadly|regrettably|alas),? "
_WHOLE_NO = (
    rf"{_PITY}(?:no|not)|no way|by no means|not any ?more|no longer|(?:absolutely|certainly|definitely|of course) not|"
    r"no(?:pe)?,? (?:please )?(?:don['’]t|do not)|"
    r"i (?:would|['’]d) say no|i (?:don['’]t|do not) (?:think|believe) so|(?:the )?(?:short )?answer is no"
)
_WHOLE_YES = (
    r"(?:i['’]?m |i am )?afraid so|i (?:would|['’]d) say (?:so|yes)|i (?:think|believe) so|yes indeed|"
    r"(?:the )?(?:short )?answer is yes"
)
_HEDGE = r"(?:roughly|basically|generally|usually|mostly|probably|broadly|in short|in principle|largely),? "
_DASH = r"[*_]* -{1,2} [*_]*"
_POLAR = re.compile(
    rf"(?:{_HEDGE})?(?:{_WHOLE_NO}|{_POLAR_WORDS}|{_WHOLE_YES})\b(?:[*_\s]*[,.!:;—–][*_\s]*|{_DASH}|[*_\s]*$)",
    re.IGNORECASE,
)
_IT_DOES = (
    r"(?:it|you|they|we|that|there|this|he|she) (?:(?:does|do|did|can|could|is|are|was|were|will|would|should|may|"
    r"might|must|has|have)(?:n['’]t| not)?|can['’]t|cannot|won['’]t|shan['’]t)|(?:it|that|there|he|she)['’]s not|"
    r"(?:you|they|we)['’]re not"
)
_ECHOED = re.compile(rf"(?:(?:yes|no|nope|yep),? |{_PITY})?(?:{_IT_DOES})(?![\w'’])", re.IGNORECASE)
_ECHO = re.compile(
    rf"(?:(?:yes|no|nope|yep) |{_PITY})?(?:{_IT_DOES})(?:[*_\s]*[.:;!—–][*_\s]*|{_DASH}|[*_\s]*$)", re.IGNORECASE
)
_MILD = re.compile(r"(?:sure|of course|certainly|absolutely|definitely|right|correct|exactly|indeed)\b", re.IGNORECASE)
_ASKS_POLAR = re.compile(
    r"(?:.{0,120}?[,:] )?(?:so |and |but )?(?:is|are|was|were|am|do|does|did|can|could|will|would|should|shall|may|"
    r"might|must|has|have|"
    r"had|isn't|aren't|don't|doesn't|didn't|can't|won't|shouldn't|wouldn't)\b",
    re.IGNORECASE,
)  # fmt: skip
_BARE = re.compile(
    r"(?:yes|yep|yeah|no|nope|correct|true|false|absolutely|definitely|certainly|of course|not at all|"
    rf"{_WHOLE_NO}|{_WHOLE_YES}|(?:{_PITY}|(?:yes|no|nope|yep)?,? ?)(?:{_IT_DOES}))",
    re.IGNORECASE,
)
_NO = re.compile(r"\b(?:no|nope|false|not|cannot)\b|n['’]t", re.IGNORECASE)
_DENIED = re.compile(rf"{_NO.pattern}|\b(?:never|none|neither|nor|nobody|nothing|without)\b", re.IGNORECASE)
_APART = re.compile(  # what says more than no
    r"not (?:yet|always|by default|currently|directly|necessarily|any ?more)\b|(?:don['’]t|do not)\W*$", re.IGNORECASE
)
_INVERTED_LIST = "do does did can could will would should must may might"
_INVERTED = frozenset(_INVERTED_LIST.split())
_VERBS = BASE | {"be"}
_BETWEEN = frozenset({"still", "also", "just", "really", "actually", "simply", "always", "ever", "even"})
_FRAGMENT, _LONGER = 8, 14  # words of a fragment that is read together with the question, and of a plain value
_VALUE = re.compile(  # `From ten at night till seven in the morning`
    rf"(?:(?:(?:only )?(?:{'|'.join(sorted(PREPOSITIONS))})|somewhere|about|roughly|approximately|usually|every|"
    r"[\w-]+ ones|\w{3,6}days?)\b|[$€£]?\d)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r", (?:and|but) (?:if (?:so|not),? )?(?:how|what|when|where|which|who|why|is|are|was|were|do|does|did|can|could|"
    r"will|would|should|must|may|has|have)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_ENDS = " *_.!:;—–-"
_CUT_OFF = re.compile(r"(?<=[\w*_])\s*(?:[,:;–—]|\s-)\s*$")  # of what goes on behind it
_PERSONS = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours)\b", re.IGNORECASE)
_OTHER = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "we": "you",
    "us": "you",
    "our": "your",
    "ours": "yours",
}


def head(text: str) -> int:
    """How many characters of `Yes,`, `No:`, `Not by default.` or `It does.` stand at the beginning."""
    at = 0
    while at < len(text) and (found := _POLAR.match(text, at) or _ECHO.match(text, at)) and found.end() > at:
        at = found.end()
    return at


def claimed(said: str, question: str, following: str) -> str:
    """What a bare `Yes.` claims: the question with its answer; empty where the next sentence says so itself.

    `following` is the rest of its paragraph. A bare `Sure.` answers no question unless that asks for yes or no."""
    asked = asked_for(question)
    if _MILD.match(said) and not (asked and _ASKS_POLAR.match(asked)):
        return ""
    if _again(asked, following) and not (negative(said) and not _DENIED.search(following)):
        return ""
    return declared(asked, said) or with_question(_CUT_OFF.sub(".", said), question)


def denied(said: str, question: str, following: str) -> str:
    """What a no claims in front of its reason, if that can be told plainly and the reason does not deny it again. An
    order gives no reason, and `Not yet` says more than no: there it is told with the question."""
    asked = asked_for(question)
    if _again(asked, following) and _DENIED.search(following):
        return ""
    apart = _APART.search(said) or imperative(tokenise(following, 0, len(following)))
    bare = f"{said.strip(_ENDS + ',')}." if apart and _ASKS_POLAR.match(asked) else ""
    return declared(asked, said) or (with_question(bare, question) if bare else "")


def _again(asked: str, following: str) -> bool:
    """Whether what follows has the half of what is asked."""
    content, told = ({stem(word) for word in words(text)} for text in (asked, following))
    return bool(content) and len(content & told) * 2 >= len(content)


def echo(said: str) -> bool:
    """Whether a short answer has subject and verb: `It doesn't`, `No, you can't`."""
    return _ECHOED.match(said) is not None


def negative(said: str) -> bool:
    """Whether a short answer says no."""
    return _NO.search(said) is not None


def polar(question: str) -> bool:
    """Whether a question asks for yes or no."""
    return _ASKS_POLAR.match(asked_for(question)) is not None


def declared(asked: str, said: str) -> str:
    """The question as a statement: `Does it scale?`, `No.` -> `It does not scale.`; empty where that is not plain."""
    asked = _GOES_ON.sub("", asked)  # the answer to `Does it scale, and how far?` is to the first
    tokens = tokenise(asked, 0, len(asked))
    verb = _main_verb(tokens)
    if not verb or not _BARE.fullmatch(said.strip(_ENDS)):
        return ""
    between = verb - (tokens[verb - 1].text in _BETWEEN)
    name = asked[tokens[1].start : tokens[between - 1].end]
    negative = " not" if _NO.search(said) else ""
    if negative and tokens[between].text == "still":
        between += 1  # what is `not still` so never was, or is no longer: it is not so
    rest = asked[tokens[between].start :].rstrip("? ")
    support = "" if tokens[0].text in ("do", "does") and not negative else f" {tokens[0].text}{negative}"
    if tokens[0].text == "does" and not negative:
        at = tokens[verb].start - tokens[between].start
        rest = rest[:at] + third(tokens[verb].text) + rest[at + len(tokens[verb].text) :]
    return turned(f"{name}{support} {rest}") + "."


def turned(asked: str) -> str:
    """Words of a question as its answer says them: `my card` is `your card`."""
    return _PERSONS.sub(lambda found: _OTHER[found[0].lower()], asked)


def _main_verb(tokens: Sequence[Token]) -> int:
    """The index of the verb behind auxiliary and subject, 0 if it is not clear which word that is."""
    if len(tokens) < 3 or tokens[0].text not in _INVERTED or any(token.text == "or" for token in tokens):
        return 0
    if tokens[1].text in SUBJECTS:
        verb = 3 if tokens[2].text in _BETWEEN and len(tokens) > 4 else 2  # `Can I still pay?`
        return verb if tokens[verb].text in _VERBS else 0
    least = 3 if tokens[1].text in DETERMINERS else 2
    verb = next((i for i in range(least, min(len(tokens) - 1, 9)) if tokens[i].text in _VERBS), 0)
    clear = verb and tokens[verb + 1].text not in BASE and not any(t.text in PREPOSITIONS for t in tokens[1:verb])
    return verb if clear else 0


def brief(text: str) -> bool:
    """Whether words without a verb are rather an answer to the question than a statement of their own."""
    return len(text.split(",", 1)[0].split()) <= (_LONGER if _VALUE.match(text) else _FRAGMENT)


def with_question(text: str, question: str) -> str:
    """`text`, which is no sentence, behind the question that it answers."""
    asked = asked_for(question)
    return f"{asked} {text[:1].upper()}{text[1:]}" if asked else text


@lru_cache(maxsize=64)  # every fragment of an answer asks
def asked_for(question: str) -> str:
    """The last question in `question`, else its beginning; at most 300 characters."""
    found = [" ".join(question[start:end].split()) for start, end in sentences(question[:4000])]
    asked = [sentence for sentence in found if sentence.endswith("?") and len(sentence) <= 300]
    return asked[-1] if asked else " ".join(question[:300].split())
