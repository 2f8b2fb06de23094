"""Which texts the local judge cannot read: it knows English, and a label about another language is a guess."""

from __future__ import annotations

from gate.records import Item
from gate.text_language import is_foreign

_HINT = "a model judge reads other languages (judge.provider)"


def foreign(item: Item) -> str:
    """Why an item cannot be judged for its language; empty where claim and answer are English or too short to tell.

    The claim is looked at with its answer, as a few words of a claim tell little."""
    if not (is_foreign(item.claim.text) and (not item.answer or is_foreign(item.answer))):
        texts = [passage.text for passage in item.evidence[:3]]
        if not texts or not all(is_foreign(text) for text in texts):
            return ""
        return f"the documents are not in English, which is all that the local judge reads; {_HINT}"
    return f"the answer is not in English, which is all that the local judge reads; {_HINT}"
