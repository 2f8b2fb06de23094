"""A claim that many answers make is told once, with how often; no claim gets lost in the counts."""

import copy

import pytest

from gate.reports import github, html, markdown, telling, terminal
from gate.reports.document import VerdictDocument
from gate.reports.repeats import again, once


@pytest.fixture
def repeated(document: VerdictDocument) -> VerdictDocument:
    """The document with its second claim, which is not supported, made 12 times in all."""
    document = copy.deepcopy(document)
    document["details"] += [{**document["details"][1], "prompt_id": f"r{number}"} for number in range(11)]
    return document


def test_each_text_comes_once_in_its_place(repeated: VerdictDocument) -> None:
    claims = telling.worst(repeated)
    told = once(claims, telling.new_claims(repeated))
    assert len(told) == len(claims) - 11
    assert [more for claim, more in told if claim["claim"] == repeated["details"][1]["claim"]] == [11]
    assert sum(1 + more for _, more in told) == len(claims)
    assert [claims.index(claim) for claim, _ in told] == sorted(claims.index(claim) for claim, _ in told)


def test_a_new_claim_is_told_apart_from_an_old_one(repeated: VerdictDocument, compared: VerdictDocument) -> None:
    text = repeated["details"][1]["claim"]
    repeated["comparison"] = {
        **compared["comparison"],
        "new": [{"claim": text, "prompt_id": "r3", "label": "unsupported"}],
    }
    told = once(telling.worst(repeated), telling.new_claims(repeated))
    assert [(claim["prompt_id"] == "r3", more) for claim, more in told if claim["claim"] == text] == [
        (True, 0),
        (False, 10),
    ]


def test_another_label_is_another_line(repeated: VerdictDocument) -> None:
    repeated["details"][-1] = {**repeated["details"][-1], "label": "weakly_supported", "contradicted": False}
    text = repeated["details"][1]["claim"]
    told = once(telling.worst(repeated), telling.new_claims(repeated))
    assert sorted(more for claim, more in told if claim["claim"] == text) == [0, 10]


def test_how_often() -> None:
    assert [again(more) for more in (0, 1, 2, 1200)] == [
        "",
        "and once more",
        "and 2 more times",
        "and 1,200 more times",
    ]


@pytest.mark.parametrize("form", [terminal.render, markdown.render, html.render, github.render])
def test_every_report_tells_it_once(repeated: VerdictDocument, form) -> None:
    assert form(repeated).count("and 11 more times") == 1


def test_what_is_not_shown_is_counted(repeated: VerdictDocument) -> None:
    first = repeated["details"][1]
    repeated["details"] += [
        {**first, "claim": f"The kiln holds {number} pots.", "confidence": 0.5} for number in range(12)
    ]
    repeated["unsupported"] += 23
    hidden = repeated["unsupported"] - sum(
        1 + more for _, more in once(telling.worst(repeated, ["unsupported"]), telling.new_claims(repeated))[:10]
    )
    assert f"and {hidden} more: see the report" in terminal.render(repeated)
