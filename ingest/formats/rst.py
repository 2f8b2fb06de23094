"""reStructuredText, read by docutils, and plain text: their lines as they stand, less what is no text.

Docutils finds headings, code, tables, comments and directives; no inline markup is looked at, no directive is run but
those of tables, and no file is read. What it does not understand is text: no word can be lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, cast

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states
from docutils.parsers.rst.directives.tables import CSVTable, ListTable
from docutils.statemachine import StringList

from gate.text.markup import CODE, DIRECTIVE, FORMULAS
from ingest.base import Kind, SourceBlock
from ingest.formats.lines import SAYS, Builder, SourceLine, bare_title, decode, numbered, put_in
from ingest.formats.tables import Cell, Table

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}$")
FOOTNOTE = re.compile(r"\.\. \[(?:#?[\w.-]+|#|\*)\](?:\s|$)")
OPTION = re.compile(r"\s+:([\w-]+):(?:\s|$)")
SILENT = {  # they say nothing, or nothing about the subject
    "image", "index", "meta", "raw", "highlight", "toctree", "contents", "currentmodule", "default-role",
    "replace", "unicode", "include", "sectionauthor", "moduleauthor", "codeauthor", "testsetup", "testcleanup",
    "graphviz", "digraph", "mermaid", "uml", "role", "py:currentmodule", "sectnum", "target-notes",
}  # fmt: skip
AROUND = {"only", "ifconfig", "container", "class", "rst-class", "figure"}  # what they hold is text, but not their name
TABLES: dict[str, Any] = {"list-table": ListTable, "csv-table": CSVTable}
MOST_LINES, MOST_CHARS = 20_000, 1_000_000  # that docutils is given: hostile ones take it a minute
DESCRIBING = {  # directives whose words say what their content is about
    "function", "method", "class", "attribute", "property", "data", "exception", "option", "confval", "envvar",
    "describe", "object", "macro", "type", "cmdoption", "setting", "classmethod", "staticmethod", "admonition",
    "tab", "tab-item", "group-tab", "dropdown",
}  # fmt: skip
SUBSTITUTION = re.compile(r"\s{0,40}\.\. \|([^|\s](?:[^|\n]{0,60}[^|\s])?)\| replace::\s*(.*)$")
_BARS = re.compile(r"(?<![\w\\])\\?\|([^|\s](?:[^|\n]{0,60}?[^|\s\\])?)\\?\|(?:__?(?!\w))?(?!\w)")
MOST_SAID, DEEPEST = 500, 20  # characters of what a name stands for, definitions within definitions
_BOLD = re.compile(r"\*\*[^*]+\*\*$")
_WORD = re.compile(r"\w+")
_SETTINGS = {
    "report_level": 5, "halt_level": 5, "warning_stream": False, "file_insertion_enabled": False, "raw_enabled": False,
    "line_length_limit": 10**9,
}  # fmt: skip


def read_rst(data: bytes) -> list[SourceBlock]:
    """The blocks of a reStructuredText file. Raises SourceError if it is not text."""
    builder = Builder(indented=Kind.PROSE)
    read_lines(builder, numbered(decode(data)))
    return builder.blocks


def read_text(data: bytes) -> list[SourceBlock]:
    """The blocks of a plain text: paragraphs, and underlined headings. Raises SourceError if it is not text."""
    builder = Builder()
    _plain(builder, numbered(decode(data)))
    return builder.blocks


def read_table(builder: Builder, name: str, lines: Sequence[SourceLine], title: str) -> None:
    """A table that is written as the body of a directive (`list-table`, `csv-table`), with its title."""
    inside = [SourceLine(line.number, f"   {line.text}") for line in lines[1:]]
    read_lines(builder, [SourceLine(lines[0].number, f".. {name}:: {title.strip()}"), *inside])


def read_lines(builder: Builder, lines: Sequence[SourceLine]) -> None:
    """Read these lines of reStructuredText into a builder, which is closed then."""
    builder.close()
    found = _parse([line.text for line in lines])
    if found is None:
        _plain(builder, lines)
        return
    at, ends, said = 0, list[int](), _substitutions(lines)
    while at < len(lines):
        part = found.noted.get(at)
        if at in found.starts:
            builder.close()
        _bind(builder, at, ends, found.bound.get(at))
        if part is None:
            builder.add(_put_in(lines[at], said))
        elif part.level:
            builder.heading(part.level, part.title, [_put_in(line, said) for line in lines[at : part.end]])
        for kind, block in part.blocks if part else ():
            builder.close()
            made = [SourceLine(lines[at + index].number, text) for text, index in block]
            builder.block(kind, made if kind is Kind.CODE else [_put_in(line, said) for line in made])
        at = part.end if part else at + 1
    _bind(builder, len(lines), ends, None)
    builder.close()


def _bind(builder: Builder, at: int, ends: list[int], bound: tuple[int, str] | None) -> None:
    """What is said of a term or an object stands below it in the path of headings; `ends` are the lines it ends at."""
    while ends and at >= ends[-1]:
        builder.close()
        builder.outline.leave()
        ends.pop()
    if bound is None or len(ends) >= DEEPEST:
        return
    if builder.open:  # the term, or the first line of a directive
        terms, builder.open = builder.open, []
        builder.block(Kind.TERM, terms)
    builder.outline.enter(bare_title(bound[1]))
    ends.append(bound[0])


def _substitutions(lines: Sequence[SourceLine]) -> dict[str, str]:
    """What stands for the names between bars, lower case."""
    found: dict[str, str] = {}
    for at, line in enumerate(lines):
        if match := SUBSTITUTION.match(line.text):
            more = takewhile(lambda other: other.indent and not other.blank, lines[at + 1 : at + 20])
            words = [match[2], *(other.text for other in more)]
            found[match[1].lower()] = " ".join(" ".join(words).split())[:MOST_SAID]
    return found


def _put_in(line: SourceLine, said: Mapping[str, str]) -> SourceLine:
    return line._replace(text=put_in(line.text, _BARS, said))


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines up to `end` that are no running text: dropped, a heading of `level`, or blocks of (text, index) lines."""

    end: int
    title: str = ""
    level: int = 0
    blocks: tuple[tuple[Kind, tuple[tuple[str, int], ...]], ...] = ()


