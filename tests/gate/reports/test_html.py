"""The HTML report: complete without its script, closed to strangers, its answers cut at their claims."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html as parser

from gate.records import Answer, Claim, Decision, Label, Ledger, Prompt, Quote, Score, Verdict
from gate.reports.document import VerdictDocument
from gate.reports.html import ANSWER_LIMIT, answers, fitting, page, render
from gate.reports.marked import TAGS
from gate.reports.words import View

BASE = "https://host.example/o/r/blob/abc"
FETCHING = ("src", "srcset", "data", "action", "formaction", "poster", "background", "ping", "xlink:href")


def tree(text):
    return parser.document_fromstring(text)


def shape(text):
    """Every element with its attributes' names, and those values that mean something to a browser."""
    kept = ("class", "href", "x", "width", "for", "type")
    return [
        (element.tag, sorted(element.attrib), [element.get(name) for name in kept if element.get(name)])
        for element in tree(text).iter()
        if isinstance(element.tag, str) and element.tag not in TAGS  # what Markdown and a quote's words are shown by
    ]


def words(element):
    return " ".join(element.text_content().split())


def test_ids_are_unique_and_every_link_leads_somewhere(compared):
    page_ = tree(render(compared, View(blob_url=BASE)))
    ids = page_.xpath("//@id")
    assert len(ids) == len(set(ids))
    links = page_.xpath("//a/@href")
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert all(link.startswith(("#", BASE)) for link in links)
    assert f"{BASE}/docs/kiln.md?plain=1#L14" in links


def test_nothing_is_fetched_and_only_its_own_style_and_script_may_run(compared):
    page_ = tree(render(compared, View(blob_url=BASE)))
    for name in FETCHING:
        assert page_.xpath(f"//@*[name()='{name}']") == []
    assert (
        page_.xpath("//link | //iframe | //img | //object | //embed | //@style | //@*[starts-with(name(), 'on')]") == []
    )
    policy = page_.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (element,) = page_.iter(tag)
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
        assert "url(" not in element.text
        assert "http" not in element.text


def bare(text):
    """Without contexts: one of several lines shows more than one of one line."""
    return re.sub(r'<span class="context">[^<]*</span>', "", text)


def test_hostile_text_changes_nothing_but_words(compared, document, poison, hostile):
    calm, wild = (
        render(poison(compared, text), View(poison(document, text), BASE)) for text in ("x" * len(hostile), hostile)
    )
    # A place whose name leads out of the repository is no link; everything else is the same page.
    strip = re.compile(r'<figcaption>(?:<a href="[^"]*" rel="noreferrer noopener">)?[^<]*(?:</a>)?</figcaption>')
    assert shape(strip.sub("", bare(wild))) == shape(strip.sub("", bare(calm)))
    assert all(link.startswith(("#", BASE)) for link in tree(wild).xpath("//a/@href"))


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(min_size=1))
def test_any_text_changes_nothing_but_words(document, poison, text):
    calm, wild = (render(poison(document, "y" + each)) for each in ("x" * len(text), text))
    assert shape(bare(wild)) == shape(bare(calm))


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.51), (0.9, 0.95)])
@pytest.mark.parametrize("risk", [None, 0.0, 1.0])
def test_the_gauge_stays_in_its_picture(document, low, high, risk):
    document["thresholds"].update(deploy_threshold=low, warn_threshold=high)
    document.update(score=risk, interval=None if risk is None else [risk, risk])
    gauge = page(document, View())["gauge"]
    for value in (gauge["deploy"], gauge["warn"], gauge["at"], gauge["low"]):
        assert value is None or 0 <= float(value.rstrip("%")) <= 100
    assert (gauge["at"] is None) == (risk is None)
    assert "gauge" in render(document)


def found(element, name):
    return [words(each) for each in element.xpath(f".//{name}")]


def test_a_finding_shows_question_answer_quote_and_what_to_do(compared):
    compared["prompts"][0].update(must_pass=True, tags=["<heat>"])
    page_ = tree(render(compared, View(blob_url=BASE)))
    first = page_.xpath("//*[@id='findings']//ol/li")[0]
    assert found(first, "h3") == ["How hot does the kiln get?"]
    assert found(first, "div[@class='words']/mark") == ["The kiln reaches 1280 degrees."]
    assert found(first, "blockquote/mark") == ["1250"]
    assert found(first, "*[@class='tag']") == ["must pass", "<heat>"]
    accept, label = found(first, "pre")
    assert accept == f'gate waive verdict.json {compared["details"][1]["fingerprint"]} --reason "..." --until 30d'
    assert label == f"{accept} --label labels.jsonl gate calibrate labels.jsonl"
    fixed = [link.get("href") for link in first.xpath(".//details//a")]
    assert fixed == [f"{BASE}/docs/kiln.md?plain=1#L14"]


def test_a_claim_without_a_judgement_is_a_finding_that_nobody_can_accept(document):
    last = tree(render(document)).xpath("//*[@id='findings']//ol/li")[-1]
    assert "not judged" in words(last)
    assert last.xpath(".//pre") == []


def test_right_and_waived_answers_are_folded_to_a_line(document):
    document["details"][3]["waived"] = True
    document["details"][4].update(label="supported", reason="")
    page_ = tree(render(document))
    folded = {words(each.find("summary/h3")): each.get("open") is None for each in page_.xpath("//article/details")}
    assert folded == {
        "How hot does the kiln get?": False,
        "Which glazes may touch food?": True,
        "Who built the kiln?": True,
        "When was it built?": False,  # it got no answer
    }
    assert found(page_.get_element_by_id("waived"), "li") == ["~ doubtful waived Glazes are fired twice. 4"]
    assert "Glazes" not in words(page_.get_element_by_id("findings"))


