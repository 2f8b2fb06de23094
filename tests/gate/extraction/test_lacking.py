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


def test_a_claim_behind_a_refusal_stays():
    found = extract("There is not enough information to answer this; refunds take 14 days.", QUESTION)
    assert [claim.text for claim in found] == ["Refunds take 14 days."]


def test_an_item_of_a_list_is_no_refusal():
    found = extract("- Open\n- Closed\n- Unknown", "Which states are there?")
    assert any("Unknown" in claim.text for claim in found)
