"""A hook of MkDocs: a link that leaves docs/ leads to the repository, or is plain text where its address is not known.

The pages link to code and benchmarks by relative paths, which work in a checkout. The site holds docs/ alone.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """The text of a page with its links out of docs/ rewritten."""
    return rewrite(markdown, page.file.src_uri, (config.extra["repository"] or "").rstrip("/"))


def rewrite(markdown: str, page: str, repository: str) -> str:
    """`page` is the page's path below docs/; `repository` is empty where it is not known."""

    def one(link: re.Match[str]) -> str:
        text, target = link[1], link[2]
        place = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        if re.match(r"[a-z]+:|#", target) or place.split("/")[0] == "docs":
            return link[0]
        return f"[{text}]({repository}/blob/HEAD/{place})" if repository else text

    return LINK.sub(one, markdown)