def _parse(texts: Sequence[str]) -> _Notes | None:
    """What docutils finds in these lines; None where it cannot read them, or not soon."""
    if len(texts) > MOST_LINES or sum(map(len, texts)) > MOST_CHARS:
        return None
    notes = _Notes(texts)
    document = utils.new_document("", _settings())
    machine = states.RSTStateMachine(state_classes=_CLASSES, initial_state="Body")
    try:
        machine.run(StringList([text.expandtabs(8) for text in texts], source=""), document, inliner=notes)
    except Exception:  # nested too deeply, or a fault of the library: whatever it is, the text counts
        return None
    return notes


def _settings() -> Any:
    settings = frontend.get_default_settings(Parser)
    for name, value in _SETTINGS.items():
        setattr(settings, name, value)
    return settings


@dataclass
class _Notes(states.Inliner):
    """What the states note while they read. To docutils it is the reader of inline markup, and finds none."""

    texts: Sequence[str]
    noted: dict[int, _Part] = field(default_factory=dict)
    bound: dict[int, tuple[int, str]] = field(default_factory=dict)  # first line -> end, and what is defined up to it
    starts: set[int] = field(default_factory=set)  # of directives, which begin a block also without a blank line
    styles: list[str] = field(default_factory=list)

    def init_customizations(self, settings: Any) -> None:
        """Nothing to prepare."""

    def parse(self, text: str, lineno: int, memo: Any, parent: Any) -> tuple[list[Any], list[Any]]:
        """The text as it stands."""
        return [nodes.Text(text)], []

    def note(self, start: int, part: _Part) -> None:
        """Lines from `start` on are this; what was noted inside of them is forgotten."""
        for at in range(start, part.end):
            self.noted.pop(at, None)
        self.noted[start] = part

    def code(self, start: int, end: int) -> None:
        """Lines `start` to `end` are code."""
        lines = tuple((self.texts[at], at - start) for at in range(start, end))
        self.note(start, _Part(end, blocks=((Kind.CODE, lines),)))


