"""The local judge with a scripted reader: labels, what is read, exact checks, quotes, unjudged claims; its opening."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.agents.verify_claims import checked
from gate.config import JudgeSettings
from gate.errors import ModelFileError
from gate.judges.base import Statement
from gate.judges.line import Fit, Line, fit_text
from gate.judges.local import LONGEST, LocalJudge, open_local
from gate.records import JudgeInfo, Label
from gate.statistics.calibration import Refit
from tests.gate.judges.test_reader import LABELS, THREE, folder_with
from tests.support.scripted_reader import CONTRADICTED, NEITHER, SUPPORTED, ScriptedReader

LINE = Line("test-1", 0.0, {"supported": 1.0}, 0.6, 0.3, 0.95, 0.05)
LONG = "The members of the club may use the sauna, and the guests may use the pool, and the staff may use both of them."


def judge(answer, most=60):
    reader = ScriptedReader(answer, most)
    return LocalJudge(reader, LINE, "scripted"), reader


def says(word, row=SUPPORTED, other=NEITHER):
    return lambda claim, context, evidence: row if word in evidence else other


def test_a_claim_takes_the_label_of_its_best_window(item):
    local, _ = judge(says("sauna"))
    good, bad = local.judge([item("It opens.", "The sauna opens today."), item("It opens.", "The pool is closed.")])
    assert (good.label, bad.label, bad.contradicted) == (Label.SUPPORTED, Label.UNSUPPORTED, False)
    assert good.evidence[0].quote == "The sauna opens today."
    assert good.support == pytest.approx(0.98, abs=0.02)


NEW, OLD = "Returns are taken back within 30 days.", "Returns are taken back within 14 days."


def days(claim, context, evidence):
    return SUPPORTED if claim.split()[-2] in evidence else CONTRADICTED if "days" in evidence else NEITHER


@pytest.mark.parametrize(
    ("other", "source", "named"),
    [
        (OLD, "old.md", True),
        (OLD, "new.md", False),  # one document has its reasons
        ("The pool is closed on Mondays within 14 days.", "old.md", False),  # it speaks of something else
        (NEW, "old.md", False),
    ],
)
def test_two_documents_that_disagree_are_named_both(item, passage, other, source, named):
    local, _ = judge(days)
    found = [passage(NEW, "new.md", 3), passage(other, source, 7)]
    (verdict,) = local.judge([item(NEW, *found)])
    assert verdict.label is (Label.WEAKLY_SUPPORTED if named else Label.SUPPORTED)
    assert [(quote.source, quote.line, quote.quote) for quote in verdict.conflict] == [("old.md", 7, OLD)] * named
    assert ("new.md:3 says so, old.md:7 says otherwise" in verdict.justification) is named
    assert checked(item(NEW, *found), verdict, found).conflict == verdict.conflict
    assert checked(item(NEW, found[0]), verdict, found[:1]).conflict == (), "only what stands in the evidence"


@pytest.mark.parametrize(("question", "named"), [("In version 2?", False), ("In version 1?", True), ("When?", True)])
def test_a_question_that_names_the_version_settles_which_document_counts(item, passage, question, named):
    local, _ = judge(days)
    found = passage(NEW, "v2/returns.md"), passage(OLD, "v1/returns.md")
    (verdict,) = local.judge([item(NEW, *found, question=question)])
    assert bool(verdict.conflict) is named


def test_a_denied_claim_that_another_document_bears_out_stays_unsupported_and_names_it(item, passage):
    less_sure = ScriptedReader(lambda *asked: (0.9, 0.05, 0.05, 0.0) if days(*asked) is SUPPORTED else days(*asked))
    local = LocalJudge(less_sure, replace(LINE, bias=-3.5), "scripted")
    (verdict,) = local.judge([item(NEW, passage(OLD, "old.md"), passage(NEW, "new.md"))])
    assert verdict.label is Label.UNSUPPORTED
    assert verdict.conflict[0].source == "new.md"
    assert "new.md:1 says so, old.md:1 says otherwise" in verdict.justification


def test_what_is_denied_says_so_and_quotes_the_sentence_that_denies(item):
    local, _ = judge(says("closed", CONTRADICTED))
    (verdict,) = local.judge(
        [item("The pool opens.", "Welcome to our house.\n\nThe pool is closed.\n\nHave fun here now.")]
    )
    assert verdict.contradicted
    assert verdict.label is Label.UNSUPPORTED
    assert [quote.quote for quote in verdict.evidence] == ["The pool is closed."]
    assert verdict.evidence[0].line == 3
    assert verdict.justification.startswith("Contradicted")


def test_a_bare_answer_is_quoted_by_the_words_of_its_question(item):
    local, _ = judge(lambda *_: SUPPORTED)
    page = "The sauna is warm every day. Guests may enter the pool at any time. The bar is closed."
    (verdict,) = local.judge([item("Yes.", page, question="May guests enter the pool?")])
    assert [quote.quote for quote in verdict.evidence] == ["Guests may enter the pool at any time."]


def test_what_is_denied_by_too_little_is_not_said_to_be_denied(item):
    local = LocalJudge(ScriptedReader(says("closed", CONTRADICTED)), replace(LINE, denial=-99.0), "scripted")
    (verdict,) = local.judge([item("The pool opens.", "The pool is closed.")])
    assert (verdict.label, verdict.contradicted) == (Label.UNSUPPORTED, False)
    assert "otherwise" not in verdict.justification


def test_further_windows_are_read_only_while_the_label_is_open(item):
    pages = [f"The sauna on floor {n} is open to every guest of the house." for n in range(9)]
    local, reader = judge(lambda *_: (0.999, 0.0005, 0.0005, 0.0))
    local.judge([item("The sauna is open.", *pages)])
    settled = len(reader.shown)
    local, reader = judge(lambda *_: (0.35, 0.15, 0.5, 0.0))
    local.judge([item("The sauna is open.", *pages)])
    assert settled < len(reader.shown) == 5


def test_all_windows_are_read_where_an_exact_check_has_something_to_say(item):
    pages = [f"The sauna on floor {n} is open to every guest for {n} hours." for n in range(11, 19)]
    local, reader = judge(lambda *_: (0.999, 0.0005, 0.0005, 0.0))
    local.judge([item("The sauna is open to every guest for 72 hours.", *pages)])
    assert len(reader.shown) >= 5


def test_another_amount_is_never_supported(item):
    local, _ = judge(lambda *_: SUPPORTED)
    (verdict,) = local.judge([item("Refunds are paid within 30 days.", "Refunds are paid within 14 days.")])
    assert verdict.label is not Label.SUPPORTED
    assert "30 days" in verdict.justification


@pytest.mark.parametrize(("row", "contradicted"), [(CONTRADICTED, True), (NEITHER, False)])
def test_the_amount_of_something_else_denies_nothing(item, row, contradicted):
    local = LocalJudge(ScriptedReader(lambda *_: row, 60), replace(LINE, denial=-9.0), "scripted")
    (verdict,) = local.judge([item("A bicycle costs 32 euros a day.", "A lost card costs 4 euros.")])
    assert (verdict.label, verdict.contradicted) == (Label.UNSUPPORTED, contradicted)


def test_the_amount_that_denies_a_claim_stands_in_the_quote_beside_it(item):
    pages = ("Films go back within 7 days. Games go back within 114 days.", "Books, as refunds, never go back in days.")
    local, _ = judge(says("Books", CONTRADICTED, SUPPORTED))
    (verdict,) = local.judge([item("Films go back within 14 days, as books and refunds do.", *pages)])
    assert [quote.quote for quote in verdict.evidence] == ["Films go back within 7 days."]
    assert verdict.justification == "Contradicted: the passage has 7 days where the claim has 14 days."


def test_a_long_claim_is_as_good_as_its_worst_part(item):
    local, _ = judge(lambda claim, *_: NEITHER if "staff" in claim else SUPPORTED, most=9)
    (verdict,) = local.judge([item(LONG, "Members, guests and staff of the club may use sauna and pool.")])
    assert verdict.label is Label.UNSUPPORTED
    assert "part" in verdict.justification


@pytest.mark.parametrize("misread", ["alone", "behind"])
def test_in_a_conversation_a_claim_has_to_hold_with_and_without_the_turn_before(item, misread):
    def answer(claim, context, evidence):
        bad = ("How much is it?" in context) is (misread == "behind")
        return NEITHER if bad else SUPPORTED

    local, reader = judge(answer)
    one = item("Yes.", "The sauna opens today.", question="And the sauna?\nIt is here.")
    alone, earlier = one, replace(one, claim=replace(one.claim, earlier="How much is it?"))
    labels = [local.judge([each])[0].label for each in (alone, earlier)]
    assert labels == [Label.UNSUPPORTED if misread == "alone" else Label.SUPPORTED, Label.UNSUPPORTED]
    assert {context for _, context, _ in reader.shown} >= {
        "And the sauna? It is here.",
        "And the sauna? How much is it? It is here.",
    }


def test_no_evidence_is_not_supported_and_nothing_is_read(item):
    local, reader = judge(lambda *_: SUPPORTED)
    (verdict,) = local.judge([item("The sauna opens.")])
    assert (verdict.label, verdict.evidence) == (Label.UNSUPPORTED, ())
    assert reader.shown == []


GERMAN = "Die Garantie beträgt zwei Jahre ab dem Kaufdatum."
ENGLISH = "The warranty is two years from the date of purchase."


@pytest.mark.parametrize(
    ("claim", "passage"),
    [("x" * (LONGEST + 1), ENGLISH), ("... !!", ENGLISH), (GERMAN, ENGLISH), ("The warranty is two years.", GERMAN)],
)
def test_what_it_cannot_read_is_unjudged_with_a_reason(item, claim, passage):
    local, reader = judge(lambda *_: SUPPORTED)
    (verdict,) = local.judge([replace(item(claim, passage), answer=claim)])
    assert verdict.label is Label.UNJUDGED
    assert verdict.reason
    assert reader.shown == []


def test_every_quote_stands_in_its_passage(item):
    texts = ["- *One* item, `code` here.\n- Two items here.", "| A | B |\n| --- | --- |\n| x | y |"]
    local, _ = judge(lambda *_: SUPPORTED)
    for verdict in local.judge([item("x is y.", *texts), item("One item.", *texts)]):
        assert verdict.evidence
        assert all(any(quote.quote in text for text in texts) for quote in verdict.evidence)


def test_an_item_is_judged_alike_in_any_company(item):
    given = [item(f"The sauna opens at {n}.", f"The sauna opens at {n}.", name=f"a:{n}") for n in range(1, 6)]
    local, _ = judge(says("at 3"))
    assert local.judge(given)[2] == local.judge(given[2:3])[0]


def test_support_says_how_far_texts_bear_out_a_statement():
    local, reader = judge(says("free", SUPPORTED, CONTRADICTED))
    good, bad, none = local.support(
        [
            Statement("Yes.", ("Parking is free.",), "Is parking free?"),
            Statement("Yes.", ("Parking costs a fee.",), "Is parking free?"),
            Statement("Yes.", (), "Is parking free?"),
        ]
    )
    assert (good.label, bad.label, bad.contradicted) == (Label.SUPPORTED, Label.UNSUPPORTED, True)
    assert (none.label, none.chance) == (Label.UNSUPPORTED, 0.0)
    assert reader.shown[0][1] == "Is parking free?"


CASE = "I was 12 in May. May I use the sauna alone?"


@pytest.mark.parametrize("row", [SUPPORTED, CONTRADICTED])
def test_what_a_rule_means_for_a_case_is_not_sure_either_way(item, row):
    local, _ = judge(lambda *_: (*row, 0.9))
    asked = item("Yes, you may.", "Children under 14 need an adult in the sauna.", question=CASE)
    (verdict,) = local.judge([asked])
    assert (verdict.label, verdict.contradicted, verdict.unsure) == (Label.WEAKLY_SUPPORTED, False, True)
    assert (verdict.case, verdict.ceiling) == (True, Label.WEAKLY_SUPPORTED)
    assert verdict.justification.startswith("Not sure: the question asks what a rule means for one case")
    assert verdict.evidence[0].quote == "Children under 14 need an adult in the sauna."
    (direct,) = judge(lambda *_: (*row, 0.4))[0].judge([asked])
    assert direct.label is (Label.SUPPORTED if row is SUPPORTED else Label.UNSUPPORTED)
    assert (direct.contradicted, direct.case) == (row is CONTRADICTED, False)


@pytest.mark.parametrize("line", [LINE, replace(LINE, low=0.6)])
def test_any_window_and_any_part_may_ask_about_a_case_whatever_the_thresholds(item, line):
    pages = "The pool is closed on Mondays, and it is free.", "Children under 14 need an adult in the sauna."
    reader = ScriptedReader(lambda _, __, text: (*SUPPORTED, 0.9) if "sauna" in text else (*NEITHER, 0.1))
    (verdict,) = LocalJudge(reader, line, "scripted").judge([item("It is free on Mondays.", *pages, question=CASE)])
    assert (verdict.label, verdict.case) == (Label.WEAKLY_SUPPORTED, True)
    mixed = ScriptedReader(lambda claim, *_: (*SUPPORTED, 0.9) if "members" in claim else (0.9, 0.05, 0.05, 0.0), 12)
    (verdict,) = LocalJudge(mixed, line, "scripted").judge([item(LONG, LONG, question=CASE)])
    assert (verdict.label, verdict.case) == (Label.WEAKLY_SUPPORTED, True)


def test_what_an_exact_check_finds_stands_for_a_case_too(item):
    local, _ = judge(lambda *_: (*SUPPORTED, 0.9))
    claim, passage = "Refunds are paid within 30 days.", "Refunds are paid within 14 days."
    (verdict,) = local.judge([item(claim, passage, question="Will I get it?")])
    assert (verdict.label, verdict.case) == (Label.UNSUPPORTED, False)


def test_a_case_on_which_the_documents_are_silent_is_not_in_them(item):
    local, _ = judge(lambda *_: (*NEITHER, 0.9))
    (verdict,) = local.judge([item("Yes, you may.", "The pool is closed.", question=CASE)])
    assert (verdict.label, verdict.case) == (Label.UNSUPPORTED, False)
    assert verdict.justification == "Not in the documents: no passage that was found says so."


def test_an_answer_to_a_case_is_compared_with_another_one_as_any(item):
    local, _ = judge(lambda *_: (*SUPPORTED, 0.9))
    (found,) = local.support([Statement("Yes.", ("Yes, you may.",), CASE)])
    assert found.label is Label.SUPPORTED


def test_the_judge_is_named_and_counts(item):
    local, _ = judge(lambda *_: (0.5, 0.25, 0.25, 0.0))
    local.judge([item("It opens.", "The sauna opens today.")])
    assert local.info() == JudgeInfo("local", "scripted", "test-1", {"judged": 1, "unsure": 1})


def opened(reader=None, folder=None, **settings):
    told = []
    return open_local(JudgeSettings(**settings), reader, folder, told.append), told


def test_a_fit_for_this_judge_changes_its_version_and_one_for_another_is_left_out_and_told(tmp_path):
    info, file = opened()[0].info(), tmp_path / "line.json"
    assert opened(folder=tmp_path)[1] == []
    fit = Fit(info.prompt_version, info.model, Refit(1.5, 0.25, 0.75, 0.25))
    file.write_text(fit_text(fit))
    judge, told = opened(folder=tmp_path)
    assert judge.info().prompt_version == fit.version != info.prompt_version
    assert told == []
    file.write_text(fit_text(replace(fit, model="reader-x")))
    judge, told = opened(folder=tmp_path)
    assert judge.info() == info
    assert "is left out" in told[0]


def test_a_reader_of_ones_own_takes_the_shipped_ones_place_and_is_named(tmp_path):
    judge, _ = opened(reader=folder_with(tmp_path, THREE, reader=LABELS))
    assert f"reader-{tmp_path.name}-" in judge.info().model
    mapped, _ = opened(
        reader=tmp_path, model_path=str(tmp_path), labels={"supported": 2, "contradicted": 1, "neither": 0}
    )
    assert mapped.info().model != judge.info().model


def test_a_folder_that_is_none_is_told(tmp_path):
    with pytest.raises(ModelFileError, match="is no folder") as caught:
        opened(reader=tmp_path / "missing")
    assert "model.onnx" in caught.value.hint
