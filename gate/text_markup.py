"""What Sphinx, MyST and their kin add to text, as the reader of the page sees it: roles, links, directives, fields."""

from __future__ import annotations

import re
from typing import NamedTuple

_ROLE = re.compile(r"(?<![\w/{.`$])(?:\{([A-Za-z][\w:+.-]{0,40})\}|:((?:[A-Za-z][\w+.-]{0,40}:){1,3}))\Z")
_LANGUAGE = re.compile(r"^#![a-z]{1,12} +(?=\S)")  # `#!python import os`, which a page shows in colours
_ROLE_BEHIND = re.compile(r":([A-Za-z][\w+.-]{0,40}):(?![\w`])")
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
_ABBREVIATION = re.compile(r"(?m)^[ \t]{0,3}\*\[([^\]\n]{1,60})\]:")
_LITERAL = re.compile(r"(?m)(?<=[^\s:])[ \t]?::[ \t]*$")  # `as follows::` announces code


class Inline(NamedTuple):
    """A pair of backticks as a page shows it: so many characters in front of it go, `words` stand for it, so many
    behind it go; `titled`: the words are no code."""

    less: int
    words: str
    more: int
    titled: bool


def inline(before: str, content: str, behind: str) -> Inline:
    """What a page shows of a pair of backticks; `before` and `behind` are the text around it.

    {ref}`via plugins <target>` and `via plugins <address>`__ are the title alone, :class:`~llm.Model` the name.
    """
    if role := _ROLE.search(before[-140:]):
        name = (role[1] or role[2][:-1]).rpartition(":")[2].lower()
        words, titled = _shown(name, content.strip())
        escaped = before.endswith("\\ " + role[0])  # `x\ :sup:`2`` is one word
        return Inline(len(role[0]) + 2 * escaped, words, 0, titled or content[:1].isdigit())
    content = _LANGUAGE.sub("", content)
    if role := _ROLE_BEHIND.match(behind):
        words, titled = _shown(role[1].lower(), content.strip())
        return Inline(0, words, role.end(), titled)
    title = _title(content)
    link = _LINKED.match(behind)
    return Inline(0, title or content, link.end(), bool(title)) if link else Inline(0, content, 0, False)


def _shown(name: str, content: str) -> tuple[str, bool]:
    """What a role shows, and whether it is a title."""
    if name not in _AS_IS and (title := _title(content)):
        return title, True
    number = content.partition("#")[0]
    if number.isdigit() and name not in _AS_IS:
        raised = {"sup": f"^{number}", "sub": number}
        return raised.get(name, f"{_NUMBERED.get(name, name)} {number}"), False
    return content.lstrip("~!.@") or content if name in _OBJECTS else content, False


def _title(content: str) -> str:
    """The words of `words <target>`."""
    return content.rstrip()[:-1].rpartition("<")[0].strip() if content.rstrip().endswith(">") else ""


def unmarked(text: str) -> str:
    """`text` without the marks of directives, fields, footnotes and attributes; code is taken out of it before."""
    if ".. " in text or "{" in text:
        text = _CODE.sub("", _SINCE.sub(_since, text))
        text = _DIRECTIVES.sub("", _SHORTCODE.sub(" ", _ATTRIBUTES.sub("", text)))
    if "[" in text:
        text = _ABBREVIATION.sub(r"\1:", _MARKS.sub("", _FOOTNOTES.sub("", text)))
    text = _REFERENCE.sub(r"\1", text) if "_" in text else text
    return _LITERAL.sub(":", _FIELD.sub(r"\1:", text)) if ":" in text else text


def _since(found: re.Match[str]) -> str:
    more = found[0][-1:].isspace()
    return f"{SINCE[found[1]]} {found[2]}{': ' if more else ''}"