class _States(states.RSTState):
    """What every state of the parser does in another way than docutils: it notes where things stand."""

    nested_sm_cache: list[Any] = []  # of its own: machines are made for these states

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _CLASSES, "initial_state": "Body"}
        self.indent_sm_kwargs = self.known_indent_sm_kwargs = self.nested_sm_kwargs

    @property
    def notes(self) -> _Notes:
        """Of the text that is being read."""
        return cast(_Notes, self.inliner)

    @property
    def index(self) -> int:
        """The line that the parser stands on."""
        return self._index_of(None)

    def _index_of(self, lineno: int | None) -> int:
        """The index in the source of a line number of the state machine, which may stand in a part of the text."""
        return int(self.state_machine.get_source_and_line(lineno)[1] or 1) - 1

    def section(self, title: str, source: str, style: Any, lineno: int, messages: Any) -> None:
        """A heading. Sections are not nested: the path of the headings is kept by the builder."""
        lines = source.count("\n") + 1
        first = self._index_of(lineno) - (lines - 2)
        if style not in self.notes.styles:
            self.notes.styles.append(style)
        level = min(self.notes.styles.index(style) + 1, 6)
        self.notes.note(first, _Part(first + lines, title.strip(), level))

    def literal_block(self) -> Any:
        """Indented or quoted code behind a paragraph that ends in two colons."""
        found = super().literal_block()  # type: ignore[misc]
        for node in found:
            if isinstance(node, nodes.literal_block) and node.line is not None:
                lines = node.rawsource.split("\n")
                first = node.line - 1
                if self.notes.texts[first].expandtabs(8).strip() == lines[0].strip():
                    self.notes.code(first, first + len(lines))
        return found

    def doctest(self, match: Any, context: Any, next_state: Any) -> Any:
        """An interactive session."""
        first = self.index
        found = super().doctest(match, context, next_state)  # type: ignore[misc]
        self.notes.code(first, self.index + 1)
        return found

    def definition_list_item(self, termline: Any) -> tuple[Any, bool]:
        """A term, and below it what is said of it."""
        first = self.index
        found = super().definition_list_item(termline)  # type: ignore[misc]
        self.notes.bound[first] = (self.index + 1, str(termline[0]).strip())
        return cast(tuple[Any, bool], found)

    def explicit_construct(self, match: Any) -> tuple[list[Any], bool]:
        """What begins with two dots: a directive, a footnote; anything else says nothing."""
        if directive := DIRECTIVE.match(match.string):
            return self._directive(directive)
        if FOOTNOTE.match(match.string):
            return super().explicit_construct(match)  # type: ignore[misc, no-any-return]
        first = self.index
        found, blank_finish = self.comment(match)  # type: ignore[attr-defined]
        self.notes.note(first, _Part(self.index + 1))
        return [], blank_finish

    def _directive(self, match: re.Match[str]) -> tuple[list[Any], bool]:
        name, first = match[1].lower(), self.index
        self.notes.starts.add(first)
        words = match.string[match.end() :]
        if name in TABLES:
            return self._written_table(name, match)
        machine: Any = self.state_machine
        block, _, _, blank_finish = machine.get_first_known_indented(0, strip_indent=False)
        while block and not block[-1].strip():
            block.trim_end()
        end = first + len(block)
        body = _options_end(block)
        if name in SILENT:
            self.notes.note(first, _Part(end))
            return [], blank_finish
        if name in CODE:
            kept = [0, *range(body, len(block))]
            says = any(block[at].strip() for at in kept[1:]) or (name in FORMULAS and words.strip())
            lines = tuple((self.notes.texts[first + at], at) for at in kept)
            self.notes.note(first, _Part(end, blocks=((Kind.CODE, lines),) if says else ()))
            return [nodes.literal_block("", "\n".join(block))], blank_finish
        # Sphinx describes a class of Python by the same name
        silent = name in AROUND and not (name == "class" and re.search(r"[A-Z.(]", words))
        return [self._text_of(name, block, first, body, silent)], blank_finish

    def _text_of(self, name: str, block: StringList, first: int, body: int, silent: bool) -> Any:
        """The words of a directive, and what it holds, which is read as any text is."""
        made = nodes.container()
        if silent:
            self.notes.note(first, _Part(first + 1))
        else:
            made += nodes.paragraph("", block[0])
        for at in range(1, body):
            option = OPTION.match(block[at])
            if option and (silent or option[1] not in SAYS):
                self.notes.note(first + at, _Part(first + at + 1))
        while body < len(block) and block[body].strip() and not silent:
            made += nodes.paragraph("", block[body])  # the words go on
            body += 1
        if body < len(block) and words_of(block[0]) and name.rpartition(":")[2] in DESCRIBING:
            self.notes.bound[first + body] = (first + len(block), words_of(block[0]))
        content = block[body:]
        indents = [len(line) - len(line.lstrip()) for line in content if line.strip()]
        if indents:
            content.trim_left(min(indents))
            self.nested_parse(content, first + body, made, match_titles=name in ("only", "ifconfig"))
        return made

    def _written_table(self, name: str, match: re.Match[str]) -> tuple[list[Any], bool]:
        """A table whose rows are a list, or values apart by commas, with its title."""
        first = self.index
        found, blank_finish = self.run_directive(TABLES[name], match, name, {})  # type: ignore[attr-defined]
        end = self.index + 1
        self._note_table(found, first, end, _options_end(self.notes.texts[first:end]))
        return found, blank_finish

    def table(self, isolate_function: Any, parser_class: Any) -> tuple[list[Any], bool]:
        """A table that is drawn."""
        first, isolated = self.index, list[Any]()

        def isolate() -> Any:
            isolated.extend(isolate_function())
            return isolated

        found, blank_finish = super().table(isolate, parser_class)  # type: ignore[misc]
        # Where text follows without a blank line, docutils goes back by more lines than it should.
        self._note_table(found, first, max(self.index + 1, first + len(isolated[0])), 0)
        return found, blank_finish

    def _note_table(self, found: Sequence[Any], first: int, end: int, body: int) -> None:
        """The lines `first` to `end` are a table, `body` of them its directive; as it stands where it was not read."""
        texts = self.notes.texts[first:end]
        lines = next((_rows(node, texts, first, body) for node in found if isinstance(node, nodes.table)), ())
        lines = lines or tuple((texts[at], at) for at in range(body, len(texts)))
        title = ((Kind.PROSE, ((texts[0].partition("::")[2].strip(), 0),)),) if body else ()
        self.notes.note(first, _Part(first + len(texts), blocks=(*title, (Kind.TABLE, lines))))


