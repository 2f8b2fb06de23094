"""Sentences of prose and Markdown, and their tokens, content words, identifiers and stems: what texts are compared by;
which texts are not in English. In linear time whatever the text."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

from gate.text.layout import parse_blocks
from gate.text.markup import code_spans, normalise, plain

_STOP = re.compile(r"[.!?…]{1,20}[\"'”’»)\]*_]{0,8}(?=[\s<])|[。！？｡]+[」』”’）]{0,4}|[؟۔।](?=\s)|-->|(?=<!--)")
_LAST = re.compile(r"(?:[\w.&/-]|(?<=\w)['’](?=\w)){1,24}$")
_READABLE = re.compile(r"[^\W_]")
_WORD = re.compile(r"\w*")
_INITIALS = re.compile(r"(?:[a-z]\.)+[a-z]")
_NEXT = re.compile(r"[\s\"'“‘«(\[*_]*")
_ABBREVIATION_LIST = (
    "e.g i.e eg ie cf vs dr mr mrs ms prof st sr jr no nos fig figs eq sec ch vol art approx ca incl excl resp "
    "dept est gen gov hon rev mt univ sgt capt lt col viz al p pp ed eds rs misc min max tel ext"
)
_BEFORE_A_NUMBER_LIST = "jan feb mar apr jun jul aug sep sept oct nov dec nr"
_DAY_LIST = "Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun"
_UNCERTAIN_LIST = "etc inc ltd co corp a.m p.m am pm u.s u.k e.u u.n ph.d b.c a.d min max no ed ext"
_STARTER_LIST = (
    "the this that these those it its they we you he she i a an if when while in on for to but and so however by "
    "there here as at with after before each every all both no not your our their use set see is are do does"
)
_ABBREVIATIONS = frozenset(_ABBREVIATION_LIST.split())  # never end a sentence
_BEFORE_A_NUMBER = frozenset(_BEFORE_A_NUMBER_LIST.split())  # `Jan. 5` is no end
_DAYS = frozenset(_DAY_LIST.split())  # `Sat. 10 to 2`, but `in the sun. 10 people`
_UNCERTAIN = frozenset(_UNCERTAIN_LIST.split())  # may end one
_STARTERS = frozenset(_STARTER_LIST.split())  # words that begin one
_NUMBERED = re.compile(r"[A-Z#]{0,2}\d|[IVX]+\b")
_ZONE = re.compile(  # behind `5 p.m.`
    r"(?:eastern|central|mountain|pacific|local|[ecmpbg][sd]?t|gmt|utc|cest|ist|"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|new york|london|"
    r"(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber)s?\b",
    re.IGNORECASE,
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) of the sentences of `text`, in order, without markers and surrounding blanks.

    Blank lines, headings, list items, table rows and lines of fenced code end a sentence; hard-wrapped lines do not.
    Markers (`-`, `1.`, `#`, `>`) are outside the spans; a span without a letter or digit is left out. A row of a table
    is one, whatever its cells hold: what stands in them is said of the row; so is an option of a program with what it
    does.
    """
    blocks = parse_blocks(text)
    rows = [False, *(block.kind == "row" for block in blocks), False]
    found: list[tuple[int, int]] = []
    for block, above, below in zip(blocks, rows, rows[2:], strict=False):
        shown = text[block.start : block.end]
        # `red | green | blue. Each ..` alone is no row
        row = block.kind == "row" and (above or below or shown.lstrip()[:1] == "|")
        whole = row or (block.kind == "code" and "\n" in shown)
        found += [_trim(text, block.start, block.end)] if whole else sentences_in(text, block.start, block.end)
    return [span for span in found if span[0] < span[1]]


