"""Counts of a judge as shares: of one run, or of several shards whose counts were added up."""

from __future__ import annotations

from collections.abc import Mapping

SHARES = {
    "share_unparsed": ("unparsed_replies", ("replies",)),
    "share_sent_on": ("sent_on", ("sent_on", "settled_locally")),
}


def shares(counts: Mapping[str, int]) -> dict[str, float]:
    """share_unparsed (of the model's replies those that could not be read whole), share_sent_on (of the claims those
    that the local judge sent on), from 0 to 1: each where its counts are there."""
    found = {}
    for name, (part, whole) in SHARES.items():
        if part in counts and all(key in counts for key in whole):
            every = sum(counts[key] for key in whole)
            found[name] = round(counts[part] / every, 4) if every else 0.0
    return found
