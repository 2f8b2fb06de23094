"""The provider `replay`: answers that were recorded elsewhere, found by id and question, or by the question alone."""

from __future__ import annotations

from pathlib import Path

from gate.errors import BadReplyError, SetupError
from gate.providers.base import Reply, Request
from gate.providers.recorded import Recorded, read_answers
from gate.providers.tokens import estimated


class Replay:
    """Answers from a file; nothing is called, so nothing is recorded, retried or paid."""

    name = "replay"

    def __init__(self, path: Path, model_id: str | None = None) -> None:
        """Read the whole file; `model_id` is the model of answers whose line names none. Errors: InputFileError with
        the line at fault."""
        self.answers = read_answers(path)
        self._unnamed = model_id or path.name
        self.model = next((answer.model for answer in self.answers if answer.model), self._unnamed)
        self._path = path
        self._by_id = {answer.prompt.id: answer for answer in self.answers}
        self._by_question: dict[str, list[Recorded]] = {}
        for answer in self.answers:
            self._by_question.setdefault(answer.prompt.question.strip(), []).append(answer)

    def complete(self, request: Request) -> Reply:
        """The recorded answer; repeat n is the n-th answer that the file has for the same question. A line that has the
        id of the prompt and another question, as one that is left of an older dataset, is no answer to it.

        Errors: BadReplyError where the file has no answer or an empty one, SetupError for a repeat that it cannot have.
        """
        recorded = self._find(request)
        if not recorded.answer.strip():
            raise BadReplyError(f"{self._path}:{recorded.prompt.line}: the recorded answer is empty", kind="empty")
        usage = recorded.usage or estimated(request, recorded.answer)
        return Reply(recorded.answer, usage, recorded.latency_ms, model=recorded.model or self._unnamed)

    def _find(self, request: Request) -> Recorded:
        named = self._by_id.get(request.prompt_id)
        other = named is not None and _words(named.prompt.question) != _words(request.question)
        if named is not None and not other and request.repeat == 0:
            return named
        question = request.question if named is None or other else named.prompt.question
        same = self._by_question.get(question.strip(), [])
        if request.repeat < len(same):
            return same[request.repeat]
        if same:
            raise SetupError(
                f"{self._path}: {len(same)} recorded answer(s) to a question that is asked {request.repeat + 1} times",
                "set evaluation.repeats to 1, or record more answers",
            )
        missing = f"{self._path}: no recorded answer to {request.question[:80]!r}"
        if named is not None:
            missing += f"; line {named.prompt.line} has its id and answers {named.prompt.question[:80]!r}"
        raise BadReplyError(missing, kind="missing")


def _words(question: str) -> str:
    """The question whatever its case and blanks: files that people keep side by side differ in these."""
    return " ".join(question.split()).casefold()
