"""HTML: text with its form and its lines, without chrome."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import html
from lxml.etree import _Element

from gate.errors import SourceError
from ingest.base import Kind, SourceBlock
from ingest.formats.html import has_main, read_html


def read(page: str) -> list[SourceBlock]:
    return read_html(page.encode())


def texts(page: str) -> list[str]:
    return [block.text for block in read(page)]


def test_sentences_are_lines_and_know_where_they_begin_in_the_source() -> None:
    page = "<html>\n<body>\n<p class='x'\n id=1>One  <b>two</b>\nthree&nbsp;four.\n\n<!-- a\nb -->Five<br>5</p>\n<p>six"
    assert [(block.text, block.lines) for block in read(page)] == [
        ("One two three four.\nFive\n5", (4, 8, 8)),
        ("six", (9,)),
    ]


def test_headings_make_a_path_and_lose_their_permalink() -> None:
    page = (
        '<h1>Guide<a class="headerlink" href="#g">¶</a></h1><p>a</p><h2><a href="#u">§</a>Use</h2><p>b'
        "<h3>Deep</h3>c<h2>End</h2>d"
    )
    assert [(block.text, block.heading) for block in read(page) if block.kind is Kind.PROSE] == [
        ("a", ("Guide",)),
        ("b", ("Guide", "Use")),
        ("c", ("Guide", "Use", "Deep")),
        ("d", ("Guide", "End")),
    ]


CHROME = [
    "<nav>{}</nav>",
    "<script>{}</script>",
    "<footer><p>{}</p></footer>",
    '<div class="sphinxsidebar"><ul><li>{}</ul></div>',
    '<div class="x breadcrumbs">{}</div>',
    '<span aria-hidden="true">{}</span>',
    "<!-- {} -->",
]


@pytest.mark.parametrize("chrome", CHROME)
def test_chrome_is_dropped_and_the_text_behind_it_is_not(chrome: str) -> None:
    page = f"<body><p>before</p>{chrome.format('CHROME')}tail<p>after</p></body>"
    assert texts(page) == ["before", "tail", "after"]


def test_what_is_around_the_main_part_is_chrome() -> None:
    assert texts("<div>menu</div><main><aside>note</aside><p>text</p></main><div>imprint</div>") == ["note", "text"]
    assert texts("<p>menu<div role='main'>text</div>") == ["text"]
    assert texts("<main> </main><p>text") == ["text"]


def test_lists_are_lines_with_marks() -> None:
    page = "<ul><li>a<li><p>b</p><p>b2</p><ol start=3><li>c</li><li>d\ne</ol></ul>f"
    blocks = read(page)
    assert [block.text for block in blocks] == ["- a", "- b", "  b2", "  3. c", "  4. d e", "f"]
    assert {block.kind for block in blocks[:-1]} == {Kind.LIST}


def test_definitions_stand_under_their_term() -> None:
    blocks = read(
        "<h1>Options</h1><dl><dt><code>size</code> (int)</dt><dd><p>How big.</p>"
        "<dl><dt>x</dt><dd>X.</dd></dl></dd><dt>y<dd>Y.</dl>z"
    )
    assert [(block.kind, block.text, block.heading) for block in blocks[1:]] == [
        (Kind.TERM, "size (int)", ("Options",)),
        (Kind.PROSE, "How big.", ("Options", "size (int)")),
        (Kind.TERM, "x", ("Options", "size (int)")),
        (Kind.PROSE, "X.", ("Options", "size (int)", "x")),
        (Kind.TERM, "y", ("Options",)),
        (Kind.PROSE, "Y.", ("Options", "y")),
        (Kind.PROSE, "z", ("Options",)),
    ]


def test_a_table_with_a_header_is_one_of_markdown() -> None:
    page = (
        "<table>\n<caption>Prices</caption>\n<thead><tr><th>Plan<th>Price<th>Users</tr></thead>"
        "\n<tr><th>Free<td>0</td><td></td></tr>\n<tr><td>Pro | Max</td><td>9</td></tr></table>"
    )
    (table,) = read(page)
    assert table.text == (
        "Prices\n| Plan | Price | Users |\n| --- | --- | --- |\n| Free | 0 |  |\n| Pro \\| Max | 9 |  |"
    )
    assert table.lines == (2, 3, 3, 4, 5)


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><th>Price<td>9</tr><tr><th>Users<td>5</tr>",
        "<tr><th>a<th>b</tr><tr><td>c<td>d</tr><tr><th>e<th>f</tr><tr><td>g<td>h</tr>",
    ],
)
def test_a_table_whose_columns_are_not_named_once_is_lines(rows: str) -> None:
    (table,) = read(f"<table>{rows}</table>")
    assert "---" not in table.text
    assert not table.text.startswith("|")


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ("<tr><th>Plan<th>Price</tr><tr><td rowspan=2>Pro<td>9</tr><tr><td>90</tr><tr><td>Max<td>7</tr>",
         "| Plan | Price |\n| --- | --- |\n| Pro | 9 |\n| Pro | 90 |\n| Max | 7 |"),
        ("<tr><th rowspan=2>Plan<th colspan=2>Price</tr><tr><th>Net<th>Gross</tr><tr><td>Pro<td>9<td>11</tr>",
         "| Plan | Price Net | Price Gross |\n| --- | --- | --- |\n| Pro | 9 | 11 |"),
        ("<tr><th>Plan<th>EU<th>US</tr><tr><th colspan=3>Monthly</tr><tr><td>Pro<td colspan=2>9</tr>",
         "| Plan | EU | US |\n| --- | --- | --- |\n| Monthly |  |  |\n| Pro | 9 | 9 |"),
        ("<tr><td rowspan=2>Pro<td>9</tr><tr><td>90</tr><tr><td colspan=2>All</tr>", "Pro | 9\nPro | 90\nAll"),
    ],
)  # fmt: skip
def test_what_stands_for_several_rows_and_columns_is_said_in_each(rows: str, text: str) -> None:
    (table,) = read(f"<table>{rows}</table>")
    assert table.text == text


def test_a_cell_that_spans_beyond_measure_is_said_once() -> None:
    rows = "<tr><th>a<th>b</tr><tr><td rowspan=9999>" + "long " * 5000 + "<td>c</tr>" + "<tr><td>d</tr>" * 2000
    (table,) = read(f"<table>{rows}</table>")
    assert table.text.count("long") == 5000


def test_a_table_that_only_places_things_is_not_a_table() -> None:
    page = "<table><tr><td>menu</td><td><h2>Head</h2><p>text<table><tr><td>1<td>2</table></td></table>"
    assert [(block.kind, block.text) for block in read(page)] == [
        (Kind.PROSE, "menu"),
        (Kind.HEADING, "Head"),
        (Kind.PROSE, "text"),
        (Kind.TABLE, "1 | 2"),
    ]


def test_code_keeps_its_indentation_and_lines() -> None:
    page = "<p>x\n<pre>\n<span>def</span> f():\n    return&nbsp;1\n\n\n\n# end  \n</pre>y"
    code = read(page)[1]
    assert (code.kind, code.text, code.lines) == (
        Kind.CODE,
        "```\ndef f():\n    return 1\n\n# end\n```",
        (3, 3, 4, 5, 8, 8),
    )


def test_code_with_fences_has_longer_ones_and_a_letter_has_none() -> None:
    assert texts("<pre>```py\nx\n```</pre>") == ["````\n```py\nx\n```\n````"]
    letter = "this is a text that was broken\ninto lines by hand, as in a mail\nof the old days"
    assert texts(f"<pre>{letter}</pre>") == [letter]


def test_powers_breaks_and_invisible_characters() -> None:
    assert texts("<p>2<sup>10</sup> H<sub>2</sub>O a<br>b cof\u00adfee <sup>1</sup>") == ["2^10 H2O a\nb coffee 1"]


def test_lines_are_counted_behind_65535() -> None:
    page = "<body>" + ("<p>x</p>" + "\n" * 700) * 100 + "<p>last.\nLine</p>"
    assert read(page)[-1].lines == (70_001, 70_002)


def test_a_redirect_has_no_text_and_that_is_no_fault() -> None:
    assert read('<META HTTP-EQUIV="Refresh" content="0; url=x.html"><nav>x</nav>') == []


@pytest.mark.parametrize("page", ["<html></html>", "<!-- x -->", "<nav>menu</nav>", "<script>app()</script>"])
def test_a_page_without_text_is_named(page: str) -> None:
    with pytest.raises(SourceError, match="has no text"):
        read(page)


def test_a_page_nested_too_deep_is_named_and_one_that_is_not_is_read() -> None:
    assert texts("<div>" * 1500 + "deep") == ["deep"]
    with pytest.raises(SourceError, match=r"Excessive depth in document: \d+$"):
        read("<div>" * 5000 + "deep")


def test_entities_and_external_things_are_not_expanded() -> None:
    page = '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>a &x; b</p>'
    assert "root:" not in "".join(texts(page))


TAGS = ["<p>", "</p>", "<table>", "</table>", "<tr>", "<td>", "<ul>", "<li>", "</ul>", "<dl>", "<dt>", "<dd>", "</dl>"]
TAGS += ["<pre>", "</pre>", "<h2>", "</h2>", "<br>", "<main>", "</main>", "<article>", "\n", "<b>", "</b>"]


@example(["<table>", "<main>", " w100 "])
@given(st.lists(st.one_of(st.sampled_from(TAGS), st.integers(100, 999).map(lambda n: f" w{n} ")), max_size=40))
def test_no_word_of_a_page_without_main_part_is_lost(pieces: list[str]) -> None:
    page = "<body>" + "".join(pieces)
    words = [piece.strip() for piece in pieces if piece.startswith(" w")]
    try:
        blocks = read(page)
    except SourceError:
        assert not words
        return
    kept = [word for block in blocks for word in block.text.split() if word.startswith("w")]
    assert kept == words or "<main>" in pieces
    for block in blocks:
        assert len(block.lines) == len(block.text.split("\n"))
        for text, number in zip(block.text.split("\n"), block.lines, strict=True):
            first = next((word for word in text.split() if word.startswith("w")), "")
            assert first in page.split("\n")[number - 1]


def element(text: str) -> _Element:
    return html.fragment_fromstring(text)


def test_main_parts_in_main_parts_are_looked_through_once() -> None:
    assert not has_main(element("<div><main><main></main><p> </p></main><p>words</p></div>"))
    assert has_main(element("<div><main><main></main></main><main>words</main></div>"))
    begun = time.process_time()
    assert not has_main(element("<main>" * 200 + "<br>" * 20_000))  # two seconds, were each looked through
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("mark", "seen"),
    [
        ("hidden", False),
        ('hidden=""', False),
        ('hidden="until-found"', True),
        ('aria-hidden="true"', False),
        ('aria-hidden="false"', True),
        ('style="color:red; display : none"', False),
        ('style="DISPLAY:none!important"', False),
        ('style="visibility:hidden"', False),
        ('style="display:block"', True),
    ],
)
def test_what_a_browser_does_not_show_is_no_text(mark: str, seen: bool) -> None:
    page = f"<main><p>Open.</p><div {mark}><p>Free <b>beer</b>.</p></div><!-- Free --><p>End.</p></main>"
    assert [block.text for block in read_html(page.encode())] == ["Open.", *["Free beer."] * seen, "End."]
