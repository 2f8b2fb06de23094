"""The HTML report: one file that needs nothing else, readable without its script, and closed to every other one."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gate.reports.document import VerdictDocument
from gate.reports.page import page
from gate.reports.telling import View

if TYPE_CHECKING:
    from jinja2 import Template


def render(document: VerdictDocument, view: View | None = None) -> str:
    """The whole page of a verdict."""
    return filled("report.html.j2", page(document, view or View()), ("report.css",), "report.js")


def filled(template: str, values: dict[str, Any], styles: Sequence[str], script: str = "") -> str:
    """A page from a template. Every text is escaped by the template engine, and the page's own policy lets only the
    style and script that it was made with run: nothing is fetched, sent or framed."""
    from markupsafe import Markup

    style, code = "".join(map(_asset, styles)), _asset(script) if script else ""
    return _template(template).render(
        values,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(code),  # noqa: S704 - our own file
        policy=(
            f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(code)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
    )


@cache
def _template(name: str) -> Template:
    """Compiled once a process: that takes longer than to fill it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("gate.reports"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    return environment.get_template(name)


def _asset(name: str) -> str:
    return files("gate.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The source expression by which a policy allows exactly this text (Content Security Policy 3, 2.3.1)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
