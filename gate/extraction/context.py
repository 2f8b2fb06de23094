"""What makes a statement stand alone: words of discourse off, pronouns replaced where that is safe, questions attached."""

from __future__ import annotations

import re

from gate.extraction.grammar import finite, imperative, subject, tokenise
from gate.extraction.lexicon import DETERMINERS, PLURAL, SUBJECTS
from gate.text import sentences, stem, words

_POLAR_WORDS = (
    r"yes|yep|yeah|no|nope|correct|right|true|false|absolutely|definitely|certainly|sure|of course|indeed|exactly|"
    r"not (?:at all|really|quite|exactly|necessarily|directly|yet|always|by default|currently|anymore)"
)
_POLAR = re.compile(rf"(?:{_POLAR_WORDS})\b(?:[*_\s]*[,.!:;—–][*_\s]*|[*_\s]*$)", re.IGNORECASE)
_ECHO = re.compile(
    r"(?:it|you|they|we|that|there|this) (?:does|do|can|is|are|will|was|did|should|may|must|has|have|could)(?:n't| not)?"
    r"(?:[*_\s]*[.:;!—–][*_\s]*|[*_\s]*$)",
    re.IGNORECASE,
)
_MILD = re.compile(r"(?:sure|of course|certainly|absolutely|definitely|right|correct|exactly|indeed)\b", re.IGNORECASE)
_HEAD = re.compile(
    r"(?:(?:please |also |but |and )?(?:note|keep in mind|remember|be aware|mind|bear in mind|it(?:'s| is) (?:also )?(?:worth noting|"
    r"important to note|worth mentioning))(?: also)?(?: that|[:,])\s*"
    r"|(?:i (?:think|believe|guess|suppose)|as far as i (?:know|can tell|remember)|to my knowledge|if i remember correctly)"
    r"(?: that\b)?,?\s+"
    r"|(?:in (?:short|other words|summary|addition|fact|contrast|practice)|that said|for (?:comparison|example|instance|your information)|"
    r"additionally|furthermore|moreover|however|also|finally|besides|on the other hand|by contrast|conversely|similarly|therefore|thus|"
    r"hence|consequently|as a result|overall|well|so|and|but|note|tip|important|warning|caution|remember|basically|actually|"
    r"unfortunately|fortunately|luckily|as for that|apart from that|first of all|to be clear|to answer your question)\s*[,:]\s+"
    r"|(?:and|but|so)\s+"
    r"|(?:that|this)(?:'s| is) (?:expected|normal|deliberate|on purpose|correct|right|true|intentional|by design)\s*:\s*)",
    re.IGNORECASE,
)  # fmt: skip
_EXPLETIVE = re.compile(
    r"it(?:'s| is| was| will be| may be| might be| would be| isn't| is not)?(?: also| usually| generally| often| best)? "
    r"(?:possible|impossible|necessary|important|recommended|advisable|worth|best|better|safe|safer|easy|easier|hard|common|"
    r"true|likely|unlikely|clear|up to|not (?:possible|necessary|recommended|clear|worth)|depends?|turns out|seems|appears|follows|"
    r"makes sense|helps|takes|to|that|because|when|if|why|how)\b",
    re.IGNORECASE,
)  # fmt: skip
_ASKS_POLAR = re.compile(
    r"(?:.{0,120}?[,:] )?(?:so |and |but )?(?:is|are|was|were|am|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|"
    r"had|isn't|aren't|don't|doesn't|didn't|can't|won't|shouldn't|wouldn't)\b",
    re.IGNORECASE,
)  # fmt: skip


def strip_heads(text: str) -> int:
    """How many characters of discourse (`Note that`, `However,`, `I think`) stand before the statement itself."""
    at = 0
    for _ in range(4):
        found = _HEAD.match(text, at)
        if not found or not any(c.isalnum() for c in text[found.end() :]):
            return at
        at = found.end()
    return at


def polar(text: str) -> int:
    """How many characters of `Yes,`, `No:`, `Not by default.` or `It does.` stand at the beginning."""
    found = _POLAR.match(text) or _ECHO.match(text)
    return found.end() if found else 0


def polar_claim(head: str, question: str, following: str) -> str:
    """What a bare `Yes.` claims: the question with its answer; empty where the next sentence says so itself.

    `following` is the rest of its paragraph. A bare `Sure.` answers no question unless that asks for yes or no.
    """
    asked = asked_for(question)
    if _MILD.match(head) and not (asked and _ASKS_POLAR.match(asked)):
        return ""
    content = {stem(word) for word in words(asked)}
    said = {stem(word) for word in words(following)}
    restated = content and len(content & said) * 2 >= len(content)
    return "" if restated else with_question(head, question)


def with_question(text: str, question: str) -> str:
    """`text`, which is no sentence, behind the question that it answers."""
    asked = asked_for(question)
    return f"{asked} {text[:1].upper()}{text[1:]}" if asked else text


def asked_for(question: str) -> str:
    """The last question in `question`, else its beginning; at most 300 characters."""
    found = [" ".join(question[start:end].split()) for start, end in sentences(question[:4000])]
    asked = [sentence for sentence in found if sentence.endswith("?") and len(sentence) <= 300]
    return asked[-1] if asked else " ".join(question[:300].split())


def complete(text: str) -> bool:
    """Whether `text` has a verb of its own: a finite one, or an order."""
    tokens = tokenise(text, 0, len(text))
    return finite(tokens) >= 0 or imperative(tokens)


def subject_of(text: str) -> str:
    """The subject of a statement, if it is a short and definite noun phrase; empty otherwise."""
    tokens = tokenise(text, 0, len(text))
    found = subject(tokens, 0, len(tokens)) if not imperative(tokens) else None
    if not found:
        return ""
    first, last = tokens[found[0]], tokens[found[1] - 1]
    known = (
        first.text in ("the", "your", "our", "a", "an", "its", "each", "every") or first.kind == "code" or first.capital
    )
    if first.text in SUBJECTS or (first.text in DETERMINERS and found[1] - found[0] == 1) or not known:
        return ""
    phrase = text[first.start : last.end]
    return re.sub(r"^(?:an?|each|every)\s", "the ", phrase, flags=re.IGNORECASE)


def resolve(text: str, antecedent: str) -> str:
    """`text` with a leading `it` or `they` replaced by the antecedent where number and construction allow it."""
    found = re.match(r"(it|they|its|their)('s|'ll|'re|'d|’s|’ll|’re)?\b", text, re.IGNORECASE)
    if not found or not antecedent or _EXPLETIVE.match(text):
        return text
    if (found[1].lower() in ("they", "their")) != _plural(antecedent):
        return text
    name = antecedent if text[0].islower() else antecedent[:1].upper() + antecedent[1:]
    if found[1].lower() in ("its", "their"):
        return f"{name}'s{text[found.end() :]}" if not name.endswith("s") else f"{name}'{text[found.end() :]}"
    clitic = {"'s": " is", "'ll": " will", "'re": " are", "'d": " would"}.get((found[2] or "").replace("’", "'"), "")
    return f"{name}{clitic}{text[found.end() :]}"


def _plural(phrase: str) -> bool:
    last = tokenise(phrase, 0, len(phrase))[-1]
    if phrase.split()[0].lower() in PLURAL or re.search(r"\band\b", phrase):
        return True
    head = re.split(r"\b(?:of|for|in|on|with|from|to|by)\b", phrase, maxsplit=1)[0].strip()
    word = head.split()[-1] if head else last.text
    return (
        word.endswith("s")
        and not word.endswith(("ss", "us", "is", "'s"))
        and not word[:1].isupper()
        and "`" not in word
    )