def sentences_in(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of one block text[start:end]."""
    spans: list[tuple[int, int]] = []
    codes = code_spans(text, start, end)
    at, code = start, 0
    for stop in _STOP.finditer(text, start, end):
        while code < len(codes) and codes[code][1] <= stop.start():
            code += 1
        inside = code < len(codes) and codes[code][0] < stop.start()
        if not inside and _ends(text, stop, end):
            spans.append((at, stop.end()))
            at = stop.end()
    spans.append((at, end))
    return [span for span in (_trim(text, *span) for span in spans) if span[0] < span[1]]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Without blanks at the ends; empty where nothing can be read."""
    piece = text[start:end]
    if _READABLE.search(piece) is None:
        return start, start
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _ends(text: str, stop: re.Match[str], end: int) -> bool:
    """Whether a stop followed by a blank, or the edge of an HTML comment, ends its sentence."""
    mark = stop[0].rstrip("\"'”’»)]*_」』）")
    if mark[-1:] in "。！？｡؟۔।>":  # "" too: before a comment
        return True
    skip = _NEXT.match(text, stop.end(), end)
    upcoming = text[skip.end() : skip.end() + 24] if skip else ""
    if mark != ".":
        quoted = len(stop[0]) > len(mark)
        return not upcoming[:1].islower() or (set(mark) <= {"!", "?"} and not quoted)
    if ")" in stop[0] and upcoming[:1].islower():
        return False  # `the pump (see 4.2.) starts`
    previous = _LAST.search(text, max(0, stop.start() - 24), stop.start())
    word = previous[0] if previous else ""
    if word.lower() in ("a.m", "p.m"):
        return upcoming[:1].isupper() and "(" not in (skip[0] if skip else "") and _ZONE.match(upcoming) is None
    return not (word in _DAYS and upcoming[:1].isdigit()) and _ends_word(word, upcoming)


def _ends_word(word: str, upcoming: str) -> bool:
    """Whether a single full stop behind a word ends the sentence."""
    previous = word.lower()
    upper = not upcoming[:1].islower()
    starter = _WORD.match(upcoming)
    starts = upper and starter is not None and starter[0].lower() in _STARTERS
    if previous == "no":  # `No. 5`, but not `Otherwise no. Dogs are ..`
        return upper and _NUMBERED.match(upcoming) is None
    if previous in _UNCERTAIN:
        return starts if previous in _ABBREVIATIONS or "." in previous else upper
    if previous in _ABBREVIATIONS or (previous in _BEFORE_A_NUMBER and upcoming[:1].isdigit()):
        return False
    initials = (len(word) == 1 and word.isupper()) or _INITIALS.fullmatch(previous) is not None
    return starts if initials else True


_STOP_LIST = (
    "a an the this that these those it its itself they them their theirs he she his her him we us our ours you your "
    "yours i me my mine is are was were be been being am do does did doing done has have had having will would shall "
    "should can could may might of in on at to for from by with as into onto about over under via per than then so "
    "such and or but if else nor yet there here where when while which who whom whose what how why also too very just "
    "really quite rather still even again because since although though however therefore thus hence etc e.g i.e eg "
    "ie vs get gets got let lets like own same some any up down out off through during between both each other "
    "another one ones s t re ve ll d m"
)
# Words without content. Negations, quantifiers and modals of duty (not, no, never, only, all, must, ...) stay in.
STOPWORDS = frozenset(_STOP_LIST.split())
_TOKEN = re.compile(
    r"(?:(?<![\w-])--?(?=[A-Za-z]))?[~./@#$]{0,2}\w+(?:(?:[.:/=@+'-]|::|->|://|\.\./)+\w+|\+\+|#(?!\w)|\(\))*%?"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,64}")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_CODE = re.compile(
    r"_|::|\(\)|^--?[A-Za-z]|^[./~@$]|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][-/]?\d|\d[A-Za-z]|^[A-Z][A-Z\d]+$"
    r"|\w[=+#]|\w\w\.[A-Za-z]|/\w+[./]|\w\.[a-z]{2,4}$"
)
_CONTRACTION = re.compile(r"(?:(ca|wo|sha)|(\w+))n't|(can)not")
_SHORT = {"ca": "can", "wo": "will", "sha": "shall"}
_PLAIN_WORD = re.compile(r"[a-z]{3,40}")
# Of the language of a text; the local tools read English, and what they say of others is a guess.
LONGEST = 2000  # characters that tell the language of a text
OTHER = 0.3  # share of letters of another script from which a text is not English
FEWEST = 12  # letters: a name, an amount or a code tells no language
ENGLISH = 0.2  # share of function words from which a text is English without a closer look
SURE, DOUBT = 0.6, 0.05  # chances of another language, and of English, that settle it
_KIN = frozenset({"en", "pcm", "sco", "jam"})  # English and what is hard to tell from it in a few words
_ASKED_LIST = "en de fr es it pt nl sv da no fi pl cs tr ru uk ar he hi zh ja ko id vi ro hu el th fa bn"
_ASKED = frozenset(_ASKED_LIST.split())
_per_thread = threading.local()  # a stemmer holds the word that it works on


