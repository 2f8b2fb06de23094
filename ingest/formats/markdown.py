"""Markdown: its lines as they stand, less comments, badges and bare tags; of front matter the title and description.

What generators of sites add (MyST, MkDocs, Docusaurus, Hugo, MDX): the text inside of admonitions, tabs and directives
stays with its title, and below it in the path of headings; their marks go; includes, imports and exports say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.errors import SourceError
from gate.text.markup import CODE, SINCE
from ingest.base import Kind, SourceBlock
from ingest.formats.html import read_html
from ingest.formats.lines import SAYS, Builder, SourceLine, bare_title, decode, numbered, put_in
from ingest.formats.rst import read_lines, read_table

ATX = re.compile(r" {0,3}(#{1,6})(?:\s+(.*))?$")
SETEXT = re.compile(r" {0,3}(=+|-+)$")
RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}$")
TARGET = re.compile(r"\([\w.:-]+\)=$")  # MyST: a name to link to
IMAGE = r"!\[[^\[\]]*\]\([^()]*(?:\([^()]*\)[^()]*)?\)"
BADGES = re.compile(rf"(?:(?:\[\s*{IMAGE}\s*\](?:\([^()]*\)|\[[^\[\]]*\])|{IMAGE})\s*)+$")
TAG_NAMES = (
    "a|article|b|br|center|details|div|em|figure|font|h[1-6]|hr|i|img|picture|p|section|source|span|strong|summary|sub|sup"
    "|table|tbody|td|th|thead|tr|video"
)
TAGS = re.compile(rf"(?:</?(?:{TAG_NAMES})(?:\s[^<>]*|/)?>\s*)+$", re.IGNORECASE)
FRONT_MATTER_LINES = 200
CLOSING_MARKS = re.compile(r"(?:^|\s)#+$")  # `## Title ##`
FENCE = re.compile(r"[\s>]{0,40}(`{3,}(?=[^`]*$)|~{3,})")
_DIRECTIVE = re.compile(r"\s{0,40}(`{3,}|~{3,}|:{3,}) ?\{([A-Za-z][\w:+.-]*)\}(?!.*`{3})\s*(.*)$")
_CLOSING = re.compile(r"[\s>]{0,40}(`{3,}|~{3,}|:{3,})$")
_COMMENTS = {"<!--": "-->", "{/*": "*/}"}
_PROGRAM_LINES, _DEEPEST = 500, 20
_COLONS = re.compile(r"\s{0,40}:{3,}(?:\s*[A-Za-z][\w.-]*)?(?:\s*\{[^{}]*\})?\s*(.*)$")
_REFERENCE = re.compile(r":::\s+[A-Za-z_]\w*(?:\.\w+)+$")  # mkdocstrings: the text is in a program
_OPTION = re.compile(r"\s{0,40}:([\w-]+):(?:\s|$)")
_INDENTED = re.compile(
    r"(\s{0,40})(?:(?:!!!|\?\?\?\+?)\s+[A-Za-z][\w-]*(?: inline| end)*|===[!+]?(?=\s))\s*(?:\"(.*)\"\s*)?$"
)
_TITLE = re.compile(r"\b(?:title|label|header|summary)\s*=\s*(?:\{?['\"])([^'\"<>]+)['\"]", re.IGNORECASE)
_ALONE = re.compile(  # a line of nothing but this
    r"\s{0,3}(?:-{1,9}8<-{1,9}(?:\s.*)?|(?:\{%[^{}]*%\}\s*)+|(?:\{\{[<%][^{}]*[>%]\}\}\s*)+|\{#[^{}]*#\}|\{\*[^{}]*\*\}|\{:[^{}]*\}|\{[.#][^{}]*\}"
    r"|\[\[?_?TOC_?\]\]?|import\s+(?:[\w*{}\s,$]+\s+from\s+)?['\"][^'\"]+['\"];?)$",
    re.IGNORECASE,
)
_PROGRAM = re.compile(  # of MDX: it goes on to a blank line where all brackets are closed
    r"(?:import\s+\{[\w\s,$]*|export\s+(?:(?:const|let|var|function|async function|class)\s+[\w$]+\s*[=({].*"
    r"|default\s+(?:function|class|async|[({]).*|\{.*))$"
)
_CONSTANT = re.compile(r"export\s+const\s+([A-Za-z_$][\w$]*)\s*=\s*(['\"]?)([^'\"{}()<>\[\];]{1,200})\2;?$")
_USED = re.compile(r"\{([A-Za-z_$][\w$]*)\}")
_BEGUN = re.compile(r"\s{0,40}<([A-Z][\w.]*)(?:\s[^<>]*)?$")  # a tag whose attributes have lines of their own
_ATTRIBUTE_LINES = 30
_INLINE = re.compile(r"</?([A-Z][\w.]*)(?:\s[^<>]*)?/?>")
_ABOUT = re.compile(r"(title|description|summary)\s*[:=]\s*(.*)$")
_ELEMENT = re.compile(r"\s{0,40}<(/?)([A-Z][\w.]*)((?:\s[^<>]*)?/?)>\s*$")
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


def read_markdown(data: bytes) -> list[SourceBlock]:
    """The blocks of a Markdown file. Raises SourceError if it is not text."""
    source = numbered(decode(data))
    end = _after_front_matter(source)
    reader = _Reader(source[end:])
    reader.introduce(source[1 : max(end - 1, 1)])
    return reader.read()


class _Reader:
    """Goes from line to line; nothing inside of code and comments is looked at."""

    def __init__(self, lines: Sequence[SourceLine]) -> None:
        self.lines = lines
        self.at = 0
        self.builder = Builder()
        self.closed = {name for line in lines if "</" in line.text for name in _CLOSED.findall(line.text)}
        self.commented = {
            end: max((at for at, line in enumerate(lines) if end in line.text), default=-1)
            for end in _COMMENTS.values()
        }
        self.tables = _tables(lines)
        self.options: set[int] = set()  # lines of a directive that say how it looks
        self.open: list[str] = []  # the marks of the directives around this line
        self.margins: list[int] = []  # what is indented so far belongs to an admonition or a tab
        self.around: list[str] = []  # what is open in `outline`: names of elements, marks, margins
        self.constants = {found[1].lower(): found[3] for line in lines if (found := _CONSTANT.match(line.text))}

    def introduce(self, lines: Sequence[SourceLine]) -> None:
        """Take what front matter says of the page; its title only where no heading is one."""
        titled = any(re.match(r" {0,3}#\s|=+$", line.text) for line in self.lines)
        for at, said in ((at, said) for at, line in enumerate(lines) if (said := _ABOUT.match(line.text))):
            line, value = lines[at], said[2].strip().strip("\"'")
            if said[1] == "title" and not titled and value:
                self.builder.outline.push(0, bare_title(value))
                self.builder.block(Kind.HEADING, [SourceLine(line.number, value)])
            elif said[1] != "title" and value:
                end = next((n for n in range(at + 1, len(lines)) if lines[n].text[:1].strip()), len(lines))
                more = [SourceLine(one.number, one.text.strip().rstrip("\"'")) for one in lines[at + 1 : end]]
                self.builder.block(Kind.PROSE, more if value[0] in ">|" else [SourceLine(line.number, value), *more])

    def read(self) -> list[SourceBlock]:
        """All blocks."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if self.at in self.options:
                self.builder.close()
            else:
                while self.margins and not line.blank and line.indent < self.margins[-1]:
                    self._leave(str(self.margins.pop()))
                self._step(self._dedented(line))
            self.at += 1
        self.builder.close()
        return self.builder.blocks

    def _step(self, line: SourceLine) -> None:
        """Read what begins here; `at` is then its last line."""
        text = line.text
        closing = _CLOSING.match(text)
        if closing and self.open and closing[1].startswith(self.open[-1]):
            self._leave(self.open.pop())
        elif directive := _DIRECTIVE.match(text):
            self._directive(line.number, *directive.groups())
        elif fence := FENCE.match(text):
            self._code(self._body(fence[1]))
        elif comment := self._comment(text.lstrip()):
            while comment not in self.lines[self.at].text:
                self.at += 1
            rest = _without_comments(self.lines[self.at].text.partition(comment)[2])
            self.builder.add(SourceLine(self.lines[self.at].number, rest.strip()))
        elif _PROGRAM.match(text) and not self.builder.open:
            self._skip_program()
        elif self.at not in self.tables or not self._table(self.tables[self.at]):
            titles = self._mark(text)
            self._text(line) if titles is None else self._apart(line.number, titles)

    def _comment(self, text: str) -> str:
        """The end of a comment that begins here; one without an end is text."""
        found = next((end for begin, end in _COMMENTS.items() if text.startswith(begin)), "")
        return found if found and self.at <= self.commented[found] else ""

    def _skip_program(self) -> None:
        """To the blank line where all brackets are closed; to the first one where they never are."""
        depth, first = 0, len(self.lines)
        for at in range(self.at, len(self.lines)):
            text = self.lines[at].text
            depth += sum((char in "([{") - (char in ")]}") for char in text)
            first = min(first, at) if not text else first
            if (depth <= 0 and (not text or at + 1 == len(self.lines))) or at - self.at > _PROGRAM_LINES:
                break
        self.at = (at if depth <= 0 else first) - (0 if depth <= 0 and self.lines[at].text else 1)

    def _enter(self, what: str, title: str) -> None:
        """From here on text stands in something that has this title, to the end of `what`."""
        self.builder.close()
        if len(self.around) < _DEEPEST:
            self.around.append(what)
            self.builder.outline.enter(bare_title(title) if title.strip() else "")

    def _leave(self, what: str) -> None:
        """The innermost `what` ends, and all that never ended inside of it."""
        self.builder.close()
        if what in self.around:
            while self.around.pop() != what:
                self.builder.outline.leave()
            self.builder.outline.leave()

    def _plain(self, text: str) -> str:
        """A line of text without comments and inline elements, with the constants of the page put in."""
        if "`" in text:
            return text
        text = _without_comments(text)
        text = put_in(text, _USED, self.constants)
        return _INLINE.sub(lambda found: "" if found[1] in self.closed or found[0].endswith("/>") else found[0], text)

    def _text(self, line: SourceLine) -> None:
        """A heading, noise, or a line of a paragraph."""
        if heading := ATX.match(line.text):
            self.builder.heading(len(heading[1]), CLOSING_MARKS.sub("", heading[2] or ""), [line])
        elif SETEXT.match(line.text) and self._may_be_title(self.builder.open):
            above, self.builder.open = self.builder.open, []
            title = " ".join(part.text for part in above)
            self.builder.heading(1 if "=" in line.text else 2, title, [*above, line])
        elif not _is_noise(line.text):
            self.builder.add(SourceLine(line.number, self._plain(line.text)))
        elif RULE.match(line.text):
            self.builder.close()

    @staticmethod
    def _may_be_title(lines: Sequence[SourceLine]) -> bool:
        """Dashes under a list or a row of a table make no heading."""
        return 0 < len(lines) <= 3 and not lines[0].text.lstrip().startswith(("- ", "* ", "+ ", "|", ">"))

    def _apart(self, number: int, titles: Sequence[str]) -> None:
        """Each title as a paragraph of its own."""
        self.builder.close()
        for title in titles:
            self.builder.add(SourceLine(number, title.strip()))
            self.builder.close()

    def _body(self, mark: str) -> list[SourceLine]:
        """The lines from here to the closing mark; without one they go to the end, as every renderer shows it."""
        taken = [self._dedented(self.lines[self.at])]
        while self.at + 1 < len(self.lines):
            self.at += 1
            taken.append(self._dedented(self.lines[self.at]))
            closing = _CLOSING.match(taken[-1].text)
            if closing and closing[1].startswith(mark):
                break
        return taken

    def _code(self, lines: list[SourceLine]) -> None:
        """A block of code; in MyST it may hold reStructuredText."""
        name, _, title = lines[0].text.lstrip("\t >`~").partition("}")
        inside = lines[1 : len(lines) - (not lines[-1].text.strip("`~ "))]
        self.builder.close()
        if name == "{eval-rst":
            self.builder.indented = Kind.PROSE
            read_lines(self.builder, inside)
            self.builder.indented = Kind.CODE
        elif name in ("{list-table", "{csv-table"):
            read_table(self.builder, name[1:], [lines[0], *inside], title)
        else:
            self.builder.block(Kind.CODE, lines)

    def _directive(self, number: int, mark: str, name: str, words: str) -> None:
        name = name.lower()
        options = set() if name in _WRITTEN else _options(self.lines, self.at + 1)
        if name in _SILENT or name in _VERBATIM:
            first, body = self.at, self._body(mark)
            body = [SourceLine(line.number, "") if first + n in options else line for n, line in enumerate(body)]
            if mark[0] == ":":
                ticks = [line.text.replace(mark, "`" * len(mark), 1) for line in (body[0], body[-1])]
                body[0], body[-1] = SourceLine(number, ticks[0]), SourceLine(body[-1].number, ticks[-1])
            self.builder.close() if name in _SILENT else self._code(body)
            return
        self.options |= options
        self.open += [mark] if mark[0] != ":" else []
        self._enter(mark, "" if name in _PATHS or name in SINCE or name in _NOTES else words)
        if name in SINCE or name in _NOTES:
            self.builder.close()
            self._text(SourceLine(number, f"{{{name}}} {words}" if name in SINCE else words))
        else:
            self._apart(number, [] if name in _PATHS else [words])

    def _mark(self, text: str) -> list[str] | None:
        """The title in the mark of an admonition, a tab or an element, and what an element of one line holds; None for
        text."""
        if indented := _INDENTED.match(text):
            self.margins.append((self.margins[-1] if self.margins else 0) + len(indented[1].expandtabs(4)) + 4)
            self._enter(str(self.margins[-1]), indented[2] or "")
            return [indented[2] or ""]
        if colons := _COLONS.match(text):
            return self._colons(text, colons[1] or "")
        if around := _AROUND.match(text):
            return [_titled(text[: around.start(2)]), around[2]]
        element = _ELEMENT.match(self._whole_tag(text))
        if element and (element[1] or element[2] in self.closed or _SET.search(element[3])):
            return self._element(element)
        return [""] if _ALONE.match(text) else None

    def _element(self, element: re.Match[str]) -> list[str]:
        title = _titled(element[3])
        if element[1]:
            self._leave(element[2])
        elif element[2] in self.closed and not element[3].endswith("/"):
            self._enter(element[2], title)
        return [title]

    def _whole_tag(self, text: str) -> str:
        """A tag with the attributes in the lines below it, which are read with it then."""
        begun = _BEGUN.match(text)
        if begun is None:
            return text
        for at in range(self.at + 1, min(self.at + _ATTRIBUTE_LINES, len(self.lines))):
            text += " " + self.lines[at].text.strip()
            if text.endswith(">"):
                self.at = at if begun[1] in self.closed or text.endswith("/>") else self.at
                return text
        return text

    def _colons(self, text: str, words: str) -> list[str]:
        """A container between colons begins or ends."""
        mark = re.match(r"\s*(:+)", text)
        bare = text.strip(" :") == ""
        title = words.removeprefix("[").removesuffix("]") or _titled(text)
        if _REFERENCE.match(text):
            self._skip_settings()
        elif bare:
            self._leave(mark[1] if mark else ":::")
        else:
            self._enter(mark[1] if mark else ":::", title)
        return [title]

    def _skip_settings(self) -> None:
        while self.at + 1 < len(self.lines) and (self.lines[self.at + 1].blank or self.lines[self.at + 1].indent):
            self.at += 1

    def _table(self, end: int) -> bool:
        """Read a table that is written in HTML; False if it does not name its columns."""
        lines = [self._dedented(line) for line in self.lines[self.at : end + 1]]
        try:
            blocks = read_html("\n".join(line.text for line in lines).encode())
        except SourceError:  # without words
            return False
        if [block.kind for block in blocks] != [Kind.TABLE] or "| --- |" not in blocks[0].text:
            return False
        rows = zip(blocks[0].lines, blocks[0].text.split("\n"), strict=True)
        self.builder.close()
        self.builder.block(Kind.TABLE, [SourceLine(lines[number - 1].number, text) for number, text in rows])
        self.at = end
        return True

    def _dedented(self, line: SourceLine) -> SourceLine:
        """A line of an admonition or a tab as it stands in there."""
        margin = self.margins[-1] if self.margins and line.indent >= self.margins[-1] else 0
        tabs = line.text[:margin].strip(" ")
        return SourceLine(line.number, (line.text.expandtabs(4) if tabs else line.text)[margin:])


