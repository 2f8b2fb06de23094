"""The measures in Markdown: the table, why each that stands in the way does, and their change against a base."""

from __future__ import annotations

from collections.abc import Iterator

from gate.reports import telling
from gate.reports.document import Comparison, RatingEntry, VerdictDocument
from gate.reports.markdown_text import code, prose
from gate.reports.measure_words import difference_interval, shown, shown_difference, title
from gate.reports.telling_measures import SIGNS, Told, because, faults, left_out, measures, models_line
from gate.reports.telling_parts import beside

WORST = 3  # ratings of each measure that stands in the way


def blocks(document: VerdictDocument) -> Iterator[str]:
    """The table of all measures with what the others come to and left out, then one block for each that is not met."""
    found = measures(document)
    if found:
        head = "| measure | value | 95 % interval | n | asked for | |\n|---|---:|---|---:|---:|---|\n"
        yield f"### Measures\n\n{head}{''.join(map(_row, found))}"
        if rows := [f"- {prose(told.title, 60)}: {row}\n" for told in found if not told.bad for row in _below(told)]:
            yield "".join(rows)
    yield from (_why(told) for told in found if told.bad)


def _row(told: Told) -> str:
    word = f"{SIGNS[told.state]} {told.word}" if told.state else "–"
    return (
        f"| {prose(told.title, 60)} | {told.value} | {told.interval} | {told.entry['n']:,} | {told.asked or '–'} "
        f"| {f'**{word}**' if told.bad else word} |\n"
    )


def _why(told: Told) -> str:
    rows = [f"- {row}\n" for row in _below(told)]
    rows += [_rating(told, rating) for rating in faults(told, WORST)]
    return f"**{prose(told.title, 60)}: {told.word}**\n\n{''.join(rows)}"


def _below(told: Told) -> list[str]:
    return [prose(row, 400) for row in (beside(told), *left_out(told)) if row]


def _rating(told: Told, rating: RatingEntry) -> str:
    why = prose(because(told, rating, 300))
    return f"- {code(rating['prompt_id'], 60)} {shown(told.name, rating['value'])}{f': {why}' if why else ''}\n"


def changes(comparison: Comparison) -> Iterator[str]:
    """The table of the measures that both runs have."""
    if models := models_line(comparison):
        yield f"{prose(models, 300)}\n"
    found = comparison.get("measures", {})
    if found:
        rows = "".join(
            f"| {prose(title(name), 60)} | {shown(name, m['base'])} | {shown(name, m['head'])} "
            f"| {shown_difference(name, m['difference'])} | {difference_interval(name, m['interval'])} "
            f"| {telling.number(m['p_value'])} | {m['prompts']:,} | {_word(m['word'])} |\n"
            for name, m in found.items()
        )
        head = "| measure | base | this run | difference of a prompt | 95 % interval | p | prompts | |\n"
        yield f"{head}|---|---:|---:|---:|---|---:|---:|---|\n{rows}"


def _word(word: str) -> str:
    return f"**{word}**" if word in ("better", "worse") else word
