"""What all reports say of a run in the same words: numbers, labels, the order of claims, sums over claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gate.records import fingerprint
from gate.reports.document import (
    LABELS,
    ClaimEntry,
    Comparison,
    JudgeEntry,
    MessageEntry,
    PromptEntry,
    ToolCallEntry,
    UsageEntry,
    VerdictDocument,
)
from gate.reports.safe import line
from gate.text import sentences, words

T = TypeVar("T")
TITLE = "LLM reliability gate"
HEADLINES = {
    "deploy": "may ship",
    "warn": "may ship, but look at it first",
    "block": "must not ship",
    "inconclusive": "cannot be decided",
}
LABEL_WORDS = {
    "unsupported": "not in the documents",
    "weakly_supported": "doubtful",
    "unjudged": "not judged",
    "supported": "supported",
    "contradicted": "contradicted",
}
LABEL_SIGNS = {"contradicted": "✗", "unsupported": "✗", "weakly_supported": "~", "unjudged": "?", "supported": "✓"}
_SEVERITY = {label: rank for rank, label in enumerate(("contradicted", *LABELS))}
NOT_SUPPORTED = ("unsupported", "weakly_supported")
BEHIND = "›"  # a piece of a context
AROUND = 160  # characters of an answer on each side of a claim
FEWEST = 4  # content words from which on a claim is known by itself


@dataclass(frozen=True, slots=True)
class View:
    """What a report may use beside its document: the base's document, the address that lines are linked below, where
    the run was made, and in which folder of the repository, percent-encoded (empty: its root)."""

    baseline: VerdictDocument | None = None
    blob_url: str = ""
    branch: str = ""
    commit: str = ""
    run_url: str = ""
    folder: str = ""


NO_VIEW = View()


def headline(document: VerdictDocument) -> str:
    """The run in one sentence that counts answers: `1 of 12 answers says what the documents deny`. An answer is called
    supported where each of its claims is."""
    own = [prompt for prompt in document["prompts"] if "probe" not in prompt]
    asked = [prompt for prompt in own if prompt.get("missing", 0) < document.get("repeats", 1)]
    if not asked:
        return "No question got an answer" if own else "Nothing was asked"
    groups = by_prompt(document)
    recorded = recorded_line(document)
    beside = f" ({recorded})" if recorded else ""
    for wanted, verb in (
        ("contradicted", "what the documents deny"),
        ("unsupported", "what is not in the documents"),
        ("weakly_supported", "what is doubtful"),
    ):
        found = sum(
            any(kind(claim) == wanted and not claim.get("waived") for claim in groups.get(prompt["id"], ()))
            for prompt in asked
        )
        if found:
            of = f"{found:,} of {count(len(asked), 'answer')}"
            return f"{of} {'says' if found == 1 else 'say'} {verb}{beside}"
    good = sum({claim["label"] for claim in groups.get(prompt["id"], ())} == {"supported"} for prompt in asked)
    verb = "is" if 1 in (good, len(asked)) else "are"
    silent, waived, unjudged = len(own) - len(asked), document.get("waived", 0), document["unjudged"]
    notes = [
        f"{count(silent, 'question')} got no answer" if silent else "",
        f"{count(unjudged, 'claim')} {'was' if unjudged == 1 else 'were'} not judged" if unjudged else "",
        f"{count(waived, 'claim')} {'is' if waived == 1 else 'are'} waived" if waived else "",
    ]
    told = ", ".join([f"{count(len(asked), 'answer')} {verb} supported by the documents", *filter(None, notes)])
    return f"{good:,} of {told}{beside}"


def number(value: float | None, digits: int = 3) -> str:
    """A plain number, without decimals from a hundred on; a dash for what is not known."""
    if value is None:
        return "–"
    return f"{value:.{digits}f}" if abs(value) < 100 else f"{value:,.0f}"


def interval(pair: Sequence[float] | None, digits: int = 3) -> str:
    """`0.102 to 0.310`, or a dash."""
    return "–" if not pair else f"{number(pair[0], digits)} to {number(pair[1], digits)}"


def signed(value: float | None) -> str:
    """A difference with its sign."""
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def count(amount: int, word: str) -> str:
    """`1 claim`, `2 claims`, `1,200 claims`."""
    return f"{amount:,} {word}{'' if amount == 1 else 's'}"


def shortened(items: Sequence[T], limit: int, show: Callable[[T], str]) -> list[str]:
    """The first `limit` items as `show` has them, and a row that counts the others."""
    rest = len(items) - limit
    return [*map(show, items[:limit]), *([f"and {rest:,} more"] if rest > 0 else [])]


def money(value: float | None) -> str:
    """US dollars; a cost below a cent keeps four decimals."""
    if value is None:
        return "cost not known"
    return f"${value:.4f}" if 0 < value < 0.01 else f"${value:,.2f}"


def seconds(value: float) -> str:
    """`80 ms`, `1.3 s`, `4 min 5 s`."""
    if value < 1:
        return f"{value * 1000:.0f} ms"
    return f"{value:.1f} s" if value < 60 else f"{int(value) // 60} min {int(value) % 60} s"


def kind(claim: ClaimEntry) -> str:
    """The label, or `contradicted` where the documents say otherwise."""
    return "contradicted" if claim["label"] == "unsupported" and claim["contradicted"] else claim["label"]


def new_claims(document: VerdictDocument) -> set[tuple[str, str]]:
    """(prompt id, claim) of the claims that the comparison calls new."""
    comparison = document.get("comparison")
    return {(change["prompt_id"], change["claim"]) for change in comparison["new"]} if comparison else set()


def confidence_text(claim: ClaimEntry) -> str:
    """`90 % sure`; empty where the judge is not (a weak label says so) or, as a model does, states no probability."""
    decided = claim["label"] in ("supported", "unsupported")
    return f"{100 * claim['confidence']:.0f} % sure" if claim["confidence"] and decided else ""


def why(claim: ClaimEntry) -> str:
    """The justification without the label, which stands above it, or the reason for none."""
    text = claim["justification"] or claim.get("reason", "")
    bare = text.removeprefix(f"{LABEL_WORDS[kind(claim)].capitalize()}: ")
    return bare[:1].upper() + bare[1:] if bare != text else text


def worst(document: VerdictDocument, labels: Iterable[str] = NOT_SUPPORTED) -> list[ClaimEntry]:
    """The claims with these labels: new ones first, then by severity (contradicted before all), the surest first."""
    new, wanted = new_claims(document), set(labels)
    chosen = [claim for claim in document["details"] if claim["label"] in wanted and not claim.get("waived")]
    return sorted(chosen, key=lambda c: ((c["prompt_id"], c["claim"]) not in new, _SEVERITY[kind(c)], -c["confidence"]))


def by_prompt(document: VerdictDocument) -> dict[str, list[ClaimEntry]]:
    """Prompt id -> its claims, in order."""
    groups: dict[str, list[ClaimEntry]] = {prompt["id"]: [] for prompt in document["prompts"]}
    for claim in document["details"]:
        groups.setdefault(claim["prompt_id"], []).append(claim)
    return groups


def ledger_line(document: VerdictDocument) -> str:
    """`5 claims = 1 supported + 1 doubtful + 1 not in the documents + 1 contradicted + 1 not judged; 1 is waived`."""
    kinds = Counter(kind(claim) for claim in document["details"])
    order = ("supported", "weakly_supported", "unsupported", "contradicted", "unjudged")
    waived = document.get("waived", 0)
    told = f"; {waived:,} {'is' if waived == 1 else 'are'} waived" if waived else ""
    parts = " + ".join(f"{kinds[name]:,} {LABEL_WORDS[name]}" for name in order)
    return f"{count(document['total_claims'], 'claim')} = {parts}{told}"


def waived_claims(document: VerdictDocument) -> list[ClaimEntry]:
    """The claims that a person accepted, in order."""
    return [claim for claim in document["details"] if claim.get("waived")]


def fingerprint_of(claim: ClaimEntry, question: str) -> str:
    """A stored claim's fingerprint, made anew: a verdict of an earlier version has none."""
    return fingerprint(question, claim["claim"], claim.get("earlier", ""))


