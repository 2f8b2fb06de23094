"""Probes stand under the prompt that they vary; none is lost, none is counted as a prompt of the run."""

from gate.records import Prompt
from gate.reports.families import families, numbers, own_prompts


def test_every_entry_stands_in_one_family(make):
    prompts = [
        Prompt("a~x", "?", probe="consistency:x", of="a"),
        Prompt("a", "?"),
        Prompt("stray", "?", probe="consistency:x", of="none"),
        Prompt("b", "?"),
        Prompt("a~y", "?", probe="sensitivity:y", of="a"),
        Prompt("twice", "?", probe="sensitivity:y", of="a~x"),
    ]
    document = make(prompts=prompts, answers=[], verdicts=[])
    found = [(f.prompt["id"], [p["id"] for p in f.probes], f.stray) for f in families(document)]
    assert found == [("a", ["a~x", "a~y"], False), ("b", [], False), ("stray", [], True), ("twice", [], True)]
    assert own_prompts(document) == 2
    assert numbers(document) == {"a": 1, "a~x": 1, "a~y": 1, "b": 2, "stray": 3, "twice": 4}
