"""Text as data: normalising, Markdown to plain words, tokens, identifiers; and the one import for its siblings.

Everything is pure, linear in the length of the text, and imported from here:
    normalise(text) -> str            one form of characters and blanks, nothing invisible (changes offsets)
    plain(text) -> str                without Markdown's markup, words and line breaks kept (changes offsets)
    sentences(text) -> [(start, end)] spans; code_spans(text) inline code
    structure(text) -> [Block]        paragraphs, items, headings, rows, code; blocks(text) their spans;
                                      within(text, start, end) the sentences of one
    tokens(text) -> [str]             all tokens, lower case; words(text) the same without STOPWORDS
    parts(identifier) -> [str]        follow_redirects=True -> follow redirects true; HTTPTransport -> http transport
    identifiers(text) -> [str]        tokens that look like code, as written
    stem(word) -> str                 redirects, redirected, redirection -> redirect
    numbers(text) -> [Number]         value, unit, start, end; same(a, b) compares by value; versions(text) apart
"""

from __future__ import annotations

import re
import unicodedata
from itertools import zip_longest

from gate.text_blocks import Block, blocks, structure
from gate.text_dates import versions
from gate.text_markup import inline, unmarked
from gate.text_numbers import Number, numbers, same
from gate.text_sentences import code_spans, sentences, within
from gate.text_stem import stem

__all__ = [
    "STOPWORDS", "Block", "Number", "blocks", "code_spans", "identifiers", "normalise", "numbers", "parts", "plain",
    "same", "sentences", "stem", "structure", "tokens", "versions", "within", "words",
]  # fmt: skip

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
_QUOTES = str.maketrans("‘’‚‛“”„‟‹›«»′″–‒‐‑−", "''''\"\"\"\"''\"\"'\"-----")
_SUPER = re.compile(r"[²³¹⁰⁴-⁹]{1,9}")
_FRACTION = re.compile(r"(\d{0,15})([¼-¾⅐-⅞])")
_BLANKS = re.compile(r"[^\S\n]+")
_CONTROL = frozenset(("Cc", "Cf", "Cs", "Co"))
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\](?:\([^()\s]{0,2000}(?: \"[^\"\n]{0,300}\")?\)|\[[^\[\]\n]{0,200}\])")
_AUTOLINK = re.compile(r"<(https?://[^<>\s]{1,2000})>")
_INLINE = re.compile(
    r"</?(?:a|b|i|u|em|strong|code|span|kbd|sub|sup|small|mark|del)(?: [^<>\n]{0,300})?>", re.IGNORECASE
)
_TAG = re.compile(
    r"</?(?:br|p|pre|div|li|ul|ol|details|summary|h[1-6]|t[rdh]|table|hr|img)(?: [^<>\n]{0,300})?/?>", re.IGNORECASE
)
_EMPHASIS = re.compile(r"(?<![\w*_\\])([*_]{1,3})(?=[^\s*_])([^*_\n]{1,400})(?<=[^\s*_\\])\1(?![\w*_])")
_STRUCK = re.compile(
    r"(?<![~\\])~~(?=[^\s~])[^~\n]{1,400}(?<=[^\s~])~~(?!~)|\[\^[^\]\s]{1,40}\](?!:)"
)  # and footnote marks
_BOLD = re.compile(r"\*\*|~~|\\(?=[\\`*_{}\[\]()#+.!|>~-])")
_LINE_MARK = re.compile(
    r"(?m)^[ \t]{0,12}(?:(?:>(?![=\d])|#{1,6}(?=[ \t])|[-*+•](?=[ \t])|\d{1,3}[.)](?=[ \t])|```+\w*|~~~+\w*"
    r"|[|:=-]{3,}[|: =-]*$)[ \t]?)+"
)
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


def normalise(text: str) -> str:
    """NFKC with straight quotes and plain hyphens, without controls, zero-width and bidirectional marks; blanks joined.

    Line breaks stay. Superscripts keep their sense (10² becomes 10^2), fractions become decimals (2½ becomes 2.5).
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_QUOTES)
    text = _SUPER.sub(lambda m: "^" + unicodedata.normalize("NFKC", m[0]), text)
    text = _FRACTION.sub(_decimal, text)
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    if not text.replace("\n", "").isprintable():
        text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in _CONTROL)
    return "\n".join(line.strip() for line in _BLANKS.sub(" ", text).split("\n"))


def _decimal(match: re.Match[str]) -> str:
    return f"{int(match[1] or 0) + unicodedata.numeric(match[2]):.4g}" if len(match[1]) < 5 else match[0]


def plain(text: str, ticks: bool = False) -> str:
    """`text` as a reader sees it: links become their words, other markup goes; the words of code stay verbatim, with
    their backticks if `ticks`."""
    codes: list[str] = []
    pieces: list[str] = []
    at = 0
    mark = next(mark for mark in map(chr, range(0xE000, 0xF8FF)) if mark not in text)
    for start, end in code_spans(text):
        width = len(text[start:end]) - len(text[start:end].lstrip("`"))
        if width < 3:
            content = text[start + width : end - width]
            less, words, more, named = inline(text[at:start], content, text[end : end + 50] if width == 1 else "")
            pieces.append(text[at : start - less])
            codes.append(words if named or not ticks else f"{'`' * width}{words}{'`' * width}")
            at = end + more
    # Code is taken out, not cut at: what stands behind it begins no line (`name` - what it is).
    bare = _unmark(mark.join([*pieces, text[at:]]))
    names = re.sub(f"(?<={mark})/(?={mark})", " / ", bare).split(mark)  # ``-j`/`--jobs`` are two
    return "".join(part for pair in zip_longest(names, codes, fillvalue="") for part in pair)


def _unmark(text: str) -> str:
    text = _STRUCK.sub("", _LINE_MARK.sub("", unmarked(text)))
    text = _AUTOLINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _EMPHASIS.sub(_emphasised, _TAG.sub(" ", _INLINE.sub("", text)))
    return _BOLD.sub("", text).replace(" | ", ", ").replace("|", " ")


def _emphasised(match: re.Match[str]) -> str:
    return match[0] if match[1] == "__" and match[2].isidentifier() else match[2]  # __init__ is a name


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
