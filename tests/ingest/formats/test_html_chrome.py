"""Chrome of a page: what is left out everywhere, what only around the main part, and tables that only place things."""

import time

import pytest
from lxml import html
from lxml.etree import _Element

from ingest.formats.html_chrome import BLOCK_TAGS, MUTE_TAGS, has_main, is_chrome, is_layout, is_main


def element(text: str) -> _Element:
    return html.fragment_fromstring(text)


@pytest.mark.parametrize(
    "text",
    [
        "<script>x</script>",
        "<nav>x</nav>",
        "<svg><text>x</text></svg>",
        "<div role=navigation>x</div>",
        "<div role=search>x</div>",
        "<span aria-hidden=true>x</span>",
        "<a href='#x'>¶</a>",
        "<a href='#x'> # </a>",
        "<a class=headerlink href='#x'>link</a>",
        "<div class='wide sphinxsidebar'>x</div>",
        "<button>Copy</button>",
    ],
)
def test_what_is_no_text_wherever_it_stands(text: str) -> None:
    assert is_chrome(element(text), inside=True)
    assert is_chrome(element(text), inside=False)


@pytest.mark.parametrize(
    "text", ["<header>x</header>", "<aside>x</aside>", "<div class='a footer'>x</div>", "<ul class=menu><li>x</ul>"]
)
def test_what_is_text_only_in_the_main_part(text: str) -> None:
    assert is_chrome(element(text), inside=False)
    assert not is_chrome(element(text), inside=True)


@pytest.mark.parametrize(
    "text",
    [
        "<p>x</p>",
        "<a href='#x'>section</a>",
        "<a href='#x'>#<b>1</b></a>",
        "<p>#</p>",
        "<span aria-hidden=false>x</span>",
        "<div class='navigation-guide'>x</div>",
        "<div role=note>x</div>",
        "<div class=''>x</div>",
    ],
)
def test_what_is_text(text: str) -> None:
    assert not is_chrome(element(text), inside=False)


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("<main>x</main>", True),
        ("<div role=main>x</div>", True),
        ("<div class=main>x</div>", False),
        ("<p>x</p>", False),
    ],
)
def test_the_main_part_is_said_by_the_page(text: str, main: bool) -> None:
    assert is_main(element(text)) is main
    assert has_main(element(f"<div><p>around</p>{text}</div>")) is main


def test_a_main_part_without_words_does_not_count() -> None:
    assert not has_main(element("<div><p>words</p><main> <img src=x> </main></div>"))
    assert has_main(element("<div><main></main><main><b>words</b></main></div>"))


def test_main_parts_in_main_parts_are_looked_through_once() -> None:
    assert not has_main(element("<div><main><main></main><p> </p></main><p>words</p></div>"))
    assert has_main(element("<div><main><main></main></main><main>words</main></div>"))
    begun = time.process_time()
    assert not has_main(element("<main>" * 200 + "<br>" * 20_000))  # two seconds, were each looked through
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("<table><tr><td>a<td>b</table>", False),
        ("<table role=presentation><tr><td>a</table>", True),
        ("<table role=none><tr><td>a</table>", True),
        ("<table role=grid><tr><td>a</table>", False),
        ("<table><tr><td><h2>a</h2></table>", True),
        ("<table><tr><td><table><tr><td>a</table></table>", True),
        ("<table><tr><td>1<td><pre>code</pre></table>", True),
        ("<table><tr><td><pre>a</pre><tr><td><pre>b</pre></table>", False),
    ],
)
def test_tables_that_only_place_things(text: str, layout: bool) -> None:
    assert is_layout(element(text)) is layout


def test_no_tag_is_both_left_out_and_a_block() -> None:
    assert not MUTE_TAGS & BLOCK_TAGS
