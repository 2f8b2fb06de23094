"""A calibration's document, page and text: whole, valid, and closed to strangers' text."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from lxml import html as parser

from gate.errors import InputFileError, UsageError
from gate.records import Claim, JudgeInfo, Label, Quote, Verdict
from gate.reports.calibration import FIGURES, LISTED, Calibrated, build, load, schema
from gate.reports.calibration_report import FORMS, describe, render
from gate.reports.files import check
from gate.statistics.agreement import Pair

EVIL = "</style><script>alert(1)</script><img src=x onerror=alert(1)>\n::error::x\x1b[2J\u202e{{7*7}}"
GOOD, WEAK, BAD, NONE = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, Label.UNJUDGED


def document(rows=None, text="The tank holds {} litres.", name="labels.jsonl", **changes):
    """`rows`: (people, judge, chance)."""
    rows = rows if rows is not None else [(GOOD, GOOD, 0.1), (BAD, BAD, 0.9), (GOOD, WEAK, 0.6), (BAD, GOOD, 0.3)] * 6
    verdicts = [
        Verdict(Claim("1", "1", "1", text.format(n), 0, 1), judge, text, False, n / 100, (Quote(name, 3, text, 1),))
        for n, (_, judge, _) in enumerate(rows)
    ]
    values = {
        "judge": JudgeInfo("local", "stack-plain", "3"),
        "data": {"name": name, "sha256": "a" * 64, "n": len(rows)},
        "pairs": [Pair(people, judge, chance, str(n)) for n, (people, judge, chance) in enumerate(rows)],
        "verdicts": verdicts,
        "lines": [n + 1 for n in range(len(rows))],
        "thresholds": (0.1, 0.25),
        "created": datetime(2031, 5, 4, 12, 30, tzinfo=UTC),
        **changes,
    }
    return build(Calibrated(**values))


def page(found):
    return render(found, ".html")


@pytest.mark.parametrize("rows", [None, [], [(GOOD, NONE, None)], [(GOOD, GOOD, None), (BAD, BAD, None)]])
def test_every_document_fits_its_schema_and_can_be_read_again(tmp_path, rows):
    found = document(rows)
    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(found)
    (tmp_path / "c.json").write_text(render(found, ".json"), encoding="utf-8")
    assert load(tmp_path / "c.json") == found
    assert "judge   local / stack-plain / 3" in describe(found)
    assert "Judge calibration: " in page(found)


def test_the_keys_that_others_rely_on():
    found = document()
    for name in FIGURES:
        assert set(found[name]) == {"value", "interval"}
        assert found[name]["interval"][0] <= found[name]["value"] <= found[name]["interval"][1]
    assert found["judge"] == {"provider": "local", "model": "stack-plain", "prompt_version": "3"}
    assert found["created"] == "2031-05-04T12:30:00+00:00"
    assert found["confusion"]["unsupported"]["supported"] == 6


def test_wrongly_passed_claims_come_first_then_the_surest_and_not_without_end():
    found = document([(GOOD, BAD, 0.9), (BAD, GOOD, 0.1), (BAD, GOOD, 0.1), (WEAK, BAD, 0.9), (GOOD, GOOD, 0.1)])
    assert [d["line"] for d in found["differences"]] == [3, 2, 1]
    many = document([(GOOD, BAD, 0.9)] * (LISTED + 7))
    assert (len(many["differences"]), many["differing"]) == (LISTED, LISTED + 7)
    assert f"{LISTED + 7} claims, of which 200 are shown" in page(many)


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: d.pop("kappa"),
        lambda d: d["balanced_accuracy"].update(value="0.9"),
        lambda d: d["data"].update(sha256="x"),
        lambda d: d.update(schema_version="2.0"),
    ],
)
def test_a_damaged_document_is_refused(tmp_path, damage):
    found = copy.deepcopy(document())
    damage(found)
    (tmp_path / "c.json").write_text(json.dumps(found))
    with pytest.raises(InputFileError, match="not a whole calibration"):
        load(tmp_path / "c.json")


def test_the_diagram_stands_where_the_figures_say():
    found = document([(BAD, BAD, 0.75)] * 3 + [(GOOD, BAD, 0.75), (GOOD, GOOD, 0.05)])
    svg = parser.document_fromstring(page(found)).xpath("//svg[@class='diagram']")[0]
    points = [(float(c.get("cx")), float(c.get("cy"))) for c in svg.iter("circle")]
    assert points == [(20.0, 400.0), (300.0, 100.0)]
    assert "chance 0.7 to 0.8: 4 claims, 0.75 of them not supported" in svg.get("aria-label")


def test_strangers_text_stays_text():
    hostile = document(
        text=EVIL.replace("{", "(").replace("}", ")"), name=EVIL, judge=JudgeInfo(EVIL, EVIL, EVIL), notes=(EVIL,)
    )
    tree = parser.document_fromstring(page(hostile))
    assert not list(tree.iter("script", "img", "link", "iframe", "object"))
    assert not tree.xpath("//@src | //@onerror | //@style")
    assert "default-src 'none'" in tree.xpath("//meta[@http-equiv]/@content")[0]
    text = describe(hostile)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not [row for row in text.splitlines() if row.strip().startswith("::")]


def test_a_fit_is_told_with_what_was_before():
    before = {"balanced_accuracy": {"value": 0.51, "interval": [0.5, 0.52]}}
    fit = {"folds": 5, "before": before, "slope": 1.0, "offset": 0.0, "high": 0.6, "low": 0.2}
    for text in (describe(document(fit=fit)), page(document(fit=fit))):
        assert "on claims that the fit did not see (5 folds), 0.510 before" in text


@pytest.mark.parametrize("wrong", ["out.txt", "out"])
def test_other_forms_are_refused_before_anything_is_paid_for(tmp_path: Path, wrong: str) -> None:
    for good in ("good.json", "good.HTML"):
        check(tmp_path / good, FORMS, "calibration")
    with pytest.raises(UsageError, match="no calibration is written as"):
        check(tmp_path / wrong, FORMS, "calibration")
