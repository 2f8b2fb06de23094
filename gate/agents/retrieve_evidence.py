"""Agent 4: for every claim the passages of the documents that speak of it, with file and line."""

from __future__ import annotations

from gate.state import State
from gate.store.passages import best_passages, cut

CHUNKS = 8  # looked into for a claim
PASSAGES = 8  # kept of them


def retrieve_evidence(state: State) -> None:
    """claims -> evidence: claim id -> passages, best first. One search for all claims; the same text is sought once.
    What a claim is given depends on its text and the index alone, not on the other claims of the run."""
    texts = list(dict.fromkeys(claim.text for claim in state["claims"]))
    found = dict(zip(texts, state["tools"].store.search(texts, CHUNKS), strict=True)) if texts else {}
    distinct = {chunk.chunk_id: chunk for chunks in found.values() for chunk in chunks}
    cuts = {name: cut(chunk) for name, chunk in distinct.items()}
    passages = {
        text: best_passages(text, [cuts[chunk.chunk_id] for chunk in chunks], PASSAGES)
        for text, chunks in found.items()
    }
    state["evidence"] = {claim.id: passages[claim.text] for claim in state["claims"]}
