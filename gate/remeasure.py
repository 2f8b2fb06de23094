"""The measures of stored verdicts: read back, put under other thresholds, joined from shards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.measures.base import Reading
from gate.measures.summary import measured, meets
from gate.measures.table import MEASURES
from gate.records import Measure, Rating
from gate.reports.build import measure_entry
from gate.reports.document import MeasureEntry, RatingEntry, VerdictDocument

UNKNOWN = "this version of the gate does not know the measure"
ABSENT = "the run did not take it"


def stored_measures(document: VerdictDocument, thresholds: Mapping[str, float] | None = None) -> list[Measure]:
    """The measures of a document by their names, under `thresholds` (None: their own). One that has a threshold and is
    not in the document stands there without a value: what was not measured does not pass."""
    entries = document["measures"]
    own = {name: entry["threshold"] for name, entry in entries.items() if "threshold" in entry}
    asked = own if thresholds is None else thresholds
    own_prompts = [prompt["id"] for prompt in document["prompts"] if not prompt.get("probe")]
    absent = MeasureEntry(value=None, interval=None, n=0, unjudged=dict.fromkeys(own_prompts or [""], ABSENT))
    return [
        _measure(name, entries.get(name, absent), asked.get(name)) for name in sorted(entries.keys() | asked.keys())
    ]


def joined(shards: Sequence[Mapping[str, MeasureEntry]], place: Mapping[str, int]) -> dict[str, MeasureEntry]:
    """The measures of all shards of one run, each over all their ratings; `place` gives a prompt's place in the run."""
    entries: dict[str, MeasureEntry] = {}
    for name in sorted({name for shard in shards for name in shard}):
        parts = [shard[name] for shard in shards if name in shard]
        ratings = sorted(
            (rating for part in parts for rating in part.get("ratings", [])),
            key=lambda rating: place.get(rating["prompt_id"], len(place)),
        )
        whole = MeasureEntry(value=None, interval=None, n=0, ratings=ratings)
        whole["skipped"] = {key: why for part in parts for key, why in part.get("skipped", {}).items()}
        whole["unjudged"] = {key: why for part in parts for key, why in part.get("unjudged", {}).items()}
        threshold = next((part["threshold"] for part in parts if "threshold" in part), None)
        entries[name] = measure_entry(_measure(name, whole, threshold))
    return entries


def _measure(name: str, entry: MeasureEntry, threshold: float | None) -> Measure:
    if "ratings" not in entry and entry["value"] is not None:
        band = entry["interval"]
        ends = (band[0], band[1]) if band else None
        met = meets(entry["value"], threshold, MEASURES[name]) if threshold is not None and name in MEASURES else None
        return Measure(name, entry["value"], ends, entry["n"], threshold, met, entry.get("details", {}))
    reading = Reading(
        tuple(_rating(rating) for rating in entry.get("ratings", [])),
        entry.get("skipped", {}),
        entry.get("unjudged", {}),
    )
    if name in MEASURES:
        return measured(name, reading, threshold)
    return Measure(name, None, None, 0, threshold, unjudged={"": UNKNOWN})


def _rating(entry: RatingEntry) -> Rating:
    return Rating(
        entry["prompt_id"],
        entry["value"],
        entry["why"],
        entry.get("weight", 1.0),
        entry.get("parts", {}),
        entry.get("answer_id", entry["prompt_id"]),
    )
