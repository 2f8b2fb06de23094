"""Notebooks, descriptions of APIs, AsciiDoc and Word: their text with its places, and what strangers may send."""

import io
import json
import zipfile

import pytest

from gate.errors import SourceError
from ingest.formats import docx, read_blocks
from tests.support.steps import growth

API = """openapi: 3.0.3
info: {title: Parcels, version: 2.10}
servers: [{url: https://api.example.org}]
paths:
  /parcels/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      summary: Get a parcel
      description: |
        Gives one.

        Needs a key.
      parameters: [{$ref: "#/components/parameters/Limit"}]
      responses:
        404: {description: None}
        200: {description: It, content: {text/json: {schema: {$ref: "#/components/schemas/Parcel"}}}}
    post:
      deprecated: true
      requestBody: {content: {text/json: {schema: {type: object, properties: {kg: {type: number, maximum: 30}}}}}}
components:
  parameters:
    Limit: {name: limit, in: query, schema: {type: integer, default: 20}, description: how many}
  schemas:
    Parcel:
      type: object
      required: [state]
      properties:
        state: {type: string, enum: [sent, lost]}
        stops: {type: array, items: {$ref: "#/components/schemas/Stop"}}
"""
ID = "- `id` (path, string, required)"


def said(name: str, data: str | bytes) -> list[tuple[str, str, tuple[int, ...]]]:
    blocks = read_blocks(name, data.encode() if isinstance(data, str) else data)
    return [(" > ".join(block.heading), block.text, block.lines) for block in blocks]


def test_an_api_is_told_per_operation_and_schema() -> None:
    assert [one for one in said("api.yaml", API) if one[0].rpartition(" > ")[2] != one[1]] == [
        ("Parcels", "- Version: 2.10", (2,)),
        ("Parcels", "- Server: https://api.example.org", (3,)),
        ("Parcels > GET /parcels/{id}", "Get a parcel", (8,)),
        ("Parcels > GET /parcels/{id}", "Gives one.", (10,)),
        ("Parcels > GET /parcels/{id}", "Needs a key.", (12,)),
        ("Parcels > GET /parcels/{id}", f"{ID}\n- `limit` (query, integer, default 20): how many", (6, 22)),
        ("Parcels > GET /parcels/{id}", "- Response 404: None", (15,)),
        ("Parcels > GET /parcels/{id}", "- Response 200: It; text/json: Parcel", (16,)),
        ("Parcels > POST /parcels/{id}", "- Deprecated.", (18,)),
        ("Parcels > POST /parcels/{id}", ID, (6,)),
        ("Parcels > POST /parcels/{id}", "- Request body: text/json: object `kg` (number, at most 30)", (19,)),
        ("Parcels > Parcel", "- object", (25,)),
        ("Parcels > Parcel", "- `state` (string, one of sent, lost, required)\n- `stops` (array of Stop)", (28, 29)),
    ]  # fmt: skip


def test_an_api_in_json_knows_its_lines() -> None:
    api = {"swagger": "2.0", "paths": {"/a": {"get": {"description": "Does \U0001f600 it.", "deprecated": True}}}}
    assert ("API > GET /a", "Does \U0001f600 it.", (6,)) in said("a.json", json.dumps(api, indent=1))
    assert ("API > GET /a", "- Deprecated.", (6,)) in said("a.json", json.dumps(api, indent=1))