def waived_line(claim: ClaimEntry) -> str:
    """`contradicted; accepted until 2027-01-31 by ann@example.org: agreed with legal`."""
    label, waiver = LABEL_WORDS[kind(claim)], claim.get("waiver")
    return f"{label}; accepted until {waiver['until']} by {waiver['who']}: {waiver['reason']}" if waiver else label


def remedy(claim: ClaimEntry) -> str:
    """How a finding is accepted: the command, with the claim's fingerprint; empty for one that cannot be."""
    mark = claim.get("fingerprint", "")
    known = claim["label"] in NOT_SUPPORTED and re.fullmatch("[0-9a-f]{16}", mark)
    return f'gate waive verdict.json {mark} --reason "..." --until 30d' if known else ""


def corrected_line(document: VerdictDocument) -> str:
    """The true risk with its bounds, and whose the uncertainty is; empty without `decide_on: corrected`."""
    found = document.get("corrected")
    if not found:
        return ""
    ends = f"{number(found['low'])} to {number(found['high'])} (each end with 95 %)"
    whose = f"{100 * found['judge_part']:.0f} % of the uncertainty is the judge's, the rest the sample's"
    return f"true risk {number(found['share'])}, {ends}; {whose}"


def recorded_line(document: VerdictDocument) -> str:
    """`12 recorded answers, the oldest 3 days old`; empty where the application was asked for all."""
    found = document.get("recorded")
    if not found:
        return ""
    minutes = found["oldest_seconds"] / 60
    age = next(
        (
            count(round(minutes / size), unit)
            for size, unit in ((1440, "day"), (60, "hour"), (1, "minute"))
            if minutes >= size
        ),
        "less than a minute",
    )
    return f"{count(found['answers'], 'recorded answer')}, the oldest {age} old"


