"""One search for all claims, passages for each; beside a model judge it runs ahead of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gate.agents.retrieve_evidence import AHEAD, BESIDE, PASSAGES, SHARED, Ahead, Found, retrieve_evidence
from gate.errors import LimitError, SetupError, StoreError, TransientError
from gate.records import Claim, Evidence, Prompt
from gate.state import State
from gate.store.embedded import EmbeddedStore, open_for_writing
from gate.store.passages import WORDS
from tests.support.states import state_of
from tests.support.words_embedder import WordsEmbedder, chunk

DOCUMENTS = {
    "redirects.md": "# Redirects\n\nThe client does not follow redirects.\nSet follow_redirects to change it.",
    "timeouts.md": "# Timeouts\n\nA time-out is five seconds.\n\nIt can be turned off with None.",
    "pool.md": "\n\n".join(f"The pool of client {n} is large. " + "And more of it. " * 18 for n in range(12)),
}


class Counting:
    def __init__(self, store: EmbeddedStore) -> None:
        self.store = store
        self.asked: list[list[str]] = []
        self.about: list[list[str]] = []

    def search(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[list[Evidence]]:
        self.asked.append(list(queries))
        self.about.append(list(about))
        return self.store.search(queries, k, about)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Counting]:
    store = open_for_writing(tmp_path / "index.sqlite", WordsEmbedder())
    for source, text in DOCUMENTS.items():
        store.replace(source, "1", [chunk(text, source)])
    yield Counting(store)
    store.close()


def evidence_for(store: Any, claims: list[Claim]) -> Found:
    state = State(claims=claims, tools=SimpleNamespace(store=store), failures=[])  # type: ignore[typeddict-item]
    retrieve_evidence(state)
    return state["evidence"]


def found(store: Any, *texts: str) -> Found:
    """The evidence for claims of one answer."""
    return evidence_for(store, [Claim(f"p:{n}", "p", "p", text, 0, len(text)) for n, text in enumerate(texts)])


def asked_about(store: Any, *pairs: tuple[str, str]) -> Found:
    """The evidence for claims that answers to these questions make, by the number of the pair."""
    return evidence_for(
        store, [Claim(str(n), str(n), str(n), text, 0, len(text), asked) for n, (asked, text) in enumerate(pairs)]
    )


def test_only_documents_with_a_tag_are_evidence_for_what_is_about_it(store: Counting) -> None:
    for version in ("v1", "v2"):
        text = f"# Redirects\n\nRedirects are followed in {version}."
        store.store.replace(f"{version}.md", "1", [replace(chunk(text, f"{version}.md"), tags=(version, "all"))])
    claims = [Claim(name, name, name, "Redirects are followed.", 0, 23) for name in ("p", "q", "r")]
    prompts = [Prompt("p", "?", about=("v2",)), Prompt("q", "?", about=("all",)), Prompt("r", "?")]
    state = State(claims=claims, prompts=prompts, tools=SimpleNamespace(store=store), failures=[])  # type: ignore[typeddict-item]
    retrieve_evidence(state)
    sources = {name: {passage.source for passage in some} for name, some in state["evidence"].items()}
    assert sources["p"] == {"v2.md"}
    assert sources["q"] == {"v1.md", "v2.md"}
    assert sources["r"] >= {"v1.md", "v2.md", "redirects.md"}


CLAIMS = ("Redirects are not followed.", "A time-out is five seconds.", "The pool of client 3 is large.")


def test_every_claim_has_its_passages_with_file_and_line(store: Counting) -> None:
    evidence = found(store, *CLAIMS)
    assert list(evidence) == ["p:0", "p:1", "p:2"]
    best = [evidence[name][0] for name in evidence]
    assert [(one.source, 3 in one.lines) for one in best[:2]] == [("redirects.md", True), ("timeouts.md", True)]
    assert "client 3" in best[2].text
    for passages in evidence.values():
        assert len(passages) <= PASSAGES + BESIDE + SHARED
        for one in passages:
            document = DOCUMENTS[one.source].split("\n")
            assert one.text in "\n".join(document[one.line - 1 :])


def test_a_claim_that_shares_no_word_with_what_its_vector_is_near_is_given_how_that_begins(store: Counting) -> None:
    text = "# Minors\n\nChildren need an adult. " + "They are asked for papers at every desk. " * 60
    store.store.replace("minors.md", "1", [chunk(text, "minors.md")])
    found = asked_about(store, ("May my child join?", "Yup."))["0"]
    assert 0 < len(found) <= BESIDE
    assert any(one.source == "minors.md" and "Children need an adult." in one.text for one in found)
    for one in found:
        assert len(one.text.split()) <= 2 * WORDS
        assert one.text in {**DOCUMENTS, "minors.md": text}[one.source]


def test_what_was_found_for_one_claim_is_there_for_the_others_of_its_answer(store: Counting) -> None:
    alone = found(store, *CLAIMS[:1])["p:0"]
    evidence = found(store, *CLAIMS[:2])
    assert evidence["p:0"][: len(alone)] == alone
    assert "five seconds" in " ".join(one.text for one in evidence["p:0"])


def test_evidence_does_not_depend_on_other_answers(store: Counting) -> None:
    pairs = [("How long?", text) for text in CLAIMS]
    together = asked_about(store, *pairs)
    for number, pair in enumerate(pairs):
        assert asked_about(store, pair)["0"] == together[str(number)]


def test_a_claim_is_sought_with_its_question_the_same_pair_once(store: Counting) -> None:
    first, other = "How do I set redirects?", "How long is a time-out?"
    asked_about(store, (first, "It can be changed."), (other, "It can be changed."), (first, "It can be changed."))
    assert store.asked == [["It can be changed."] * 2]
    assert store.about == [[first, other]]


def failing(error: Exception) -> Any:
    def search(queries: Sequence[str], k: int, about: Sequence[str]) -> list[list[Evidence]]:
        raise error

    return SimpleNamespace(search=search)


def test_an_embedder_that_fails_is_a_failure_and_no_evidence_is_not_none() -> None:
    claims = [Claim("p:0", "p", "p", CLAIMS[0], 0, 9)]
    tools: Any = SimpleNamespace(store=failing(TransientError("busy", kind="throttled")))
    state = State(claims=claims, tools=tools, failures=[], void=[], evidence={})
    retrieve_evidence(state)
    assert state["evidence"] == {}
    assert [(one.agent, one.kind) for one in state["failures"]] == [("retrieve_evidence", "throttled")]
    assert state["void"] == ["the evidence could not be retrieved: busy"]
    for error in (SetupError("no key"), LimitError("the limit of 3 s")):
        with pytest.raises(type(error)):
            found(failing(error), CLAIMS[0])


TEXTS = [f"The pool of client {n} is large." for n in range(AHEAD)] + [CLAIMS[0]]


def sliced(store: Any, judge: dict[str, Any], embedding: dict[str, Any] | None = None) -> State:
    """AHEAD answers of one claim each and one more."""
    claims = [Claim(f"p{n}:0", f"p{n}", f"p{n}", text, 0, len(text)) for n, text in enumerate(TEXTS)]
    values = {"judge": judge, "limits": {"concurrency": 2}, **({"embedding": embedding} if embedding else {})}
    state = state_of({"store": store}, values, claims=claims)
    retrieve_evidence(state)
    return state


MODEL = {"provider": "ollama", "model_id": "m"}


def test_with_a_model_judge_the_later_answers_are_sought_while_it_judges(store: Counting) -> None:
    state = sliced(store, MODEL)
    assert store.asked[0] == TEXTS[:2]  # as many as are judged at once
    state["ahead"].wait(state["claims"])
    assert state["ahead"].end() is None
    assert store.asked == [TEXTS[:2], TEXTS[2:]]
    assert state["evidence"] == sliced(store, {"provider": "local"})["evidence"]


@pytest.mark.parametrize(
    ("judge", "embedding"),
    [
        ({"provider": "local"}, None),
        ({"provider": "tiered", "escalate_to": "ollama", "model_id": "m"}, None),
        (MODEL, {"provider": "ollama", "model_id": "e"}),
    ],
)
def test_else_there_is_one_search(store: Counting, judge: dict[str, Any], embedding: dict[str, Any] | None) -> None:
    state = sliced(store, judge, embedding)
    assert store.asked == [TEXTS]
    assert "ahead" not in state


ANY = Evidence("m.md", 1, "Text.", 1.0, "", (1,))
LATER = [Claim(f"q{n}:0", f"q{n}", f"q{n}", f"Claim {n}.", 0, 1) for n in range(3)]
GROUPS = [[claim] for claim in LATER]


def every(claims: Sequence[Claim]) -> Found:
    return {claim.id: (ANY,) for claim in claims}


def test_groups_come_in_order_and_each_is_given_out_while_the_next_is_sought() -> None:
    gate = threading.Event()
    found: Found = {}

    def search(claims: Sequence[Claim]) -> Found:
        if claims != GROUPS[0]:
            gate.wait(30)
        return every(claims)

    ahead = Ahead(search, GROUPS, found)
    ahead.wait(GROUPS[0])
    assert list(found) == ["q0:0"]
    gate.set()
    ahead.wait(LATER)
    assert list(found) == [claim.id for claim in LATER]
    assert ahead.end() is None


def test_a_fault_reaches_those_who_wait_and_the_end_and_no_group_follows() -> None:
    asked: list[str] = []

    def search(claims: Sequence[Claim]) -> Found:
        asked.append(claims[0].id)
        if len(asked) == 2:
            raise StoreError("the index is gone", "ingest again")
        return every(claims)

    ahead = Ahead(search, GROUPS, {})
    with pytest.raises(StoreError, match="gone"):
        ahead.wait(LATER[2:])
    ahead.wait(LATER[:1])
    assert isinstance(ahead.end(), StoreError)
    assert asked == ["q0:0", "q1:0"]


def test_who_waits_is_let_go_when_the_run_has_ended() -> None:
    gate = threading.Event()

    def over() -> None:
        raise LimitError("the run was interrupted", "run again")

    ahead = Ahead(lambda claims: every(claims) if gate.wait(30) else {}, GROUPS, {})
    with pytest.raises(LimitError):
        ahead.wait(LATER, over)
    gate.set()
    ahead.end()
