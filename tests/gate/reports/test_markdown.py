"""Markdown for people on GitHub: says what matters within the limits; no text in it gets out of its place."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gate.reports import markdown
from gate.reports.markdown import COMMENT_LIMIT, SUMMARY_LIMIT, code, fit, prose, render, summary
from gate.reports.safe import line
from gate.reports.words import View

BASE = "https://host/o/r/blob/abc"
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What GitHub makes links of in running text, after Markdown: mentions, addresses, references.
LINKED = re.compile(r"@\w|\w://|www\.\w|\w#\d|(?<!\w)#\d|\bGH-\d|:[\w+-]+:|\bmailto:\w", re.IGNORECASE)


def structure(text):
    """The shape of the page: block tokens, inline kinds (runs of text as one), and where links go."""
    shape = []
    for token in PARSER.parse(text):
        shape.append(token.type)
        for child in token.children or ():
            if child.type == "text":
                assert not LINKED.search(child.content), child.content
            if child.type == "link_open":
                assert str(child.attrs["href"]).startswith(BASE)
            if child.type not in ("text", "link_open", "link_close") and shape[-1] != child.type:
                shape.append(child.type)
    return shape


def test_it_tells_what_a_reviewer_needs(compared):
    text = render(compared, View(blob_url=BASE))
    for words in (
        "BLOCK: must not ship", "Risk 0.625", "0.210 to 0.920", "risk 0.625", "+0.375", "regression", "$0.01",
        "`The kiln reaches 1280 degrees.`", f"[`docs/kiln.md:14`]({BASE}/docs/kiln.md?plain=1#L14)",
        "The highest temperature is 1250 degrees.", "the judge's reply was cut off", "no answer within 30 s", "1.7 s",
    ):  # fmt: skip
        assert words.replace("$", "&#36;") in text
    assert text.startswith(markdown.MARKER)
    assert text.index("1280") < text.index("opens with a key") < text.index("fired twice")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(min_size=1).filter(lambda text: line(text) != ""))
@example(text="___")  # an underscore beside another is no letter of a word
@example(text="a__b___")
@example(text="=")  # a line of these makes a heading of the line above
def test_any_text_stays_in_its_place(compared, poison, text):
    document = poison(compared, text)
    assert structure(render(document, View(blob_url=BASE))) == structure(render(poison(compared, "x")))


def test_hostile_text_stays_in_its_place(compared, poison, hostile):
    document = poison(compared, hostile)
    assert structure(render(document, View(blob_url=BASE))) == structure(render(poison(compared, "x")))


@given(st.text(alphabet="ab`|<>[]()!*_~\\&#@:/$.-+ \n\t1", min_size=1))
def test_any_text_is_one_code_span(text):
    (inline,) = [token for token in PARSER.parse("x " + code(text)) if token.type == "inline"]
    kinds = [child.type for child in inline.children]
    assert kinds == (["text", "code_inline"] if line(text) else ["text"])
    if line(text):
        assert inline.children[1].content.strip() == line(text, 400)


@given(st.text(alphabet="aw`|<>[]()!*_~\\&#@:/$.-+ \n\t1GHx", min_size=1))
def test_any_text_is_running_words(text):
    tokens = PARSER.parse(f"- {prose('x' + text)}\n\n| a |\n|---|\n| {prose(text)} |\n")
    inline = [token for token in tokens if token.type == "inline"]
    assert len(inline) == 3
    for token in inline:
        assert {child.type for child in token.children} <= {"text", "text_special"}
        assert not LINKED.search("".join(child.content for child in token.children))
    said = "".join(child.content for child in inline[0].children).replace("\u2060", "")
    assert said == line("x" + text, 400)


def test_it_stays_below_the_limits(compared, poison):
    huge = poison(compared, "<&|>" * 1000)
    huge["reasons"] = ["<&|>" * 200] * 2000
    for text, limit in ((render(huge), COMMENT_LIMIT), (summary(huge), SUMMARY_LIMIT)):
        assert len(text.encode()) <= limit
        assert "Cut here" in text
    assert "Cut here" not in summary(compared)


@given(st.lists(st.text(min_size=1), min_size=1), st.integers(200, 400))
def test_cutting_leaves_whole_blocks(blocks, limit):
    blocks = [block.encode("utf-8", "replace").decode() for block in blocks]
    text = fit(blocks, limit)
    assert len(text.encode()) <= limit
    assert text == "\n".join(blocks) or any(text.startswith("\n".join(blocks[:n])) for n in range(len(blocks)))
