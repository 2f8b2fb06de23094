"""The pages keep the rules of style, stand in the site's navigation, and take their figures from the benchmarks."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STYLE = runpy.run_path(str(ROOT / "scripts/style.py"))
LINKS = runpy.run_path(str(ROOT / "scripts/site_links.py"))


@pytest.mark.parametrize("page", STYLE["pages"](), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_pages_keep_the_rules_of_style(page):
    assert list(STYLE["check"](page.read_text(encoding="utf-8"))) == []


LONG = "The gate " + "reads and " * 17 + "decides."


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("The user is told.\nAn end.", [1]),
        ("Fine.\n\n- Good.\n- Simply\n  just run it.", [4, 4]),
        ("Please\nrun it.", [1]),
        (LONG, [1]),
        (f"One.\n\n- {LONG[: len(LONG) // 2]}\n  {LONG[len(LONG) // 2 :]}", [3]),
        (f"# Just a heading\n\n    just code\n\n```\n{LONG}\n```\n\n| please | {LONG} |", []),
        ("`" + "word " * 40 + "` is one word, [as is](just/please.md).", []),
        ("It adjusts and pleases. " * 12, []),
    ],
)
def test_a_rule_that_is_broken_is_found_with_its_line(text, lines):
    assert [line for line, _ in STYLE["check"](text)] == lines


def test_the_exit_code_says_whether_a_rule_is_broken(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("It is told.", encoding="utf-8")
    assert STYLE["main"]([str(page)]) == 1
    assert f"{page}:1: 'is told': " in capsys.readouterr().out
    page.write_text("The report shows it.", encoding="utf-8")
    assert STYLE["main"]([str(page)]) == 0


def test_every_page_stands_in_the_navigation_of_the_site_once():
    named = re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    docs = ROOT / "docs"
    assert sorted(named) == sorted(page.relative_to(docs).as_posix() for page in docs.rglob("*.md"))


@pytest.mark.parametrize(
    ("repository", "expected"),
    [
        ("", "code and [page](../faq.md) and [web](https://a.example/x)"),
        (
            "https://host/o/r",
            "[code](https://host/o/r/blob/HEAD/gate/cli.py) and [page](../faq.md) and [web](https://a.example/x)",
        ),
    ],
)
def test_a_link_out_of_the_site_leads_to_the_repository_or_is_plain_text(repository, expected):
    text = "[code](../../gate/cli.py) and [page](../faq.md) and [web](https://a.example/x)"
    assert LINKS["rewrite"](text, "how-to/connect.md", repository) == expected


def test_the_figures_of_the_judge_are_those_of_the_benchmarks():
    page = (ROOT / "docs/explanation/local-judge.md").read_text(encoding="utf-8")
    measured = " ".join(
        (ROOT / name).read_text(encoding="utf-8") for name in ("benchmarks/README.md", "training/README.md")
    )
    figures = re.findall(r"^\| [^|]* \| ([^|]*\d[^|]*) \|", page, re.MULTILINE)
    assert len(figures) > 5
    assert [figure for figure in figures if figure not in " ".join(measured.split())] == []