def test_a_notebook_is_its_markdown_code_and_outputs() -> None:
    book = """{"cells": [
{"cell_type": "markdown", "source": ["# Li",
"mits\\n",
"\\n",
"Five ```ticks```."]},
{"cell_type": "code", "source": "print(1)\\nx",
 "outputs": [{"text": ["\\u001b[31m1 d", "one"]}, {"data": {"image/png": "x", "text/plain": "a ```"}}, {"data": 5}]},
{"cell_type": "markdown", "source": "End."}, 7, {"source": {}}]}"""
    assert said("a.ipynb", book) == [
        ("Limits", "# Limits", (2,)),
        ("Limits", "Five ```ticks```.", (5,)),
        ("Limits", "```\nprint(1)\nx\n```", (6, 6, 6, 6)),
        ("Limits", "```\n1 done\n```", (7, 7, 7)),
        ("Limits", "````\na ```\n````", (7, 7, 7)),
        ("Limits", "End.", (8,)),
    ]
    assert said("a.ipynb", '{"cells": []}') == []


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.ipynb", "[" * 100_000, "not valid JSON"),
        ("a.ipynb", '{"n": ' + "9" * 6000 + "}", "JSON: a number has too many digits"),
        ("a.ipynb", '{"worksheets": []}', "has no cells"),
        ("a.json", '{"a": 1}', "does not describe an API"),
        ("a.yaml", "openapi: [", "not valid YAML"),
        ("a.yaml", "a: &a [x, x]\nb: &b [" + "*a, " * 500 + "]\nopenapi: [" + "*b, " * 500 + "]", "too"),
        ("a.yaml", "openapi: 3.0.0\nx: " + "[" * 3000, "YAML"),
        ("a.docx", "PK nonsense", "cannot be read as .docx"),
    ],
)
def test_what_cannot_be_read_is_told(name: str, data: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_blocks(name, data.encode())


def test_references_do_not_make_an_api_grow_without_end() -> None:
    paths = {f"/{n}": {"get": {"parameters": [{"$ref": "#/p"}] * 50}} for n in range(50)}
    api = {"openapi": "3.0.0", "p": {"name": "a", "description": "word " * 20_000}, "paths": paths}
    with pytest.raises(SourceError, match="too often"):
        read_blocks("a.json", json.dumps(api).encode())
    loop = {"openapi": "3.0.0", "p": {"$ref": "#/p"}, "paths": {"/": {"get": {"parameters": [{"$ref": "#/p"}]}}}}
    assert read_blocks("a.json", json.dumps(loop).encode())


ADOC = """= The Guide
:limit: 500
// no

.Plans
|===
|Plan |Price

|Pro |9 euros
|Max
|{limit} euros
more
|===

== Use {limit}

[NOTE]
====
It holds {limit} of {other}.
====

----
== code {limit}
----

////
hidden
////

timeout:: How long.
. first
"""


def test_asciidoc_is_read_plainly() -> None:
    assert said("a.adoc", ADOC) == [
        ("The Guide", "= The Guide", (1,)),
        ("The Guide", "Plans", (5,)),
        ("The Guide", "| Plan | Price |\n| --- | --- |\n| Pro | 9 euros |\n| Max | 500 euros more |", (7, 7, 9, 10)),
        ("The Guide > Use 500", "== Use 500", (15,)),
        ("The Guide > Use 500", "It holds 500 of {other}.", (19,)),
        ("The Guide > Use 500", "```\n== code {limit}\n```", (22, 23, 24)),
        ("The Guide > Use 500", "timeout:", (30,)),
        ("The Guide > Use 500", "How long.\n- first", (30, 31)),
    ]


def test_what_never_ends_in_asciidoc_is_not_lost() -> None:
    assert said("a.adoc", "a\n\n----\ncode\nlast")[-1][1] == "```\ncode\nlast\n```"
    assert "| last |" in said("a.adoc", "|===\n|a |b\n|c |last")[-1][1]


@pytest.mark.parametrize("piece", ["----a\n", "|===\n|a |b\n", ":a: {a}{a}\n{a}\n", "a::\n", "[[", "{a"])
def test_the_work_on_asciidoc_is_linear(piece: str) -> None:
    assert growth(lambda size: read_blocks("a.adoc", (piece * size).encode()), 300) < 3


def word(body: str, **parts: str) -> bytes:
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    names = {"Berschrift2": "heading 2", "Titel": "Title"}
    styles = "".join(f'<w:style w:styleId="{key}"><w:name w:val="{name}"/></w:style>' for key, name in names.items())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {"document": f"<w:body>{body}</w:body>", "styles": styles, **parts}.items():
            archive.writestr(f"word/{name}.xml", f"<w:x {space}>{text}</w:x>")
    return out.getvalue()


def paragraph(text: str, style: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


def test_word_files_have_headings_lists_tables_and_notes() -> None:
    rows = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in row) + "</w:tr>"
        for row in (("Plan", "Price"), ("Pro", "9"))
    )
    body = (
        paragraph("Guide", "Titel") + paragraph("Use", "Berschrift2")
        + "<w:p><w:r><w:t>One</w:t><w:br/><w:t>two </w:t></w:r><w:ins><w:r><w:t>three</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r></w:p>"
        f"<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>item</w:t></w:r></w:p><w:tbl>{rows}</w:tbl>" + paragraph("End")
    )  # fmt: skip
    assert said("a.docx", word(body, footnotes=paragraph("A note."))) == [
        ("Guide", "Guide", (1,)),
        ("Guide > Use", "Use", (2,)),
        ("Guide > Use", "One\ntwo three", (3, 3)),
        ("Guide > Use", "- item", (4,)),
        ("Guide > Use", "| Plan | Price |\n| --- | --- |\n| Pro | 9 |", (5, 5, 7)),
        ("Guide > Use", "End", (9,)),
        ("Guide > Use", "A note.", (10,)),
    ]


def test_a_word_file_that_unpacks_to_any_size_is_refused() -> None:
    bomb = word(paragraph("a" * (docx.XML_BYTES + 1)))
    assert len(bomb) < 2**20
    with pytest.raises(SourceError, match="more than 50 MB"):
        read_blocks("a.docx", bomb)
    entity = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", entity)
    with pytest.raises(SourceError, match="has a document type"):
        read_blocks("a.docx", out.getvalue())
    with pytest.raises(SourceError, match="depth"):
        read_blocks("a.docx", word("<w:p>" * 5000 + "</w:p>" * 5000))
