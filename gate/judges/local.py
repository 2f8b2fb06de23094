"""The local judge: windows of the passages, a reader that sees the claim in its context, exact checks, one line."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from gate.config import JudgeSettings
from gate.errors import ModelFileError
from gate.judges.base import Statement, Support, unjudged
from gate.judges.checks import check_identifiers, check_quantities
from gate.judges.explain import justify, quote_windows
from gate.judges.line import FIT, PLAIN, Line, Look, Read, features, fitted, load_line, log_odds, read_fit
from gate.judges.reader import SHIPPED, CountedReader, Reader, Scorer, name_of, shipped_reader
from gate.judges.windows import Window, best_windows, pieces, show_claim, show_context
from gate.providers.pool import Counting, uncounted
from gate.records import Claim, Evidence, Item, JudgeInfo, Label, Quote, Verdict
from gate.statistics.calibration import most
from gate.store.passages import key_terms
from gate.text.tokenisation import STOPWORDS, is_foreign

OTHERS = "which is all that the local judge reads; a model judge reads other languages (judge.provider)"
LONGEST = 4000  # characters of a claim that is judged
# Windows are read one by one, best first, until one is clear enough: after the n-th, the log odds of support are so far
# above the line's `high` (`python -m training.line` prints how often the windows behind would have changed the label).
ABOVE = (1.15, 0.75, 0.55, 0.55)
WINDOWS = len(ABOVE) + 1

# Two documents disagree: the reader takes a window of one to support the claim, and a window of another, which shares
# so many of its key terms, to contradict it. Of 404 right claims about 415 pages 2 are so (0.5 %); of 220 about pages
# whose deciding line a second edition turns, 33 %.
CLEAR, OTHERWISE, ALIKE = 0.7, 0.8, 0.5
_NAME = re.compile(r"[^\W\d_]+|\d+")
RIVALS = 3  # windows of other documents, of which the most alike is read


def open_local(
    settings: JudgeSettings,
    reader: Path | None,
    folder: Path | None,
    warn: Callable[[str], None],
    counting: Counting = uncounted,
) -> LocalJudge:
    """The local judge. `reader` is the folder of `judge.model_path`, `folder` the gate's own, which may hold a fit
    (`gate calibrate --fit`; None: do not look). `counting` hears how far the reader is, which takes most of the time.

    A fit that was made for another judge is left out, with a warning. Errors: ModelFileError.
    """
    file = folder / FIT if folder else None
    found = read_fit(file) if file else None
    if reader:
        own = _own_reader(settings, reader)
        opened, base, name = (lambda: own), PLAIN, own.name
    else:
        opened, base, name = shipped_reader, load_line(), name_of(SHIPPED)
    turned = fitted(base, found, name)
    if found and turned is base:
        warn(f"{file} was fitted to another judge ({found.model} {found.base}) and is left out; fit it again")
    return LocalJudge(CountedReader(opened, counting), turned, name)


def _own_reader(settings: JudgeSettings, folder: Path) -> Reader:
    """The reader of the user's own in `folder`. Errors: ModelFileError."""
    if not folder.is_dir():
        raise ModelFileError(
            f"judge.model_path: {folder} is no folder", "name a folder with model.onnx, tokenizer.json and config.json"
        )
    places = settings.labels or {}
    labels = sorted(places, key=lambda name: places[name])
    return Reader(folder, labels=labels or None)


