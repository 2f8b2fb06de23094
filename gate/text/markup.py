"""Text as the reader of the page sees it: one form of characters, and no markup.

Markdown, HTML tags, and what Sphinx, MyST and their kin add: roles, links, directives, fields.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import zip_longest

_QUOTES = str.maketrans("‘’‚‛“”„‟‹›«»′″–‒‐‑−", "''''\"\"\"\"''\"\"'\"-----")
_SUPER = re.compile(r"[²³¹⁰⁴-⁹]{1,9}")
_FRACTION = re.compile(r"(\d{0,15})([¼-¾⅐-⅞])")
_BLANKS = re.compile(r"[^\S\n]+")
_CONTROL = frozenset(("Cc", "Cf", "Cs", "Co"))
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\](?:\([^()\s]{0,2000}(?: \"[^\"\n]{0,300}\")?\)|\[[^\[\]\n]{0,200}\])")
_AUTOLINK = re.compile(r"<(https?://[^<>\s]{1,2000})>")
_INLINE_TAG = re.compile(
    r"</?(?:a|b|i|u|em|strong|code|span|kbd|sub|sup|small|mark|del)(?: [^<>\n]{0,300})?>", re.IGNORECASE
)
_BLOCK_TAG = re.compile(
    r"</?(?:br|p|pre|div|li|ul|ol|details|summary|h[1-6]|t[rdh]|table|hr|img)(?: [^<>\n]{0,300})?/?>", re.IGNORECASE
)
_EMPHASIS = re.compile(r"(?<![\w*_\\])([*_]{1,3})(?=[^\s*_])([^*_\n]{1,400})(?<=[^\s*_\\])\1(?![\w*_])")
_STRUCK = re.compile(  # with footnote marks
    r"(?<![~\\])~~(?=[^\s~])[^~\n]{1,400}(?<=[^\s~])~~(?!~)|\[\^[^\]\s]{1,40}\](?!:)"
)
_BOLD = re.compile(r"\*\*|~~|\\(?=[\\`*_{}\[\]()#+.!|>~-])")
_LINE_MARK = re.compile(
    r"(?m)^[ \t]{0,12}(?:(?:>(?![=\d])|#{1,6}(?=[ \t])|[-*+•](?=[ \t])|\d{1,3}[.)](?=[ \t])|```+\w*|~~~+\w*"
    r"|[|:=-]{3,}[|: =-]*$)[ \t]?)+"
)
_TICKS = re.compile(r"`+")
_ROLE = re.compile(  # `x\\ :sup:`2`` is one word
    r"(?:\\ )?(?<![\w/{.`$])(?:\{([A-Za-z][\w:+.-]{0,40})\}|:((?:[A-Za-z][\w+.-]{0,40}:){1,3}))\Z"
)
_LINKED = re.compile(r"__?(?!\w)")
_REFERENCE = re.compile(  # but `type_`, and a prefix as `whs_`, are names as they stand
    r"(?<![\w`/.:-])(?=[a-z\d]{0,60}[A-Z-])([A-Za-z][A-Za-z\d-]{0,60}[a-z\d])_(?![\w(=*\[])"  # `Pydantic_ validates`
)
_OBJECTS = frozenset(("func", "class", "meth", "method", "attr", "data", "mod", "exc", "obj", "const", "type", "any"))
_AS_IS = frozenset(("code", "literal", "samp", "file", "math", "kbd", "command", "program", "regexp"))  # `Vec<T>`
_NUMBERED = {"pep": "PEP", "rfc": "RFC"}
_NAME = r"[A-Za-z][\w:+.-]{0,40}"
# In lines of their own: what is code, what says since when, and all others, whose words may stand behind the name.
CODE = frozenset(
    ("code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "doctest", "testcode", "testoutput")
    + ("prompt", "math", "ipython")
)
FORMULAS = frozenset(("math", "parsed-literal"))  # of those the ones that begin behind their name
_MARK = rf"\.\. (?:\|[^|\n]{{1,60}}\| )?({_NAME})::(?:[ \t]+|$)"
DIRECTIVE = re.compile(rf"[ \t]{{0,40}}{_MARK}", re.MULTILINE)
_DIRECTIVES = re.compile(rf"(?m)^[ \t>]{{0,40}}{_MARK}")
SINCE = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
_SINCE = re.compile(
    rf"(?m)^[ \t]{{0,40}}(?:\.\. |\{{)({'|'.join(SINCE)})(?:::|\}})[ \t]+([^\s,:]+)[,:]?(?:\s{{1,80}}(?=\S)|)"
)
_CODE = re.compile(rf"(?m)^[ \t]{{0,40}}\.\. (?:{'|'.join(sorted(CODE - FORMULAS))})::[^\n]*")
FOOTNOTE = re.compile(r"[ \t]{0,40}\.\. \[(?:#?[\w.-]{1,60}|#|\*)\][ \t]+")
_FOOTNOTES = re.compile(rf"(?m)^{FOOTNOTE.pattern}")
_FIELD = re.compile(
    r"(?m)^[ \t]{0,40}:(?:(?:param|parameter|arg|argument|key|keyword|kwarg)[ \t]+)?"
    r"([A-Za-z*][\w*., -]{0,60}):(?=[ \t])"
)
_MARKS = re.compile(r" ?\[(?:#?[\w.-]{1,40}|#|\*)\]_(?!\w)")  # of footnotes
_ATTRIBUTE = r"(?:[#.][A-Za-z_][\w:.-]{0,80}|[\w-]{1,40}=(?:\"[^\"{}\n]{0,200}\"|[^\s{}\"]{1,80}))"
_BARE = r"\{[\w-]{1,40}="
# `{: .class }`, `{#id}`, `{:toc}`, `[a](b){x=1}`; not `{:.2f}`, `{#if x}`, `to {id=5} or`, `\sum_{i=1}`
_ATTRIBUTES = re.compile(
    rf"[ \t]?(?!(?<=[\w^}}]){_BARE})(?!(?<=[ \t]){_BARE}[^{{}}\n]{{0,400}}\}}[ \t]{{0,9}}\S)"
    rf"\{{(?::{{1,2}}/?[a-z]{{3,20}}|:? ?{_ATTRIBUTE}(?:[ \t]+{_ATTRIBUTE}){{0,9}}[ \t]?)\}}"
)
_SHORTCODE = re.compile(r"\{\{[<%][^{}\n]{0,300}[>%]\}\}")
_LITERAL = re.compile(r"(?m)(?<=[^\s:])[ \t]?::[ \t]*$")  # `as follows::` announces code


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
            role = _ROLE.search(text, max(at, start - 140), start)
            link = None if role or width > 1 else _LINKED.match(text, end)
            words, titled = _shown(role, content) if role or link else (content, False)
            pieces.append(text[at : role.start() if role else start])
            codes.append(words if titled or not ticks else f"{'`' * width}{words}{'`' * width}")
            at = link.end() if link else end
    # Code is taken out, not cut at: what stands behind it begins no line (`name` - what it is).
    bare = _unmark(mark.join([*pieces, text[at:]]))
    names = re.sub(f"(?<={mark})/(?={mark})", " / ", bare).split(mark)  # ``-j`/`--jobs`` are two
    return "".join(part for pair in zip_longest(names, codes, fillvalue="") for part in pair)


def code_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Spans of inline code, backticks included, paired as Markdown does: a run closes with the next run as long."""
    runs = [m.span() for m in _TICKS.finditer(text, start, len(text) if end is None else end)]
    closing: list[int] = [-1] * len(runs)
    seen: dict[int, int] = {}
    for i in range(len(runs) - 1, -1, -1):
        length = runs[i][1] - runs[i][0]
        closing[i] = seen.get(length, -1)
        seen[length] = i
    spans, i = [], 0
    while i < len(runs):
        close = closing[i]
        if close >= 0:
            spans.append((runs[i][0], runs[close][1]))
            i = close
        i += 1
    return spans


