"""What GitHub shows of a verdict: the comment and the step summary in Markdown, the annotations as workflow commands.

In order of weight: the decision, the difference to the base, the worst claims.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar
from urllib.parse import unquote

from gate.reports import words
from gate.reports.document import ClaimEntry, Comparison, EvidenceEntry, RatingEntry, VerdictDocument
from gate.reports.findings import ACCEPTING, FindingText, asked_in, by_id, finding, grouped, notes, slices, unmet
from gate.reports.measures import MeasureView, changes_of, measures_of, models_line, shown
from gate.reports.safe import cut, line, link_to, path_of, place
from gate.reports.words import NO_VIEW, Standing, View, own_prompts, partial_lines, standing

T = TypeVar("T")
_SPECIAL = re.compile(r"[&*<\[\\\]`|~$]|(?<![^\W_])_|_(?![^\W_])|^[-+>#=]|(?<=^\d)[.)]|(?<=^\d\d)[.)]|(?<=^\d\d\d)[.)]")
_CALLS = re.compile(r"[@#:](?=[\w/+-])|\b[Ww]{3}(?=\.)|\b[Gg][Hh](?=-\d)")
MARKER = "<!-- llm-reliability-gate -->"  # by which a comment is found again and updated in place
COMMENT_LIMIT = 65_400  # characters: GitHub takes 65,536, and the action adds the gate's name
SUMMARY_LIMIT = 1024 * 1024  # bytes
WORST, LISTED = 10, 10
WORST_RATINGS = 3  # of each measure that stands in the way
PER_KIND = 10  # GitHub shows no more of one kind for a step
ANNOTATED_MEASURES = 4  # of these, so that claims with their lines have room
ANNOTATED_CHECKS = 4  # prompts that do not hold, for the same reason
LEVELS = {"block": "error", "inconclusive": "error", "warn": "warning", "deploy": "notice"}
_WEAK = {"error": "warning", "warning": "warning", "notice": "notice"}
SIGNS = {"deploy": "✅", "warn": "⚠️", "block": "⛔", "inconclusive": "❔"}


def code(text: str, limit: int = 400) -> str:
    """Any text as one code span, outside tables: no Markdown, HTML, link or mention in it means anything."""
    flat = line(text, limit)
    if not flat:
        return "–"
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def prose(text: str, limit: int = 400) -> str:
    """Any text as running words: punctuation as entities, and mentions, references and addresses broken by a joiner
    that is not seen, as GitHub looks for those after the entities are resolved."""
    broken = _CALLS.sub(lambda match: match[0] + "\u2060", line(text, limit))
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", broken)


def comment(document: VerdictDocument, view: View = NO_VIEW, limit: int = COMMENT_LIMIT) -> str:
    """The comment: at most 65,400 characters, cut between sections with a word about it."""
    return fit(list(_blocks(document, view)), limit)


def summary(document: VerdictDocument, view: View = NO_VIEW) -> str:
    """The step summary: the same, within 1 MiB."""
    return comment(document, view, SUMMARY_LIMIT)


def fit(blocks: list[str], limit: int) -> str:
    """As many whole blocks as fit into `limit` UTF-8 bytes (so characters, too), and a word about those left out."""
    note = "\n*Cut here: the rest did not fit. The JSON and HTML reports have everything.*\n"
    text = "\n".join(blocks)
    if len(text.encode()) <= limit:
        return text
    room, kept = limit - len(note.encode()), []
    for block in blocks:
        room -= len(block.encode()) + 1
        if room < 0:
            break
        kept.append(block)
    return "\n".join(kept) + note


def _blocks(document: VerdictDocument, view: View) -> Iterator[str]:
    yield from _head(document)
    yield from _comparison(document, view)
    yield from _cases(document)
    yield from _claims(document, view)
    yield from _waived(document)
    yield from _unjudged(document)
    yield from _measures(document)
    yield from _failures(document)
    yield from _foot(document)


def _head(document: VerdictDocument) -> Iterator[str]:
    decision, limits = document["decision"], document["thresholds"]
    use_case = f" · {prose(document['use_case'], 200)}" if document.get("use_case") else ""
    yield f"{MARKER}\n## {SIGNS[decision]} {decision.upper()}: {words.HEADLINES[decision]}{use_case}\n"
    yield f"**{words.headline(document)}.**\n"
    yield (
        f"**Risk {words.number(document['score'])}** (95 % interval {words.interval(document['interval'])}; "
        f"deploy ≤ {limits['deploy_threshold']:g}, warn ≤ {limits['warn_threshold']:g})\n"
    )
    yield "".join(f"- {prose(reason)}\n" for reason in document["reasons"])
    yield from (f"**{prose(sentence)}**\n" for sentence in partial_lines(document))
    if corrected := words.corrected_line(document):
        yield f"{prose(corrected)}\n"
    yield f"{prose(words.ledger_line(document))}, over {words.count(own_prompts(document), 'prompt')}.\n"
    yield "".join(f"- note: {prose(note)}\n" for note in notes(document))


def _comparison(document: VerdictDocument, view: View) -> Iterator[str]:
    comparison = document.get("comparison")
    if comparison:
        yield f"### Against the base: {comparison['word']}\n"
        yield (
            f"Risk {words.number(comparison['base_score'])} → {words.number(document['score'])}; "
            f"of a prompt on average **{words.signed(comparison['difference'])}** "
            f"(95 % interval {words.interval_signed(comparison['interval'])}); "
            f"{words.changes_line(comparison)}.\n"
        )
        yield "".join(f"- {prose(note)}\n" for note in comparison["notes"])
        yield from _measure_changes(comparison)
        fixed = comparison["fixed"]
        yield from _listed("Fixed:", fixed, lambda one: f"{code(one['claim'])} ({code(one['prompt_id'], 60)})")
    elif view.baseline:
        base = view.baseline
        yield "### Against the base\n"
        yield f"The base was **{base['decision']}** with risk {words.number(base['score'])}.\n"


def _listed(title: str, items: Sequence[T], show: Callable[[T], str]) -> Iterator[str]:
    """A list under its title; none of nothing."""
    if items:
        yield f"{title}\n\n" + "".join(f"- {row}\n" for row in words.shortened(items, LISTED, show))


def _cases(document: VerdictDocument) -> Iterator[str]:
    """The prompts that do not hold, and a table of the tags."""
    failing = unmet(document)
    title = f"### Prompts that do not hold ({len(failing):,})"
    yield from _listed(title, failing, lambda each: f"{code(each.prompt['id'], 60)}: {prose(each.why)}")
    if found := slices(document):
        rows = [f"| {prose(t.tag, 60)} | {t.prompts:,} | {words.number(t.risk)} | {t.failed:,} |\n" for t in found]
        head = "| tag | prompts | risk | do not hold |\n|---|---:|---:|---:|\n"
        more = f"\nand {len(found) - LISTED:,} more\n" if len(found) > LISTED else ""
        yield f"### By tag\n\n{head}{''.join(rows[:LISTED])}{more}"


def _claims(document: VerdictDocument, view: View) -> Iterator[str]:
    found = standing(document)
    if not found:
        return
    total, shown = (sum(each.times for each in part) for part in (found, found[:WORST]))
    part = f"the worst {shown:,} of" if total > shown else "all"
    yield f"### Claims that the documents do not support ({part} {total:,})\n"
    prompts = by_id(document)
    for number, each in enumerate(found[:WORST], 1):
        yield _claim(number, each, finding(each.claim, prompts.get(each.claim["prompt_id"])), view)
    yield f"{ACCEPTING}\n"


def _claim(number: int, each: Standing, told: FindingText, view: View) -> str:
    claim = each.claim
    title = (
        f"**{words.LABEL_WORDS[words.kind(claim)]}**",
        "**new**" if each.new else "",
        code(claim["prompt_id"], 60),
        words.confidence_text(claim),
        each.again,
        *(prose(name, 80) for name in told.names),
    )
    answer = filter(None, (prose(told.before, 300), code(told.said), prose(told.after, 300)))
    rows = [f"{number}. {' · '.join(filter(None, title))}"]
    rows += [f"   Question: {prose(told.question, 200)}"] if told.question else []
    rows += [f"   Answer: {' '.join(answer)}"]
    rows += [f"   Why: {prose(told.why, 300)}"] if told.why else []
    if told.best:
        rows.append(f"   {'Nearest passage' if told.nearest else 'Documents'}: {_quoted(told, told.best, view)}")
    rows += [f"   To do: {prose(told.todo, 300)} {code(told.accept) if told.accept else ''}"]
    return "  \n".join(row.rstrip() for row in rows) + "\n"


def _quoted(told: FindingText, best: EvidenceEntry, view: View) -> str:
    """The place of a quote, as a link where it has an address, and its words, those marked that decide."""
    name = code(place(best["source"], best["line"]), 200)
    address = link_to(view.blob_url, best["source"], best["line"])
    return f"{f'[{name}]({address})' if address else name} {code(told.quoted, 500)}"


def _waived(document: VerdictDocument) -> Iterator[str]:
    claims = words.waived_claims(document)
    title = f"### Waived ({len(claims):,})"
    yield from _listed(title, claims, lambda one: f"{code(one['claim'])} ({prose(words.waived_line(one), 300)})")


def _unjudged(document: VerdictDocument) -> Iterator[str]:
    claims, prompts = words.worst(document, ("unjudged",)), by_id(document)

    def row(claim: ClaimEntry) -> str:
        told = finding(claim, prompts.get(claim["prompt_id"]))
        return f"{prose(told.question, 200)} {code(told.said)}: {prose(told.why, 200)}".lstrip()

    yield from _listed(f"### Not judged ({len(claims):,})", claims, row)


def _failures(document: VerdictDocument) -> Iterator[str]:
    failures = document["failures"]
    yield from _listed(f"### Failures ({len(failures):,})", grouped(failures), lambda row: prose(row, 400))


def _foot(document: VerdictDocument) -> Iterator[str]:
    times = document["timings"]
    spent = f"{words.seconds(sum(times.values()))} · " if times else ""
    judge = prose(words.judge_line(document["judge"]), 200)
    yield f"---\n{spent}{prose(words.usage_line(document['usage']))} · judge {judge}\n"


def _measures(document: VerdictDocument) -> Iterator[str]:
    """The table of all measures with what the others come to and left out, then one block for each that is not met."""
    found = measures_of(document)
    if found:
        head = "| measure | value | 95 % interval | n | asked for | |\n|---|---:|---|---:|---:|---|\n"
        yield f"### Measures\n\n{head}{''.join(map(_row, found))}"
        if rows := [
            f"- {prose(measure.title, 60)}: {row}\n" for measure in found if not measure.bad for row in _below(measure)
        ]:
            yield "".join(rows)
    yield from (_why(measure) for measure in found if measure.bad)


def _row(measure: MeasureView) -> str:
    word = f"{measure.sign} {measure.word}" if measure.state else "–"
    return (
        f"| {prose(measure.title, 60)} | {measure.value} | {measure.interval} | {measure.entry['n']:,} "
        f"| {measure.asked or '–'} | {f'**{word}**' if measure.bad else word} |\n"
    )


def _why(measure: MeasureView) -> str:
    rows = [f"- {row}\n" for row in _below(measure)]
    rows += [_rating(measure, rating) for rating in measure.faults(WORST_RATINGS)]
    return f"**{prose(measure.title, 60)}: {measure.word}**\n\n{''.join(rows)}"


def _below(measure: MeasureView) -> list[str]:
    return [prose(row, 400) for row in (measure.beside(), *measure.left_out()) if row]


def _rating(measure: MeasureView, rating: RatingEntry) -> str:
    why = prose(measure.because(rating, 300))
    return f"- {code(rating['prompt_id'], 60)} {shown(measure.name, rating['value'])}{f': {why}' if why else ''}\n"


def _measure_changes(comparison: Comparison) -> Iterator[str]:
    """The table of the measures that both runs have."""
    if models := models_line(comparison):
        yield f"{prose(models, 300)}\n"
    found = changes_of(comparison)
    if found:
        rows = "".join(
            f"| {prose(each.title, 60)} | {each.base} | {each.head} | {each.difference} | {each.interval} "
            f"| {each.p_value} | {each.prompts:,} | {f'**{each.word}**' if each.changed else each.word} |\n"
            for each in found
        )
        head = "| measure | base | this run | difference of a prompt | 95 % interval | p | prompts | |\n"
        yield f"{head}|---|---:|---:|---:|---|---:|---:|---|\n{rows}"


def workflow_commands(document: VerdictDocument, view: View = NO_VIEW) -> str:
    """One command a line: the decision, the measures that are not met, then the worst claims; errors where it blocks,
    warnings where it warns."""
    text, used = "", Counter[str]()
    for level, row in _annotations(document, view.folder):
        used[level] += 1
        text += f"{row}\n" if used[level] <= PER_KIND else ""
    return text


def _annotations(document: VerdictDocument, folder: str) -> Iterator[tuple[str, str]]:
    decision = document["decision"]
    level = LEVELS[decision]
    risk = f"risk {words.number(document['score'])} ({words.interval(document['interval'])}, 95 % interval)"
    beside = [f"note: {note}" for note in notes(document)]
    rows = [words.headline(document), risk, words.corrected_line(document), *document["reasons"]]
    message = "\n".join([*filter(None, rows), words.ledger_line(document), *beside])
    yield level, command(level, message, {"title": f"{words.TITLE}: {decision}"})
    yield from _check_annotations(document, folder)
    yield from _measure_annotations(document)
    claims = "warning" if decision == "inconclusive" else level
    prompts = by_id(document)
    for each in standing(document):
        of_claim = claims if each.claim["label"] == "unsupported" else _WEAK[claims]
        told = finding(each.claim, prompts.get(each.claim["prompt_id"]))
        yield of_claim, _claim_annotation(of_claim, each, told, folder)


def _check_annotations(document: VerdictDocument, folder: str) -> Iterator[tuple[str, str]]:
    """One for each prompt that does not hold, at its line of the dataset."""
    levels = {"block": "error", "warn": "warning"}
    for each in unmet(document)[:ANNOTATED_CHECKS]:
        level = levels.get(document["thresholds"].get(each.kind, ""), "notice")
        text, spot = f"{line(each.prompt['id'], 60)}: {line(each.why, 800)}", asked_in(each.prompt) or ("", 0)
        yield level, command(level, text, {**_where(*spot, folder), "title": each.title})


def _measure_annotations(document: VerdictDocument) -> Iterator[tuple[str, str]]:
    """One for each measure that stands in the way; few enough to leave room for claims."""
    for measure in [measure for measure in measures_of(document) if measure.bad][:ANNOTATED_MEASURES]:
        level = "warning" if measure.state == "unsure" else "error"
        rows = [measure.sentence(), *measure.left_out(), *(measure.rating_line(rating) for rating in measure.faults(1))]
        yield level, command(level, "\n".join(rows), {"title": f"{measure.title}: {measure.word}"})


def _claim_annotation(level: str, each: Standing, told: FindingText, folder: str) -> str:
    claim = each.claim
    again = f" ({each.again})" if each.again else ""
    rows = [
        f"question {line(claim['prompt_id'], 60)}{again}: {line(told.question, 200)}",
        f"answer: {line(told.answer, 800)}",
        line(told.why, 300),
    ]
    properties = {"title": words.LABEL_WORDS[words.kind(claim)].capitalize()}
    if best := told.best:
        rows.append(f"{told.where}: {line(told.quoted, 500)}")
        properties = {**_where(best["source"], best["line"], folder), **properties}
    rows.append(f"to do: {line(told.todo, 300)} {told.accept}")
    return command(level, "\n".join(filter(None, rows)), properties)


def _where(source: str, number: int, folder: str) -> dict[str, str]:
    """The place as properties; a file outside the repository, or a page, has no line that GitHub could show."""
    path = path_of(source, folder)
    lined = number > 0 and not source.lower().endswith(".pdf")
    return {} if path is None else {"file": unquote(path), **({"line": str(number)} if lined else {})}


def command(name: str, message: str, properties: Mapping[str, str]) -> str:
    """A workflow command on one line; percent, line ends and, in properties, colon and comma are encoded."""
    inside = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    body = "\n".join(line(row) for row in message.split("\n"))
    return f"::{name} {inside}::{_data(cut(body, 4000))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(line(text, 250)).replace(":", "%3A").replace(",", "%2C")