def tokens(text: str) -> list[str]:
    """All tokens of `text` in lower case. Identifiers, flags, paths and versions stay whole (`follow_redirects=true`,
    `httpx.client`, `--flag`); possessives go, `n't` becomes `not`; Chinese and Japanese come as pairs of characters."""
    found: list[str] = []
    for raw in _raw(text):
        token = raw.lower().removesuffix("()").removesuffix("'s").rstrip("'")
        if short := _CONTRACTION.fullmatch(token):
            found += [_SHORT.get(short[1] or "", short[2] or short[3]), "not"]
        elif _CJK.search(token):
            found += _pairs(token)
        elif token:
            found.append(token)
    return found


def words(text: str) -> list[str]:
    """The tokens that carry content: without STOPWORDS."""
    return [token for token in tokens(text) if token not in STOPWORDS]


def _raw(text: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(plain(normalise(text)))]


def _pairs(token: str) -> list[str]:
    found: list[str] = []
    for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\u3040-\u30ff\u3400-\u9fff]+", token):
        found += [run[i : i + 2] for i in range(max(1, len(run) - 1))] if _CJK.match(run) else [run]
    return found


def parts(identifier: str) -> list[str]:
    """The lower-case words that an identifier is made of."""
    return [part.lower() for part in _PART.findall(identifier)]


def identifiers(text: str) -> list[str]:
    """Tokens that look like code, as written: dotted, snake or camel case, flags, paths, calls, capitals, digits."""
    return [raw for raw in _raw(text) if len(raw) > 1 and _CODE.search(raw)]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case English word; whatever is not a plain word of 3 to 40 letters comes back unchanged.

    Source: Snowball's English stemmer (Porter2). No index stores stems: another version needs no new index.
    """
    if not _PLAIN_WORD.fullmatch(word):
        return word
    if not hasattr(_per_thread, "stemmer"):
        from snowballstemmer.english_stemmer import EnglishStemmer  # its package loads every language

        _per_thread.stemmer = EnglishStemmer()
    stemmed: str = _per_thread.stemmer.stemWord(word)
    return stemmed


def stems(text: str) -> frozenset[str]:
    """The stems of its content words."""
    return frozenset(map(stem, words(text)))


@lru_cache(maxsize=1 << 12)
def is_foreign(text: str) -> bool:
    """Whether a text is surely in another language: not where it is too short to tell, nor of names alone."""
    start = normalise(text[:LONGEST])
    letters = [c for c in start if c.isalpha()]
    if sum(not _latin(c) for c in letters) > OTHER * len(letters):
        return True
    names = not any(word[0].islower() for word in start.split())
    if names or (len(letters) < FEWEST and start.isascii()):
        return False
    words = [token for token in tokens(start) if token.isalpha()]
    if words and sum(word in STOPWORDS for word in words) >= ENGLISH * len(words):
        return False
    ranked = dict(_ranking()(start))
    best = max(ranked, key=lambda code: ranked[code])
    english = sum(ranked.get(code, 0.0) for code in _KIN)
    return best not in _KIN and best in _ASKED and ranked[best] >= SURE and english <= DOUBT


def _latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


@cache
def _ranking() -> Callable[[str], list[tuple[str, float]]]:
    """The language identifier of Lui and Baldwin (langid.py, ACL 2012), opened when a text needs a closer look."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    rank: Callable[[str], list[tuple[str, float]]] = LanguageIdentifier.from_model_file(
        MODEL_FILE, norm_probs=True
    ).rank
    return rank
