"""The step summary and the comment on a pull request: the decision, the difference to the base, the worst claims."""

from __future__ import annotations

from collections.abc import Iterator

from gate.reports import markdown_measures, telling
from gate.reports.document import ChangedClaim, ClaimEntry, VerdictDocument
from gate.reports.extent import left_out
from gate.reports.families import own_prompts
from gate.reports.markdown_text import code as code
from gate.reports.markdown_text import prose as prose
from gate.reports.repeats import again, leans_on, once
from gate.reports.safe import link_to, place
from gate.reports.telling import View

MARKER = "<!-- llm-reliability-gate -->"  # by which a comment is found again and updated in place
COMMENT_LIMIT = 65_536  # characters
SUMMARY_LIMIT = 1024 * 1024  # bytes
WORST, LISTED = 10, 10
SIGNS = {"deploy": "✅", "warn": "⚠️", "block": "⛔", "inconclusive": "❔"}


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
    yield from markdown_measures.blocks(document)
    yield from _failures(document)
    yield from _foot(document)


def _head(document: VerdictDocument) -> Iterator[str]:
    decision, limits = document["decision"], document["thresholds"]
    use_case = f" · {prose(document['use_case'], 200)}" if document.get("use_case") else ""
    yield f"{MARKER}\n## {SIGNS[decision]} {decision.upper()}: {telling.HEADLINES[decision]}{use_case}\n"
    yield (
        f"**Risk {telling.number(document['score'])}** (95 % interval {telling.interval(document['interval'])}; "
        f"deploy ≤ {limits['deploy_threshold']:g}, warn ≤ {limits['warn_threshold']:g})\n"
    )
    yield "".join(f"- {prose(reason)}\n" for reason in document["reasons"])
    yield from (f"**{prose(sentence)}**\n" for sentence in left_out(document))
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
            f"Risk {telling.number(comparison['base_score'])} → {telling.number(document['score'])}; "
            f"of a prompt on average **{telling.signed(comparison['difference'])}** "
            f"(95 % interval {telling.interval_signed(comparison['interval'])}); "
            f"{telling.count(len(comparison['new']), 'new claim')} not supported, {len(comparison['fixed']):,} fixed, "
            f"{comparison['unchanged']:,} unchanged.\n"
        )
        yield "".join(f"- {prose(note)}\n" for note in comparison["notes"])
        yield from markdown_measures.changes(comparison)
        yield from _changes("Fixed", comparison["fixed"])
    elif view.baseline:
        base = view.baseline
        yield "### Against the base\n"
        yield f"The base was **{base['decision']}** with risk {telling.number(base['score'])}.\n"


def _changes(title: str, changes: list[ChangedClaim]) -> Iterator[str]:
    if changes:
        more = f"- and {len(changes) - LISTED:,} more\n" if len(changes) > LISTED else ""
        rows = "".join(f"- {code(change['claim'])} ({code(change['prompt_id'], 60)})\n" for change in changes[:LISTED])
        yield f"{title}:\n\n{rows}{more}"


def _claims(document: VerdictDocument, view: View) -> Iterator[str]:
    claims, new = telling.worst(document), telling.new_claims(document)
    if not claims:
        return
    told = once(claims, new)[:WORST]
    shown = sum(1 + more for _, more in told)
    part = f"the worst {shown:,} of" if len(claims) > shown else "all"
    yield f"### Claims that the documents do not carry ({part} {len(claims):,})\n"
    for number, (claim, more) in enumerate(told, 1):
        fresh = (claim["prompt_id"], claim["claim"]) in new
        yield _claim(f"{number}. {_title(claim, fresh, more)}", claim, view)


def _title(claim: ClaimEntry, new: bool, more: int) -> str:
    sure = telling.sure(claim)
    parts = (
        f"**{telling.LABEL_WORDS[telling.kind(claim)]}**",
        "**new**" if new else "",
        code(claim["prompt_id"], 60),
        f"{sure} sure" if sure else "",
        again(more),
    )
    return " · ".join(part for part in parts if part)


def _claim(title: str, claim: ClaimEntry, view: View) -> str:
    before = prose(leans_on(claim), 300)
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
    claims = telling.worst(document, ("unjudged",))
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
    spent = f"{telling.seconds(sum(times.values()))} · " if times else ""
    judge = prose(telling.judge_line(document["judge"]), 200)
    yield f"---\n{spent}{prose(telling.usage_line(document['usage']))} · judge {judge}\n"