def _states() -> tuple[type[Any], ...]:
    """The states of docutils with what is done in another way here; they are known by their names."""
    return tuple(type(one.__name__, (_States, one), {}) for one in states.state_classes)


_CLASSES = _states()


def _options_end(block: Sequence[str]) -> int:
    """The index behind a directive's first line and the options below it (`:class: wide`), with their further lines."""
    end = 1
    while end < len(block) and (
        OPTION.match(block[end]) or (end > 1 and _indent(block[end]) > _indent(block[end - 1]))
    ):
        end += 1
    return end


def words_of(directive: str) -> str:
    """What stands behind the name of a directive in its first line."""
    return directive.partition("::")[2].strip()


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip()) if text.strip() else -1


def _rows(table: Any, texts: Sequence[str], first: int, body: int) -> tuple[tuple[str, int], ...]:
    """The rows of a table as lines, each with the index of the line of `texts` where it begins; none where a word
    would be lost."""
    rows: list[list[Cell]] = []
    at = 0
    for row in table.findall(nodes.row):
        cells = [" ".join(" ".join(node.astext() for node in entry.children).split()) for entry in row.children]
        known = [node.line - 1 - first for node in row.findall(nodes.paragraph) if node.line is not None]
        word = next((found[0] for cell in cells if (found := _WORD.search(cell))), "")
        places = (place for place in (*known[:1], *range(at, len(texts))) if at <= place < len(texts))
        at = next((place for place in places if word in texts[place]), at)
        heads = isinstance(row.parent, nodes.thead) or (not rows and all(_BOLD.match(cell) for cell in cells))
        spans = [(int(entry.get("morerows", 0)) + 1, int(entry.get("morecols", 0)) + 1) for entry in row.children]
        rows.append([Cell(cell, at, heads, *span) for cell, span in zip(cells, spans, strict=True)])
    lines = Table(rows).lines
    lost = Counter(_WORD.findall(" ".join(texts[body:]))) - Counter(_WORD.findall(" ".join(text for text, _ in lines)))
    return () if lost else tuple(lines)


def _plain(builder: Builder, lines: Sequence[SourceLine]) -> None:
    """Paragraphs, and titles underlined at their full width, maybe overlined."""
    styles: list[str] = []
    for line in lines:
        above = builder.open
        over = len(above) == 2 and above[0].text == line.text
        title = above[-1].text if over or (len(above) == 1 and not above[0].indent) else ""
        if not (title and ADORNMENT.match(line.text) and len(line.text) >= len(title.strip())) or ADORNMENT.match(
            title
        ):
            builder.add(line)
            continue
        style = line.text[0] * len(above)
        styles += [] if style in styles else [style]
        builder.open = []
        builder.heading(min(styles.index(style) + 1, 6), title, [*above, line])
    builder.close()
