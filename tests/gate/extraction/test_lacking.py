import pytest

from gate.extraction.extract import extract
from gate.extraction.lacking import lacking, marked
from gate.extraction.nonclaims import abstains

QUESTION = "How long do refunds take?"


@pytest.mark.parametrize(
    "answer",
    [
        "Insufficient context.", "INSUFFICIENT CONTEXT", "Insufficient data to answer.", "Not enough information.",
        "Context insufficient.", "There is insufficient context to answer this question.",
        "There is not enough context to answer.", "The provided context is insufficient.",
        "There isn't enough information in the context to answer the question.",
        "The information provided is not sufficient to answer the question.",
        "Based on the provided context, I cannot answer this question.",
        "Based on the context provided, there is no information about refunds.",
        "No information available.", "No relevant information found.", "No context was provided.",
        "Not found in the context.", "Unable to answer.", "Cannot be determined.",
        "It cannot be determined from the context.", "The question cannot be answered with the given information.",
        "The answer is not provided in the text.", "That information is not available.",
        "This information isn't available in my sources.", "I need more context to answer this.",
        "More context is needed to answer this question.", "I lack sufficient context to answer.",
        "I have no idea.", "No idea.", "Hmm, I'm not sure.", "Sorry, that's outside my scope.",
        "I don't see anything about refunds in the documents.", "N/A", "Unknown.", "NO_ANSWER", "unanswerable",
    ],
)  # fmt: skip
def test_a_refusal_for_want_of_information_claims_nothing(answer):
    assert extract(answer, QUESTION) == []
    assert abstains(answer.rstrip(".")) or marked(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Insufficient funds lead to a refusal.", "There is not enough memory on the small plan.",
        "No information is shared with third parties.", "There is no documentation fee.", "No data is kept.",
        "The information is not available to guests.", "The answer is not stored in the database.",
        "More memory is needed to answer requests quickly.", "Not enough data is stored.",
        "Insufficient information in the form leads to delays.", "It is not available.", "Not found.",
        "This is outside our scope of delivery, which ends at the border.",
        "There is insufficient data to train a model, which needs 5000 rows.",
        "Based on the provided context, refunds take 14 days.", "Insufficient context, but refunds take 14 days.",
    ],
)  # fmt: skip
def test_what_sounds_like_one_is_a_claim(answer):
    assert extract(answer, QUESTION)
    assert not lacking(answer.rstrip("."))


@pytest.mark.parametrize(
    "answer",
    [
        "This is out of scope.", "Sorry, that's out of scope here.", "It is beyond the scope.",
        "This question is out of scope.", "That topic falls outside the scope.", "The request falls outside my scope.",
        "Your question goes beyond the scope of the warranty.", "Your question is outside the scope of our support.",
        "This request is outside the scope of what I can help with.", "It goes beyond what I can help with.",
        "That's beyond what I know.", "This is beyond my area of expertise.", "It is beyond my abilities.",
        "This is outside the scope of this document.", "That falls outside the scope of the provided context.",
        "That's outside the documents I have.", "Your request is outside the scope of the documents provided.",
        "This goes beyond the information provided.",
    ],
)  # fmt: skip
def test_a_question_that_is_out_of_scope_is_refused(answer):
    assert extract(answer, QUESTION) == []
    assert abstains(answer.rstrip("."))


@pytest.mark.parametrize(
    "answer",
    [
        "It is outside the scope of the warranty.", "That's outside the scope of the warranty.",
        "It goes beyond the scope of the contract.", "It is outside the scope of the materials warranty.",
        "It falls outside the scope of the insurance policy.", "That goes beyond the scope of coverage.",
        "Your request is outside the scope of the warranty.", "It is out of scope for the free plan.",
        "The damage is outside the scope.", "The screen is out of scope.", "It is outside my warranty.",
        "This is out of stock.", "It is beyond repair.", "It falls outside the return window.",
        "It is beyond what I consider safe.", "It is outside the document retention period.",
        "It goes beyond the text limit.", "This is beyond the scope because the limit is 5.",
        "This is out of scope, but refunds take 14 days.", "The topic is outside the scope, and the limit is 5.",
        "Your question is outside the scope of the warranty, which ends after 2 years.",
    ],
)  # fmt: skip
def test_a_thing_that_is_out_of_scope_is_a_claim(answer):
    assert extract(answer, QUESTION)
    assert not abstains(answer.rstrip("."))


def test_a_claim_behind_a_refusal_stays():
    found = extract("There is not enough information to answer this; refunds take 14 days.", QUESTION)
    assert [claim.text for claim in found] == ["Refunds take 14 days."]


def test_an_item_of_a_list_is_no_refusal():
    found = extract("- Open\n- Closed\n- Unknown", "Which states are there?")
    assert [claim.text.split("? ")[1] for claim in found] == ["Open.", "Closed.", "Unknown."]


@pytest.mark.parametrize("answer", ["null", "None", "undefined", "NaN", "[object Object]"])
def test_what_a_program_prints_for_nothing_claims_nothing(answer):
    assert extract(answer, "Is the timeout 30 seconds?") == []


@pytest.mark.parametrize("question", ["Are there any fees?", "Which fees are there?", "How many fees are there?"])
def test_none_is_an_answer_where_something_is_counted(question):
    assert extract("None", question)
