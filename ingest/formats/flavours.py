"""What generators of sites add to Markdown (MyST, MkDocs, Docusaurus, Hugo, MDX): the text inside of admonitions, tabs
and directives stays with its title, their marks go; includes and imports say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gate.text.markup import CODE, SINCE
from ingest.formats.lines import SAYS, SourceLine

FENCE = re.compile(r"[\s>]{0,40}(`{3,}(?=[^`]*$)|~{3,})")
_DIRECTIVE = re.compile(r"\s{0,40}(`{3,}|~{3,}|:{3,}) ?\{([A-Za-z][\w:+.-]*)\}(?!.*`{3})\s*(.*)$")
_CLOSING = re.compile(r"[\s>]{0,40}(`{3,}|~{3,}|:{3,})$")
_COLONS = re.compile(r"\s{0,40}:{3,}(?:\s*[A-Za-z][\w.-]*)?(?:\s*\{[^{}]*\})?\s*(.*)$")
_REFERENCE = re.compile(r":::\s+[A-Za-z_]\w*(?:\.\w+)+$")  # mkdocstrings: the text is in a program
_OPTION = re.compile(r"\s{0,40}:([\w-]+):(?:\s|$)")
_INDENTED = re.compile(
    r"(\s{0,40})(?:(?:!!!|\?\?\?\+?)\s+[A-Za-z][\w-]*(?: inline| end)*|===[!+]?(?=\s))\s*(?:\"(.*)\"\s*)?$"
)
_BLOCK = re.compile(r"\s{0,40}/{3,}(?:\s+[A-Za-z][\w-]*(?:\s*\|\s*(.*))?)?$")
_TITLE = re.compile(r"\b(?:title|label|header|summary)\s*=\s*(?:\{?['\"])([^'\"<>]+)['\"]", re.IGNORECASE)
_ALONE = re.compile(  # a line of nothing but this
    r"\s{0,3}(?:-{1,9}8<-{1,9}(?:\s.*)?|(?:\{%[^{}]*%\}\s*)+|(?:\{\{[<%][^{}]*[>%]\}\}\s*)+|\{#[^{}]*#\}|\{\*[^{}]*\*\}|\{:[^{}]*\}|\{[.#][^{}]*\}"
    r"|\[\[?_?TOC_?\]\]?|import\s+(?:[\w*{}\s,$]+\s+from\s+)?['\"][^'\"]+['\"];?)$",
    re.IGNORECASE,
)
_ELEMENT = re.compile(r"\s{0,40}<(/?)([A-Z][\w.]*)((?:\s[^<>]*)?/?)>\s*$")
_FIELD = re.compile(r"\w*(?:Field|Param|Parameter|Property)$")  # `<ParamField path="id" type="string" required>`
_SET = re.compile(r"[={]|/$")  # attributes; in `<Your name>` there are none
_AROUND = re.compile(r"\s{0,40}<([A-Z][\w.]*)(?:\s[^<>]*)?>(.*[^>])</\1>$")  # `<Note>Mind it.</Note>`
_CLOSED = re.compile(r"</([A-Z][\w.]*)>")
_WRITTEN = frozenset(("list-table", "csv-table", "eval-rst"))  # what is read as reStructuredText
_PROGRAMS = frozenset(("code-cell", "python", "r", "julia", "bash", "sql", "js", "mermaid", "graphviz"))
_VERBATIM = (CODE | _PROGRAMS | _WRITTEN) - {"literalinclude"}
_SILENT = frozenset(
    ("toctree", "contents", "currentmodule", "py:currentmodule", "include", "literalinclude", "image", "index", "meta")
    + ("testsetup", "testcleanup", "raw", "tableofcontents", "bibliography", "mdinclude")
)
_NOTES = frozenset(("note", "tip", "warning", "important", "caution", "danger", "attention", "hint", "error"))
_PATHS = frozenset(("figure", "container", "div", "only", "grid", "tab-set"))  # what stands behind them is no title


def unfolded(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """The lines as Markdown alone has them, each with its number; what is dropped leaves a blank one."""
    reader = _Reader(
        closed=frozenset(name for line in lines if "</" in line.text for name in _CLOSED.findall(line.text)),
        commented=max((line.number for line in lines if "-->" in line.text), default=0),
    )
    return [found for line in lines for found in reader.read(line)]


@dataclass(slots=True)
class _Reader:
    """Goes from line to line; nothing inside of code and comments is looked at."""

    closed: frozenset[str]  # elements that are closed somewhere
    commented: int  # the last line where a comment ends
    fence: str = ""  # the mark of the code that is open
    dropped: bool = False  # it is left out
    comment: bool = False
    options: bool = False  # a directive has just begun
    skipping: bool = False  # what is indented here are settings
    metadata: bool = False  # its options stand between lines of dashes
    open: list[str] = field(default_factory=list)  # the marks of the directives around this line
    margins: list[int] = field(default_factory=list)  # what is indented so far belongs to an admonition or a tab

    def read(self, line: SourceLine) -> Iterator[SourceLine]:
        """What becomes of a line."""
        if self.comment:
            self.comment = "-->" not in line.text
            yield line
        elif self._option(line.text) or self._setting(line):
            yield SourceLine(line.number, "")
        elif self.fence:
            yield self._inside(SourceLine(line.number, self._dedented(line)))
        else:
            while self.margins and not line.blank and line.indent < self.margins[-1]:
                self.margins.pop()
            yield from self._outside(SourceLine(line.number, self._dedented(line)))

    def _inside(self, line: SourceLine) -> SourceLine:
        closing = _CLOSING.match(line.text)
        if not closing or not closing[1].startswith(self.fence):
            return SourceLine(line.number, "") if self.dropped else line
        colons, dropped = self.fence[0] == ":", self.dropped
        self.fence, self.dropped = "", False
        return SourceLine(line.number, "" if dropped else line.text.replace(":", "`") if colons else line.text)

    def _outside(self, line: SourceLine) -> Iterator[SourceLine]:
        text = line.text
        closing = _CLOSING.match(text)
        if closing and self.open and closing[1].startswith(self.open[-1]):
            self.open.pop()
            yield SourceLine(line.number, "")
        elif directive := _DIRECTIVE.match(text):
            yield from self._directive(line, *directive.groups())
        elif fence := FENCE.match(text):
            self.fence = fence[1]
            yield line
        elif text.lstrip().startswith("<!--"):
            self.comment = "-->" not in text and line.number < self.commented
            yield line
        elif (title := self._mark(text)) is not None:
            for part in title.split("\n"):
                yield from _apart(line.number, part)
        else:
            yield line

    def _directive(self, line: SourceLine, mark: str, name: str, words: str) -> Iterator[SourceLine]:
        name = name.lower()
        self.options = name not in _WRITTEN  # which reads them
        if name in _SILENT or name in _VERBATIM:
            self.fence, self.dropped = mark, name in _SILENT
            fence = line.text.replace(mark, "`" * len(mark), 1) if mark[0] == ":" else line.text
            yield SourceLine(line.number, "" if self.dropped else fence)
            return
        if mark[0] != ":":
            self.open.append(mark)
        if name in SINCE:
            yield from (SourceLine(line.number, ""), SourceLine(line.number, f"{{{name}}} {words}"))
        elif name in _NOTES:
            yield from (SourceLine(line.number, ""), SourceLine(line.number, words))
        else:
            yield from _apart(line.number, "" if name in _PATHS else words)

    def _mark(self, text: str) -> str | None:
        """The title in the mark of an admonition, a tab or an element, and in another line what that element holds;
        empty for what says nothing; None for text."""
        if indented := _INDENTED.match(text):
            self.margins.append((self.margins[-1] if self.margins else 0) + len(indented[1].expandtabs(4)) + 4)
            return indented[2] or ""
        if colons := _COLONS.match(text) or _BLOCK.match(text):
            self.skipping = _REFERENCE.match(text) is not None
            return (colons[1] or "").removeprefix("[").removesuffix("]") or _titled(text)
        if _ALONE.match(text):
            return _titled(text)
        if around := _AROUND.match(text):
            return f"{_titled(text[: around.start(2)])}\n{around[2]}".lstrip()
        element = _ELEMENT.match(text)
        if element and not element[1] and _FIELD.match(element[2]):
            return element[3].strip(" /")
        if element and (element[1] or element[2] in self.closed or _SET.search(element[3])):
            return _titled(text)
        return None

    def _option(self, text: str) -> bool:
        """Whether a line belongs to the options at the beginning of a directive."""
        if self.metadata and not _CLOSING.match(text):  # no directive goes on behind its end
            self.metadata = text.strip() != "---"
            return True
        self.metadata = self.options and text.strip() == "---"
        option = _OPTION.match(text) if self.options else None
        self.options = option is not None
        return self.metadata or (option is not None and option[1] not in SAYS)

    def _setting(self, line: SourceLine) -> bool:
        self.skipping = self.skipping and (line.blank or line.indent > 0)
        return self.skipping

    def _dedented(self, line: SourceLine) -> str:
        """A line of an admonition or a tab as it stands in there."""
        margin = self.margins[-1] if self.margins and line.indent >= self.margins[-1] else 0
        return line.text[margin:] if not line.text[:margin].strip(" ") else line.text.expandtabs(4)[margin:]


def _apart(number: int, title: str) -> Iterator[SourceLine]:
    """A title as a paragraph of its own."""
    yield SourceLine(number, "")
    if title.strip():
        yield from (SourceLine(number, title.strip()), SourceLine(number, ""))


def _titled(text: str) -> str:
    found = _TITLE.search(text)
    return found[1] if found else ""