class LocalJudge:
    """Labels claims with the reader that ships, or with one of the user's own."""

    remote = False

    def __init__(self, reader: Scorer, line: Line, name: str) -> None:
        """`name`: of the reader, for the run's record."""
        self._reader, self._line, self._name = reader, line, name
        self._counts = {"judged": 0, "unsure": 0}

    def info(self) -> JudgeInfo:
        """Who judged; the version is that of the line."""
        return JudgeInfo("local", self._name, self._line.version, dict(self._counts))

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict for every item, in order. No evidence is `unsupported`; what the judge cannot read (too long, no
        words, another language than English) is `unjudged`. Errors: ModelFileError."""
        worst = self._worst(items)
        looks = [look for look in worst if isinstance(look, Look)]
        quotes, rivals = iter(quote_windows(looks, self._reader)), iter(self._conflicts(looks))
        verdicts = []
        for item, look in zip(items, worst, strict=True):
            if isinstance(look, Look):
                verdicts.append(in_conflict(self._verdict(look, next(quotes)), next(rivals)))
            elif look:
                verdicts.append(unjudged(item.claim, look))
            else:
                text = "Nothing in the documents speaks of this."
                verdicts.append(Verdict(item.claim, Label.UNSUPPORTED, text, confidence=0.99, support=0.01))
        self._counts["judged"] += sum(verdict.label is not Label.UNJUDGED for verdict in verdicts)
        self._counts["unsure"] += sum(verdict.unsure for verdict in verdicts)
        return verdicts

    def support(self, statements: Sequence[Statement]) -> list[Support]:
        """How far texts bear out claims, each within its context, in order; `unjudged` what the judge cannot read.
        Errors: ModelFileError."""
        found = []
        for look in self._worst([_item(statement) for statement in statements]):
            if isinstance(look, Look):
                label = self._line.label(look.chance)
                found.append(Support(label, look.denied, look.chance, look.deciding.window.text))
            else:
                found.append(Support(Label.UNJUDGED if look else Label.UNSUPPORTED, False, 0.0))
        return found

    def _worst(self, items: Sequence[Item]) -> list[Look | str]:
        """For each item the look at its weakest part, or why it cannot be judged: empty where it has no evidence."""
        why = [_unfit(item) for item in items]
        looks = iter(self.look([item for item, reason in zip(items, why, strict=True) if not reason]))
        worst = [reason or _weakest(next(looks)) for reason in why]
        return [look if isinstance(look, str) or look.reads else "" for look in worst]

    def look(self, items: Sequence[Item]) -> list[list[Look]]:
        """What is seen of each item, in order: a look for the claim, or for each part of one that the reader does not
        see whole; read and weighed. Errors: ModelFileError."""
        looks = [self._looks(item) for item in items]
        self._read([look for some in looks for look in some])
        return looks

    def _looks(self, item: Item) -> list[Look]:
        """In a conversation a claim has to hold with the question alone and behind what the user said before: a
        question that goes on needs the turn before, and one about something else is misread with it."""
        given, claim = pieces(item.evidence), show_claim(item.claim.text, item.claim.header)
        context, parts, looks = show_context(item.claim.context), _parts(claim, self._reader), []
        for about in (context, show_context(_behind(item.claim)))[: 1 + bool(item.claim.earlier)]:
            before = about
            for part in parts:
                windows = best_windows(part, before, given, WINDOWS) if given else []
                looks.append(Look(item, part, before, given, windows))
                before = f"{about} {part}"
        return looks

    def _read(self, looks: Sequence[Look]) -> None:
        """Shows each claim its windows, best first, as long as those before leave the label open."""
        left: Sequence[Look] = looks
        for number, margin in enumerate((*ABOVE, math.inf)):
            left = [look for look in left if number < len(look.windows)]
            if not left:
                break
            self._score([(look, look.windows[number]) for look in left])
            for look in left:
                windows = [read.window.text for read in look.reads]
                passages = [passage.text for passage in look.item.evidence]
                given = (look.claim, look.item.claim.context, windows, passages)
                look.findings = (*check_quantities(*given), *check_identifiers(*given))
                look.chance = self._line.chance(features(look))
            left = [look for look in left if not _is_clear(look, self._line, margin)]
        for look in looks:
            ceiling = _ceiling(look)
            look.chance = min(look.chance, most(ceiling, self._line.low, self._line.high))
            look.denied = bool(look.reads) and self._denies(look)

    def _conflicts(self, looks: Sequence[Look]) -> list[tuple[Quote, ...]]:
        """For each look the words of another document that clearly says the opposite of what decides; none for most."""
        rivals = [_rival(look) if self._speaks(look) and not look.case else None for look in looks]
        self._score([(rival, rival.windows[0]) for rival in rivals if rival])
        clear = [rival for rival in rivals if rival and _strength(rival) >= OTHERWISE]
        quotes = dict(zip(map(id, clear), quote_windows(clear, self._reader), strict=True))
        return [quotes.get(id(rival), ()) for rival in rivals]

    def _score(self, asked: Sequence[tuple[Look, Window]]) -> None:
        """Adds to each look what the reader makes of a window."""
        rows = self._reader.score([(look.claim, look.context, window.text) for look, window in asked]).tolist()
        for (look, window), (supported, contradicted, neither, _, case) in zip(asked, rows, strict=True):
            total = (supported + contradicted + neither) or 1.0
            look.reads.append(Read(window, supported / total, contradicted / total, neither / total, case))

    def _denies(self, look: Look) -> bool:
        """Whether the documents deny a claim that they do not support: an exact check found another value, or the
        reader takes a window to say otherwise."""
        if self._line.label(look.chance) is not Label.UNSUPPORTED:
            return False
        if look.refuted:
            return True
        strongest = max(look.reads, key=lambda read: read.contradicted)
        return strongest.contradicted > max(0.5, max(read.supported for read in look.reads))

    def _speaks(self, look: Look) -> bool:
        """Whether the documents speak of a claim: they deny it, or may support it."""
        return look.denied or self._line.label(look.chance) is not Label.UNSUPPORTED

    def _verdict(self, look: Look, quotes: Sequence[Quote]) -> Verdict:
        # On what a rule means for a case, the reader is hardly better than chance (benchmarks/inferences.py): whatever
        # it makes of a passage that speaks of it, nobody can be sure. What an exact check finds stands.
        case = look.case and not look.refuted and self._speaks(look)
        label = Label.WEAKLY_SUPPORTED if case else self._line.label(look.chance)
        # A decision hangs on this word: it takes a margin that hardly any right claim has, or an exact check and a
        # reader that takes a passage to be about the same thing. A lost card's 4 euros do not deny a bicycle's 32.
        exact = look.refuted and any(read.neither < 0.5 for read in look.reads)
        contradicted = look.denied and not case and (exact or features(look)["margin"] <= self._line.denial)
        likely = look.chance if label is Label.SUPPORTED else 1.0 - look.chance
        return Verdict(
            claim=look.item.claim,
            label=label,
            justification=justify(label, look, contradicted, quotes, case=case),
            contradicted=contradicted,
            confidence=round(likely if label is not Label.WEAKLY_SUPPORTED else min(look.chance, 1 - look.chance), 4),
            evidence=tuple(quotes),
            unsure=case or not self._line.settles(look.chance),
            support=round(look.chance, 6),
            ceiling=Label.WEAKLY_SUPPORTED if case else _ceiling(look),
            case=case,
        )


def _weakest(looks: Sequence[Look]) -> Look | str:
    """The look with the lowest chance, of a case if one of them is; empty where there is none."""
    weakest = min(looks, key=lambda look: look.chance, default=None)
    if weakest is None:
        return ""
    weakest.case = any(look.asks_case for look in looks)
    return weakest


def _is_clear(look: Look, line: Line, margin: float) -> bool:
    """Whether a claim is supported by so much (log odds) that further windows will hardly change its label. Where an
    exact check has something to say, another window may hold the amount, or the one that stands in its place."""
    return log_odds(look.chance) >= log_odds(line.high) + margin and not look.findings


def in_conflict(verdict: Verdict, conflict: tuple[Quote, ...]) -> Verdict:
    """The verdict where another document answers the claim otherwise: at most weakly supported, and both are named."""
    if not conflict:
        return verdict
    held, *_ = verdict.evidence
    ones, other = (f"{quote.source}:{quote.line}" for quote in (held, conflict[0]))
    says, denies = (other, ones) if verdict.label is Label.UNSUPPORTED else (ones, other)
    weak = verdict.label is not Label.UNSUPPORTED
    return replace(
        verdict,
        label=Label.WEAKLY_SUPPORTED if weak else verdict.label,
        ceiling=Label.WEAKLY_SUPPORTED if weak else verdict.ceiling,
        confidence=min(verdict.confidence, round(1 - verdict.confidence, 4)) if weak else verdict.confidence,
        justification=f"Two documents disagree: {says} says so, {denies} says otherwise.",
        conflict=conflict,
    )


def _strength(look: Look) -> float:
    """How clear the window that decides is, from 0 to 1."""
    return look.deciding.contradicted if look.denied else look.deciding.supported


def _rival(look: Look) -> Look | None:
    """The window of another document that is most like the one that decides, to be read for the opposite; None where
    none is ALIKE, or what decides is not CLEAR."""
    if _strength(look) < CLEAR:
        return None
    sources = [passage.source for passage in look.item.evidence]
    own = sources[look.pieces[look.deciding.window.first].passage]
    others = [piece for piece in look.pieces if sources[piece.passage] != own]
    terms = frozenset(key_terms(look.deciding.window.text))

    def alike(window: Window) -> float:
        found = frozenset(key_terms(window.text))
        return len(terms & found) / (min(len(terms), len(found)) or 1)

    best = max(best_windows(look.claim, look.context, others, RIVALS), key=alike, default=None)
    if best is None or alike(best) < ALIKE:
        return None
    own_names, other_names = (
        _names(sources[piece.passage], *piece.path)
        for piece in (look.pieces[look.deciding.window.first], others[best.first])
    )
    if _names(look.claim, look.context) & (own_names - other_names):
        return None  # question or claim name this document's version or region, and not the other's
    return Look(look.item, look.claim, look.context, others, [best], denied=not look.denied)


def _names(*texts: str) -> frozenset[str]:
    """The words and numbers of texts and paths: `v2/limits.md` has the 2 of `version 2`."""
    return frozenset(_NAME.findall(" ".join(texts).lower())) - STOPWORDS


def _ceiling(look: Look) -> Label:
    """An amount that the documents give otherwise is not outweighed by words. What is merely missing may follow from
    others, or be written otherwise: it is a feature of the line."""
    return Label.UNSUPPORTED if look.refuted else Label.SUPPORTED


def _behind(claim: Claim) -> str:
    """The context with what the user said before behind the question, which stands first."""
    question, *others = claim.context.split("\n")
    return "\n".join([question, claim.earlier, *others])


def _parts(claim: str, reader: Scorer) -> list[str]:
    """A claim that the reader sees whole, or pieces of it that it does, cut behind a mark or else at a blank."""
    words, parts = claim.split(" "), []
    while words:
        size = len(words)
        while size > 1 and not reader.fits(" ".join(words[:size])):
            size = max(1, size * 3 // 4)
        if size < len(words):
            marks = [n for n in range(size // 2, size) if words[n][-1:] in ",;:.!?"]
            size = marks[-1] + 1 if marks else size
        parts.append(" ".join(words[:size]))
        words = words[size:]
    return parts


def _unfit(item: Item) -> str:
    """Why the judge cannot read an item; empty where it can."""
    size = len(item.claim.text)
    if size > LONGEST:
        return f"the claim has {size} characters, more than {LONGEST}"
    if not any(c.isalnum() for c in item.claim.text):
        return "the claim has no words"
    # The claim is looked at with its answer, as a few words of a claim tell little.
    if is_foreign(item.claim.text) and (not item.answer or is_foreign(item.answer)):
        return f"the answer is not in English, {OTHERS}"
    texts = [passage.text for passage in item.evidence[:3]]
    if texts and all(is_foreign(text) for text in texts):
        return f"the documents are not in English, {OTHERS}"
    return ""


def _item(statement: Statement) -> Item:
    evidence = tuple(Evidence("", number, text, 1.0) for number, text in enumerate(statement.texts, 1))
    end = len(statement.claim)
    claim = Claim("", "", "", statement.claim, 0, end, context=statement.context, header=statement.header)
    return Item(claim, evidence)
