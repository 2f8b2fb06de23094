"""The step summary and the comment on a pull request: the decision, the difference to the base, the worst claims."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.reports import words
from gate.reports.document import ChangedClaim, ClaimEntry, Comparison, RatingEntry, VerdictDocument
from gate.reports.measures import STATE_SIGNS, MeasureView, changes_of, measures_of, models_line, shown
from gate.reports.safe import line, link_to, place
from gate.reports.words import View, context_line, merge_repeats, own_prompts, partial_lines, repeats_text

_SPECIAL = re.compile(r"[&*<\[\\\]`|~$]|(?<![^\W_])_|_(?![^\W_])|^[-+>#=]|(?<=^\d)[.)]|(?<=^\d\d)[.)]|(?<=^\d\d\d)[.)]")
_CALLS = re.compile(r"[@#:](?=[\w/+-])|\b[Ww]{3}(?=\.)|\b[Gg][Hh](?=-\d)")
MARKER = "<!-- llm-reliability-gate -->"  # by which a comment is found again and updated in place
COMMENT_LIMIT = 65_536  # characters
SUMMARY_LIMIT = 1024 * 1024  # bytes
WORST, LISTED = 10, 10
WORST_RATINGS = 3  # of each measure that stands in the way
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


def render(document: VerdictDocument, view: View | None = None) -> str:
    """The comment: at most 65,536 characters, cut between sections with a word about it."""
    return fit(list(_blocks(document, view or View())), COMMENT_LIMIT)


def summary(document: VerdictDocument, view: View | None = None) -> str:
    """The step summary: the same, within 1 MiB."""
    return fit(list(_blocks(document, view or View())), SUMMARY_LIMIT)


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
    yield from _claims(document, view)
    yield from _unjudged(document)
    yield from _measures(document)
    yield from _failures(document)
    yield from _foot(document)


def _head(document: VerdictDocument) -> Iterator[str]:
    decision, limits = document["decision"], document["thresholds"]
    use_case = f" · {prose(document['use_case'], 200)}" if document.get("use_case") else ""
    yield f"{MARKER}\n## {SIGNS[decision]} {decision.upper()}: {words.HEADLINES[decision]}{use_case}\n"
    yield (
        f"**Risk {words.number(document['score'])}** (95 % interval {words.interval(document['interval'])}; "
        f"deploy ≤ {limits['deploy_threshold']:g}, warn ≤ {limits['warn_threshold']:g})\n"
    )
    yield "".join(f"- {prose(reason)}\n" for reason in document["reasons"])
    yield from (f"**{prose(sentence)}**\n" for sentence in partial_lines(document))
    yield (
        "| claims | supported | weakly supported | not supported | not judged | prompts |\n"
        "| ---: | ---: | ---: | ---: | ---: | ---: |\n"
        f"| {document['total_claims']:,} | {document['supported']:,} | {document['weakly_supported']:,} "
        f"| {document['unsupported']:,} | {document['unjudged']:,} | {own_prompts(document):,} |\n"
    )


def _comparison(document: VerdictDocument, view: View) -> Iterator[str]:
    comparison = document.get("comparison")
    if comparison:
        yield f"### Against the base: {comparison['word']}\n"
        yield (
            f"Risk {words.number(comparison['base_score'])} → {words.number(document['score'])}; "
            f"of a prompt on average **{words.signed(comparison['difference'])}** "
            f"(95 % interval {words.interval_signed(comparison['interval'])}); "
            f"{words.count(len(comparison['new']), 'new claim')} not supported, {len(comparison['fixed']):,} fixed, "
            f"{comparison['unchanged']:,} unchanged.\n"
        )
        yield "".join(f"- {prose(note)}\n" for note in comparison["notes"])
        yield from _measure_changes(comparison)
        yield from _changes("Fixed", comparison["fixed"])
    elif view.baseline:
        base = view.baseline
        yield "### Against the base\n"
        yield f"The base was **{base['decision']}** with risk {words.number(base['score'])}.\n"


def _changes(title: str, changes: list[ChangedClaim]) -> Iterator[str]:
    if changes:
        more = f"- and {len(changes) - LISTED:,} more\n" if len(changes) > LISTED else ""
        rows = "".join(f"- {code(change['claim'])} ({code(change['prompt_id'], 60)})\n" for change in changes[:LISTED])
        yield f"{title}:\n\n{rows}{more}"


def _claims(document: VerdictDocument, view: View) -> Iterator[str]:
    claims, new = words.worst(document), words.new_claims(document)
    if not claims:
        return
    chosen = merge_repeats(claims, new)[:WORST]
    shown = sum(1 + more for _, more in chosen)
    part = f"the worst {shown:,} of" if len(claims) > shown else "all"
    yield f"### Claims that the documents do not carry ({part} {len(claims):,})\n"
    for number, (claim, more) in enumerate(chosen, 1):
        fresh = (claim["prompt_id"], claim["claim"]) in new
        yield _claim(f"{number}. {_title(claim, fresh, more)}", claim, view)


def _title(claim: ClaimEntry, new: bool, more: int) -> str:
    sure = words.confidence_text(claim)
    parts = (
        f"**{words.LABEL_WORDS[words.kind(claim)]}**",
        "**new**" if new else "",
        code(claim["prompt_id"], 60),
        f"{sure} sure" if sure else "",
        repeats_text(more),
    )
    return " · ".join(part for part in parts if part)


def _claim(title: str, claim: ClaimEntry, view: View) -> str:
    before = prose(context_line(claim), 300)
    rows = [f"{title}  ", f"   {before}{' ' * bool(before)}{code(claim['claim'])}"]
    if claim["justification"]:
        rows.append(f"   {prose(claim['justification'], 300)}")
    if claim["evidence"]:
        best = claim["evidence"][0]
        rows.append(f"   {_place(best['source'], best['line'], view)} {code(best['quote'], 500)}")
    return "  \n".join(row.rstrip() for row in rows) + "\n"


def _place(source: str, number: int, view: View) -> str:
    name, address = code(place(source, number), 200), link_to(view.blob_url, source, number)
    return f"[{name}]({address})" if address else name


def _unjudged(document: VerdictDocument) -> Iterator[str]:
    claims = words.worst(document, ("unjudged",))
    if claims:
        more = f"- and {len(claims) - LISTED:,} more\n" if len(claims) > LISTED else ""
        rows = (f"- {code(c['claim'])}: {prose(c.get('reason', ''), 200)}\n" for c in claims[:LISTED])
        yield f"### Not judged ({len(claims):,})\n\n{''.join(rows)}{more}"


def _failures(document: VerdictDocument) -> Iterator[str]:
    failures = document["failures"]
    if failures:
        more = f"- and {len(failures) - LISTED:,} more\n" if len(failures) > LISTED else ""
        rows = (
            f"- {prose(f['agent'], 60)} {code(f['prompt_id'], 60)}: {prose(f['kind'] + ': ' + f['message'], 300)}\n"
            for f in failures[:LISTED]
        )
        yield f"### Failures ({len(failures):,})\n\n{''.join(rows)}{more}"


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
    word = f"{STATE_SIGNS[measure.state]} {measure.word}" if measure.state else "–"
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