def _unmark(text: str) -> str:
    text = _STRUCK.sub("", _LINE_MARK.sub("", _without_marks(text)))
    text = _AUTOLINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _EMPHASIS.sub(_emphasised, _BLOCK_TAG.sub(" ", _INLINE_TAG.sub("", text)))
    return _BOLD.sub("", text).replace(" | ", ", ").replace("|", " ")


def _emphasised(match: re.Match[str]) -> str:
    return match[0] if match[1] == "__" and match[2].isidentifier() else match[2]  # __init__ is a name


def _shown(role: re.Match[str] | None, content: str) -> tuple[str, bool]:
    """What a page shows of a role or a link in backticks, and whether that is no code: {ref}`via plugins <target>` and
    `via plugins <address>`__ are the title alone, :class:`~llm.Model` the name."""
    name = (role[1] or role[2][:-1]).rpartition(":")[2].lower() if role else ""
    if name not in _AS_IS and (title := _title(content)):
        return title, True
    if not role:
        return content, False
    content = content.strip()
    number = content.partition("#")[0]
    if number.isdigit() and name not in _AS_IS:
        raised = {"sup": f"^{number}", "sub": number}
        return raised.get(name, f"{_NUMBERED.get(name, name)} {number}"), True
    shown = content.lstrip("~!.@") or content if name in _OBJECTS else content
    return shown, content[:1].isdigit()


def _title(content: str) -> str:
    """The words of `words <target>`."""
    return content.rstrip()[:-1].rpartition("<")[0].strip() if content.rstrip().endswith(">") else ""


def _without_marks(text: str) -> str:
    """`text` without the marks of directives, fields, footnotes and attributes; code is taken out of it before."""
    if ".. " in text or "{" in text:
        text = _SINCE.sub(lambda m: f"{SINCE[m[1]]} {m[2]}{': ' * m[0][-1:].isspace()}", text)
        text = _CODE.sub("", text)
        text = _DIRECTIVES.sub("", _SHORTCODE.sub(" ", _ATTRIBUTES.sub("", text)))
    if "[" in text:
        text = _MARKS.sub("", _FOOTNOTES.sub("", text))
    text = _REFERENCE.sub(r"\1", text) if "_" in text else text
    return _LITERAL.sub(":", _FIELD.sub(r"\1:", text)) if ":" in text else text
