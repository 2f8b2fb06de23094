"""Agent 4: for every claim the passages of the documents that speak of it, with file and line."""

from __future__ import annotations

from gate.errors import LimitError, ProviderError, SetupError
from gate.records import Evidence, Failure
from gate.state import State
from gate.store.passages import best_passages, cut

AGENT = "retrieve_evidence"
CHUNKS = 8  # looked into for a claim
PASSAGES = 8  # kept of them


def retrieve_evidence(state: State) -> None:
    """claims -> evidence: claim id -> passages, best first. One search for all claims; the same text is sought once.
    What a claim is given depends on its text and the index alone, not on the other claims of the run.

    An embedder that fails is a Failure: no claim has evidence then, not even none, and the run is void.
    Errors: SetupError, StoreError, and LimitError.
    """
    texts = list(dict.fromkeys(claim.text for claim in state["claims"]))
    try:
        found = _searched(state, texts)
    except (SetupError, LimitError):
        raise
    except ProviderError as error:
        state["failures"].append(Failure(AGENT, "", error.kind, error.message))
        state["void"].append(f"the evidence could not be retrieved: {error.message}")
        return
    distinct = {chunk.chunk_id: chunk for chunks in found.values() for chunk in chunks}
    cuts = {name: cut(chunk) for name, chunk in distinct.items()}
    passages = {
        text: best_passages(text, [cuts[chunk.chunk_id] for chunk in chunks], PASSAGES)
        for text, chunks in found.items()
    }
    state["evidence"] = {claim.id: passages[claim.text] for claim in state["claims"]}


def _searched(state: State, texts: list[str]) -> dict[str, list[Evidence]]:
    return dict(zip(texts, state["tools"].store.search(texts, CHUNKS), strict=True)) if texts else {}
