"""Agent 4: for every claim the passages of the documents that speak of it, with file and line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from gate.agents.ahead import Ahead, Found
from gate.agents.items import of_answers
from gate.errors import ProviderError, SetupError
from gate.records import Claim, Failure
from gate.state import State
from gate.store.passages import best_passages, cut

AGENT = "retrieve_evidence"
CHUNKS = 8  # looked into for a claim
PASSAGES = 8  # kept of them
AHEAD = 32  # answers, at least, whose claims are sought together: the vectors of few cost more time each


def retrieve_evidence(state: State) -> None:
    """claims -> evidence: claim id -> passages, best first. One search for all claims; the same text is sought once.
    What a claim is given depends on its text and the index alone, not on the other claims of the run.

    Where a model judges and the vectors are made here, only the claims of the first answers are sought before the next
    agent begins; the rest is sought while it waits for the model (`ahead`).
    An embedder that fails is a Failure: no claim has evidence then, not even none, and the run is void.
    Errors: SetupError, StoreError, and LimitError.
    """
    first, *later = _groups(state)
    try:
        found = _sought(state, first)
    except ProviderError as error:
        lost(state, error)
        return
    state["evidence"] = found
    if later:
        state["ahead"] = Ahead(lambda claims: _sought(state, claims), later, found)
        state["ahead"].begin()


def lost(state: State, fault: BaseException) -> None:
    """Note that an embedder failed. Errors: any other fault, as it is."""
    if not isinstance(fault, ProviderError) or isinstance(fault, SetupError):
        raise fault
    state["failures"].append(Failure(AGENT, "", fault.kind, fault.message))
    state["void"].append(f"the evidence could not be retrieved: {fault.message}")


def _groups(state: State) -> list[list[Claim]]:
    """The claims that are sought together: all, or those of as many answers as are judged at once."""
    config, claims = state.get("config"), state["claims"]
    if config is None or config.judge.provider in ("local", "tiered"):
        return [claims]  # a local judge wants all at once, or needs the processor itself
    if config.embedding.provider != "local":
        return [claims]  # a server is asked as seldom as can be
    answers, together = of_answers(claims), max(AHEAD, config.limits.concurrency)
    return [list(chain(*answers[at : at + together])) for at in range(0, len(answers), together)] or [[]]


def _sought(state: State, claims: Sequence[Claim]) -> Found:
    texts = list(dict.fromkeys(claim.text for claim in claims))
    found = dict(zip(texts, state["tools"].store.search(texts, CHUNKS), strict=True)) if texts else {}
    distinct = {chunk.chunk_id: chunk for chunks in found.values() for chunk in chunks}
    cuts = {name: cut(chunk) for name, chunk in distinct.items()}
    passages = {
        text: best_passages(text, [cuts[chunk.chunk_id] for chunk in chunks], PASSAGES)
        for text, chunks in found.items()
    }
    return {claim.id: passages[claim.text] for claim in claims}