def within(prompt: PromptEntry, claim: ClaimEntry) -> tuple[str, str, str] | None:
    """(before, claim, after): the sentence that the claim stands in with one before and one after, each side cut at a
    blank to AROUND characters. None where the answer does not have the claim at its place."""
    own = prompt.get("answer_id") or prompt["id"]
    texts = {own: prompt["answer"]} | {again["id"]: again["answer"] for again in prompt.get("answers", ())}
    text = texts.get(claim.get("answer_id", own), "")
    start, end = claim.get("start", 0), claim.get("end", 0)
    if not 0 <= start < end <= len(text) or text[start:end].split() != claim["claim"].split():
        return None
    low, high = max(0, start - 2 * AROUND), min(len(text), end + 2 * AROUND)
    spans = [(low + left, low + right) for left, right in sentences(text[low:high])]
    held = [at for at, (left, right) in enumerate(spans) if left < end and right > start] or [0]
    near = spans[max(0, held[0] - 1) : held[-1] + 2]
    first = min([start, *(left for left, _ in near)])
    last = max([end, *(right for _, right in near)])
    before, after = text[max(first, start - AROUND) : start], text[end : min(last, end + AROUND)]
    before = before if first >= start - AROUND else before.partition(" ")[2]
    after = after if last <= end + AROUND else after.rpartition(" ")[0]
    more = text[: start - len(before)].strip(), text[end + len(after) :].strip()
    return f"… {before}" if more[0] else before, text[start:end], f"{after} …" if more[1] else after


def usage_line(usage: UsageEntry) -> str:
    """Calls, tokens and cost."""
    about = "about " if usage.get("estimated") else ""
    return (
        f"{count(usage['calls'], 'call')} ({usage['cached_calls']:,} from the record), "
        f"{about}{usage['input_tokens']:,} tokens in and {usage['output_tokens']:,} out, {money(usage['cost_usd'])}"
    )


def judge_line(judge: JudgeEntry) -> str:
    """Who judged, how well it is known to, and how much of what it said could not be read."""
    who = " / ".join(part for part in (judge["provider"], judge["model"], judge["prompt_version"]) if part)
    accuracy = (judge.get("calibration") or {}).get("balanced_accuracy")
    known = isinstance(accuracy, dict) and isinstance(accuracy.get("value"), (int, float))
    band = f" ({interval(accuracy['interval'], 2)})" if known and accuracy and accuracy.get("interval") else ""
    quality = f"balanced accuracy {accuracy['value']:.2f}{band}" if known and accuracy else "not calibrated"
    lost = judge.get("details", {}).get("share_unparsed", 0.0)
    unread = (
        f", {100 * lost:.0f} % of its replies could not be read whole" if isinstance(lost, float) and lost > 0 else ""
    )
    return f"{who}, {quality}{unread}"


def model_name(document: VerdictDocument) -> str:
    """The model under test; empty where it is not known."""
    return " / ".join(value for value in document.get("model", {}).values() if value)


def difference_line(comparison: Comparison) -> str:
    """The difference to the base in one sentence."""
    return (
        f"the risk of a prompt changed by {signed(comparison['difference'])} on average "
        f"(95 % interval {interval_signed(comparison['interval'])}); the base's risk was "
        f"{number(comparison['base_score'])}; {changes_line(comparison)}"
    )


def changes_line(comparison: Comparison) -> str:
    """`2 new claims not supported, 1 fixed, 0 no longer said, 31 unchanged`."""
    return (
        f"{count(len(comparison['new']), 'new claim')} not supported, {len(comparison['fixed']):,} fixed, "
        f"{len(comparison.get('gone', [])):,} no longer said, {comparison['unchanged']:,} unchanged"
    )