def test_a_claim_that_is_no_longer_said_has_no_label_now(compared):
    fixed = {"claim": "A.", "prompt_id": "q1", "label": "supported", "was": "unsupported", "was_contradicted": True}
    compared["comparison"] |= {"fixed": [fixed], "gone": [{**fixed, "label": "unsupported", "contradicted": True}]}
    for name in ("was", "was_contradicted"):
        compared["comparison"]["gone"][0].pop(name)
    page_ = render(compared)
    assert "contradicted before, now supported, q1" in page_
    assert ">contradicted, q1" in page_


def test_the_head_says_what_counts_and_where_it_was_made(document):
    document["notes"] = ["the waiver of <b> has ended"]
    document["corrected"] = {"share": 0.5, "low": 0.2, "high": 0.7, "judge_part": 0.25}
    document["prompts"][0]["asked_at"] = "2026-11-28T10:20:30+00:00"
    view = View(None, BASE, "new\u202ekiln", "0123456789abcdef", "https://host.example/o/r/actions/runs/7")
    page_ = tree(render(document, view))
    assert found(page_, "h1") == ["1 of 3 answers says what the documents deny"]
    assert found(page_, "p[@class='decision']") == ["Block must not ship"]
    assert found(page_, "p[@class='origin']/span") == [
        "branch new⟨U+202E⟩kiln", "commit 0123456789ab", "asked 2026-11-28 10:20 UTC", "the job",
    ]  # fmt: skip
    reasons = words(page_.find_class("reasons")[0])
    assert "the waiver of <b> has ended" in reasons
    assert "25 % of the uncertainty is the judge's" in reasons


def thousand(make):
    prompts, answers, verdicts = [], [], []
    for n in range(1000):
        name = f"q{n}"
        prompts.append(Prompt(name, f"What does the manual say about part {n} of the machine, and since when?"))
        text = " ".join(f"Part {n} turns at {k} hundred revolutions a minute in the ordinary mode." for k in range(5))
        answers.append(Answer(name, name, text))
        size = len(text) // 5
        for k in range(5):
            label = (Label.SUPPORTED, Label.SUPPORTED, Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED)[k]
            claim = Claim(f"{name}:{k}", name, name, text[k * size : (k + 1) * size], k * size, (k + 1) * size)
            quote = Quote(
                f"docs/part{n % 40}.md", n + 1, "The part turns at four hundred revolutions a minute. " * 4, 0.8
            )
            verdicts.append(Verdict(claim, label, "Every word of it is in the quoted sentence.", False, 0.9, (quote,)))
    score = Score(Decision.BLOCK, 0.3, (0.28, 0.32), Ledger(5000, 3000, 1000, 1000, 0), ("risk 0.3",))
    return make(prompts=prompts, answers=answers, verdicts=verdicts, score=score, failures=())


def test_a_thousand_answers_stay_below_five_megabytes(make):
    text = render(thousand(make))
    assert len(text.encode()) < 5_000_000
    assert text.count("<article") == 1000


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_a_browser_runs_no_stranger_shows_the_filters_and_opens_what_is_linked(compared, poison, tmp_path):
    compared["details"][3]["waived"] = True
    compared["details"][4]["label"] = "supported"
    attack = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    path = tmp_path / "report.html"
    path.write_text(render(poison(compared, attack)), encoding="utf-8")
    flags = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync"
    run = subprocess.run(
        ["chromium", *flags.split(), f"--user-data-dir={tmp_path}/profile", "--dump-dom", f"{path.as_uri()}#c5"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    page_ = tree(run.stdout)
    assert page_.findtext(".//title").startswith("BLOCK")
    assert page_.get_element_by_id("filters").get("hidden") is None
    assert [each.get("open") is not None for each in page_.xpath("//article/details")] == [True, True, False, True]
    assert words(page_.get_element_by_id("shown")) == "4 answers"


def rows(document):
    return answers(document, {id(claim): n for n, claim in enumerate(document["details"], 1)})


def test_an_answer_is_cut_at_its_claims(document: VerdictDocument) -> None:
    first = rows(document)[0]
    kinds = [(part.kind, part.ends) for part in first["texts"][0]["parts"] if part.kind]
    assert kinds == [("supported", (1,)), ("contradicted", (2,)), ("unsupported", (3,))]
    assert [claim["n"] for claim in first["claims"]] == [1, 2, 3]
    assert first["kinds"] == "contradicted supported unsupported"


def test_a_long_answer_says_how_much_is_cut(document: VerdictDocument) -> None:
    document["prompts"][2]["answer"] = "x" * (ANSWER_LIMIT + 7)
    assert rows(document)[2]["texts"][0]["cut"] == 7
    assert rows(document)[0]["texts"][0]["cut"] == 0


@given(st.lists(st.text(max_size=40), max_size=10), st.integers(0, 200))
def test_what_fits_fits(texts, limit):
    step = fitting(texts, limit, (300, 20, 5, 0))
    assert sum(len(text[:step].encode("utf-8", "replace")) for text in texts) <= limit
    assert step == 300 or sum(len(text.encode("utf-8", "replace")) for text in texts) > limit
