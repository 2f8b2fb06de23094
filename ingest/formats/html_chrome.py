"""What of a web page is not its text: navigation, scripts, styles, permalinks; and what is one block of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element


def _names(*texts: str) -> frozenset[str]:
    return frozenset(name for text in texts for name in text.split())


MUTE_TAGS = _names(
    "script style nav template svg head iframe object canvas audio video input button select textarea noscript",
    "dialog map del s strike",  # what is struck out is not said any more
)
MUTE_ROLES = _names("navigation banner contentinfo search complementary menu menubar toolbar")
MUTE_CLASSES = _names(
    "navheader navfooter sphinxsidebar headerlink header-anchor anchor-link breadcrumb breadcrumbs navbar pagination",
    "prev-next-area skip-link skiplink edit-page-link copybtn linenos linenodiv lineno sr-only visually-hidden",
    "cookie-banner md-source mobile-nav inline-search",
)
PERMALINKS = {"¶", "§", "#", "🔗"}
# These may be text inside of an article (a side note, the title in its header) but are chrome around it.
OUTER_TAGS = _names("header footer aside")
OUTER_CLASSES = _names("sidebar footer header menu nav related site-header site-footer page-footer")
BLOCK_TAGS = _names(
    "html body address article aside blockquote caption center dd details div dl dt fieldset figcaption figure footer",
    "form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu ol option p pre section summary table tbody td tfoot",
    "th thead tr ul",
)


def is_chrome(element: _Element, *, inside: bool) -> bool:
    """Whether this element and all in it is not text; `inside`: it stands in the page's main part."""
    tag = element.tag
    if tag in MUTE_TAGS or element.get("aria-hidden") == "true" or element.get("role") in MUTE_ROLES:
        return True
    if tag == "a" and len(element) == 0 and (element.text or "").strip() in PERMALINKS:
        return True
    classes = set((element.get("class") or "").split())
    if classes & MUTE_CLASSES:
        return True
    return not inside and (tag in OUTER_TAGS or bool(classes & OUTER_CLASSES))


def is_main(element: _Element) -> bool:
    """Whether the page says that its text stands in here."""
    return element.tag == "main" or element.get("role") == "main"


def has_main(root: _Element) -> bool:
    """Whether some main part has words; if so, what is around it is chrome."""
    inside = 0  # elements to come that stand in a main part without words
    for element in root.iter("*"):
        if inside:
            inside -= 1
        elif is_main(element):
            if any(text.strip() for text in element.itertext()):
                return True
            inside = sum(1 for _ in element.iterdescendants("*"))
    return False


def is_layout(table: _Element) -> bool:
    """Whether a table only places things: it holds headings, other tables, or nothing but one row of code."""
    if table.get("role") in {"presentation", "none"}:
        return True
    if next(table.iterdescendants("table", "h1", "h2", "h3", "h4", "h5", "h6"), None) is not None:
        return True
    one_row = len(list(table.iterdescendants("tr"))) <= 1
    return one_row and next(table.iterdescendants("pre"), None) is not None