def interval_signed(pair: Sequence[float] | None) -> str:
    """An interval of a difference, both ends signed."""
    return "–" if not pair else f"{signed(pair[0])} to {signed(pair[1])}"


def partial_lines(document: VerdictDocument) -> Iterator[str]:
    """A sentence for each thing that makes it the verdict of a part; none for that of a whole run."""
    if document.get("partial"):
        yield "This verdict is partial: not every prompt was asked or judged."
    if shard := document.get("shard"):
        yield f"This is shard {line(shard, 20)} of a run: gate merge joins all of them into its verdict."
    if limit := document.get("limit"):
        yield f"At most the first {count(limit, 'prompt')} {'was' if limit == 1 else 'were'} asked (--limit)."


@dataclass(frozen=True, slots=True)
class Family:
    """A prompt of the run and its probes, in their order. `stray`: a probe whose prompt is not in the document."""

    prompt: PromptEntry
    probes: Sequence[PromptEntry] = ()
    stray: bool = False


def families(document: VerdictDocument) -> list[Family]:
    """Every prompt with its probes, and behind them the probes that stray; each entry stands in exactly one family."""
    own = [prompt for prompt in document["prompts"] if not prompt.get("probe")]
    probes: dict[str, list[PromptEntry]] = {prompt["id"]: [] for prompt in own}
    strays: list[PromptEntry] = []
    for prompt in document["prompts"]:
        if prompt.get("probe"):
            probes.get(prompt.get("of", ""), strays).append(prompt)
    return [Family(prompt, probes[prompt["id"]]) for prompt in own] + [Family(p, stray=True) for p in strays]


def own_prompts(document: VerdictDocument) -> int:
    """How many prompts the run asked for itself."""
    return sum(not prompt.get("probe") for prompt in document["prompts"])


@dataclass(frozen=True, slots=True)
class Standing:
    """A claim that stands for all with its text and label; `new`: the comparison with the base calls it so."""

    claim: ClaimEntry
    new: bool
    times: int

    @property
    def again(self) -> str:
        """`and 3 more times`; empty for a claim that is made once."""
        if self.times < 3:
            return "and once more" if self.times == 2 else ""
        return f"and {self.times - 1:,} more times"


def standing(document: VerdictDocument, labels: Iterable[str] = NOT_SUPPORTED) -> list[Standing]:
    """The worst claims (see `worst`), each text once: one that many answers make would hide all others. One that is
    new against the base does not stand for one that is not."""
    new = new_claims(document)
    found: dict[tuple[str, str, bool], list[ClaimEntry]] = {}
    for claim in worst(document, labels):
        key = (claim_key(claim), kind(claim), (claim["prompt_id"], claim["claim"]) in new)
        found.setdefault(key, []).append(claim)
    return [Standing(claims[0], fresh, len(claims)) for (_, _, fresh), claims in found.items()]


def way_of(prompt: PromptEntry) -> tuple[list[MessageEntry], list[MessageEntry]]:
    """The turns before the question, and those between it and the answer."""
    turns = prompt.get("messages", [])
    last = max((n for n, turn in enumerate(turns) if turn["role"] == "user" and turn["content"].strip()), default=-1)
    return turns[: max(0, last)], turns[last + 1 :]


def calls_of(prompt: PromptEntry) -> list[ToolCallEntry]:
    """The calls of tools between a question and its answer, and those that the answer makes itself."""
    called = [call for turn in way_of(prompt)[1] for call in turn.get("tool_calls", ())]
    return [*called, *prompt.get("tool_calls", ())]


def context_line(claim: ClaimEntry, *, asked: bool = True) -> str:
    """The context of a claim in one line, to be shown in front of it; without the question unless `asked`."""
    rows = claim.get("context", "").split("\n")
    return "".join(f"{row} {BEHIND} " for row in (rows if asked else rows[1:]) if row)


def claim_key(claim: ClaimEntry) -> str:
    """What a claim is known by across runs: its text; one of few words (`No.`) says something else to each question.

    The units before it do not count: who rewords one changes no claim but that.
    """
    short = len(words(claim["claim"])) < FEWEST
    asked = f"{claim.get('context', '').partition(chr(10))[0]}\n{claim.get('earlier', '')}".rstrip("\n")
    return f"{claim['claim']}\n{asked}" if short else claim["claim"]