def _options(lines: Sequence[SourceLine], at: int) -> set[int]:
    """The lines from `at` on that say how a directive looks: its options, or settings between lines of dashes."""
    found: set[int] = set()
    while at < len(lines) and (option := _OPTION.match(lines[at].text)):
        found |= set() if option[1] in SAYS else {at}
        at += 1
    if at < len(lines) and lines[at].text.strip() == "---":
        found.add(at)
        while at + 1 < len(lines) and not _CLOSING.match(lines[at + 1].text):  # no directive goes on behind its end
            at += 1
            found.add(at)
            if lines[at].text.strip() == "---":
                break
    return found


def _titled(text: str) -> str:
    found = _TITLE.search(text)
    return found[1] if found else ""


def _tables(lines: Sequence[SourceLine]) -> dict[int, int]:
    """Where tables begin that are written in HTML and have no other inside, and where they end."""
    found, start = {}, -1
    for at, line in enumerate(lines):
        text = line.text.strip().lower() if "<" in line.text else ""
        start = at if text.startswith("<table") else start
        if text.endswith("</table>") and start >= 0:
            found[start] = at
            start = -1
    return found


def _is_noise(text: str) -> bool:
    bare = text.strip()
    return bool(bare) and any(pattern.match(bare) for pattern in (RULE, BADGES, TAGS, TARGET))


def _without_comments(text: str) -> str:
    """The line without comments; code marks may hold a comment as an example, so such a line stays as it is."""
    for begin, end in _COMMENTS.items():
        start = -1 if "`" in text else text.find(begin)
        while start >= 0 and (stop := text.find(end, start)) >= 0:
            text = text[:start] + text[stop + len(end) :]
            start = text.find(begin, start)
    return text.rstrip()


def _after_front_matter(lines: Sequence[SourceLine]) -> int:
    """The index behind YAML (`---`) or TOML (`+++`) metadata at the top, 0 if there is none."""
    mark = lines[0].text
    if mark not in {"---", "+++"}:
        return 0
    body = _until(lines[1:FRONT_MATTER_LINES], {mark, "..."} if mark == "---" else {mark})
    if body is None or not any(re.match(r"[\w.\"'-]+\s*[:=]", line.text) for line in body):
        return 0
    return len(body) + 2


def _until(lines: Sequence[SourceLine], marks: set[str]) -> list[SourceLine] | None:
    """The lines in front of the first mark, None if there is no mark."""
    taken: list[SourceLine] = []
    for line in lines:
        if line.text in marks:
            return taken
        taken.append(line)
    return None
