"""Agent 4: for every claim the passages of the documents that speak of it, with file and line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import chain, pairwise

from gate.errors import ProviderError, SetupError
from gate.records import Claim, Evidence, Failure
from gate.state import State
from gate.store.base import Store
from gate.store.passages import Cut, best_passages, cut, openings, terms

AGENT = "retrieve_evidence"


Found = dict[str, tuple[Evidence, ...]]
PATIENCE = 0.2  # seconds between two looks at whether the run has ended
Sought = tuple[str, str, tuple[str, ...]]  # what a claim is about, its words, the tags of the documents that count
CHUNKS = 8  # looked into for a claim
TAGGED = 50  # chunks among which those with a tag are sought: all that a search ranks
PASSAGES = 8  # kept of them
BESIDE = 3  # passages for a claim together with its context
EACH, SHARED = 2, 8  # passages of a claim that the others of its answer are given too, and how many in all
# Terms and characters, at most, of a question that a claim is sought with: a longer one would leave the claim no place
# among the terms of a search (MAX_TERMS) or in what an embedder reads of a text, and be paid for with every claim.
QUESTION, LENGTH = 60, 400
AHEAD = 32  # answers, at least, whose claims are sought together later: the vectors of few cost more time each


class Ahead:
    """A search that runs ahead of the judge, group by group. What is found goes into `found`, the claims of a group all
    at once. The end of the process waits for it: the libraries may not be torn down under it."""

    def __init__(
        self, search: Callable[[Sequence[Claim]], Found], groups: Sequence[Sequence[Claim]], found: Found
    ) -> None:
        self._search, self._found = search, found
        self._fault: BaseException | None = None
        self._pool = ThreadPoolExecutor(1)
        self._tasks: dict[str, Future[None]] = {}
        for group in groups:
            task = self._pool.submit(self._seek, group)
            self._tasks.update({claim.id: task for claim in group})

    def _seek(self, claims: Sequence[Claim]) -> None:
        if self._fault is not None:
            raise self._fault
        try:
            self._found.update(self._search(claims))
        except BaseException as error:
            self._fault = error
            raise

    def wait(self, claims: Sequence[Claim], check: Callable[[], None] = lambda: None) -> None:
        """Come back once all these claims have been sought; `check` may end the waiting with an error of its own.
        Errors: what ended the search."""
        tasks = {self._tasks[claim.id] for claim in claims if claim.id in self._tasks}
        while wait(tasks, PATIENCE).not_done:
            check()
        for task in tasks:
            task.result()

    def end(self) -> BaseException | None:
        """Begin no further group and wait for the one in work; what ended the search before its end, if anything."""
        self._pool.shutdown(cancel_futures=True)
        return self._fault


def retrieve_evidence(state: State) -> None:
    """claims -> evidence: claim id -> passages, best first. One search for all claims; the same text in the same
    context is sought once. What a claim is given depends on its answer and the index alone, not on the other answers of
    the run. The context says what a claim is about, as `It costs 30 euros` does not. What was found for the other
    claims of its answer is there for it too.

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


def lost(state: State, fault: BaseException) -> None:
    """Note that an embedder failed. Errors: any other fault, as it is."""
    if not isinstance(fault, ProviderError) or isinstance(fault, SetupError):
        raise fault
    state["failures"].append(Failure(AGENT, "", fault.kind, fault.message))
    state["void"].append(f"the evidence could not be retrieved: {fault.message}")


def _groups(state: State) -> list[list[Claim]]:
    """The claims that are sought together: all; or those of as many answers as are judged at once, then the others."""
    config, claims = state.get("config"), state["claims"]
    if config is None or config.judge.provider in ("local", "tiered"):
        return [claims]  # a local judge wants all at once, or needs the processor itself
    if config.embedding.provider != "local":
        return [claims]  # a server is asked as seldom as can be
    answers, first = of_answers(claims), config.limits.concurrency
    starts = [0, *range(first, len(answers), max(AHEAD, first))]
    return [list(chain(*answers[a:b])) for a, b in pairwise([*starts, len(answers)])]


def of_answers(claims: Sequence[Claim]) -> list[list[Claim]]:
    """The claims of each answer, in order."""
    groups: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        groups[claim.answer_id].append(claim)
    return list(groups.values())


def _sought(state: State, claims: Sequence[Claim]) -> Found:
    tags = {prompt.id: prompt.about for prompt in state.get("prompts", [])}
    pairs = {claim.id: (_about(claim), claim.text, tags.get(claim.prompt_id, ())) for claim in claims}
    found = _searched(state["tools"].store, list(dict.fromkeys(pairs.values())))
    distinct = {chunk.chunk_id: chunk for chunks in found.values() for chunk in chunks}
    cuts = {name: cut(chunk) for name, chunk in distinct.items()}
    passages = {
        (about, text, some): _passages(about, text, [cuts[chunk.chunk_id] for chunk in chunks])
        for (about, text, some), chunks in found.items()
    }
    return _shared(claims, {claim.id: passages[pairs[claim.id]] for claim in claims})


def _searched(store: Store, asked: Sequence[Sought]) -> dict[Sought, list[Evidence]]:
    """The CHUNKS best chunks for each; of those that name tags the best with one of them among the TAGGED best."""
    found: dict[Sought, list[Evidence]] = {}
    for tags in dict.fromkeys(some for *_, some in asked):
        same = [one for one in asked if one[2] == tags]
        lists = store.search([text for _, text, _ in same], TAGGED if tags else CHUNKS, [about for about, *_ in same])
        for one, chunks in zip(same, lists, strict=True):
            found[one] = [chunk for chunk in chunks if not tags or {*tags} & {*chunk.tags}][:CHUNKS]
    return found


def _passages(about: str, text: str, chunks: Sequence[Cut]) -> tuple[Evidence, ...]:
    """What speaks of a claim, and behind it what speaks of its context: `It costs 30 euros` finds little alone. Where
    neither shares a word with the chunks that were found (`child`, `children`), how these begin; a claim without a
    context leans on nothing, so what does not have its words does not speak of it."""
    own = best_passages(text, chunks, PASSAGES)
    if not about:
        return own
    return _joined(own, best_passages(f"{about} {text}", chunks, BESIDE)) or openings(chunks, BESIDE)


def _shared(claims: Sequence[Claim], own: Found) -> Found:
    """To what was found for each claim the best that was found for the others of its answer."""
    found = dict(own)
    for group in of_answers(claims):
        best = list(dict.fromkeys(passage for claim in group for passage in own[claim.id][:EACH]))[:SHARED]
        for claim in group:
            found[claim.id] = _joined(own[claim.id], best)
    return found


def _joined(first: Sequence[Evidence], more: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """`first`, then those of `more` whose text is in none of them."""
    kept = list(first)
    for passage in more:
        if not any(passage.source == one.source and passage.text in one.text for one in kept):
            kept.append(passage)
    return tuple(kept)


def _about(claim: Claim) -> str:
    """The context of a claim as far as it is short; of a longer text, which may hold all kinds of things, nothing."""
    parts = (part for part in (*claim.context.split("\n"), claim.earlier) if part)
    return " ".join(part for part in parts if len(part) <= LENGTH and len(terms(part)) <= QUESTION)
