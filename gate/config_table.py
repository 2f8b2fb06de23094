"""The measures of a run beside the risk, by the table: which are asked for, and the thresholds that count."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, Literal

from pydantic import create_model, model_validator

from gate.config_parts import Part
from gate.measures.table import MEASURES, plans

if TYPE_CHECKING:
    ProbeName = str
else:
    ProbeName = Literal[tuple(plans())]
_OPTIONS: dict[str, Any] = {name: (spec.options | None, None) for name, spec in MEASURES.items()}


class Measures(create_model("Options", __base__=Part, **_OPTIONS)):  # type: ignore[misc]
    """What is measured beside the risk; a measure that is not named is not computed."""

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:
        """`relevance:` with nothing behind it asks for the measure with its defaults."""
        if isinstance(value, dict):
            return {name: {} if options is None else options for name, options in value.items()}
        return value

    def asked(self) -> Iterator[tuple[str, Part]]:
        """(name, options) of every measure that is asked for."""
        for name in type(self).model_fields:
            options = getattr(self, name)
            if options is not None:
                yield name, options

    def options(self, name: str) -> Part:
        """The options of a measure, asked for or not."""
        given = getattr(self, name)
        return given if given is not None else MEASURES[name].options()

    def thresholds(self) -> dict[str, float]:
        """name -> threshold of the measures that count."""
        found = {name: threshold_of(options) for name, options in self.asked()}
        return {name: value for name, value in found.items() if value is not None}

    def graded(self) -> Iterator[str]:
        """The measures that ask the judge's model."""
        for name, options in self.asked():
            if getattr(options, "by", "") == "model":
                yield name

    def unfed(self, probes: Collection[str], repeats: int, recorded: bool) -> Iterator[str]:
        """What to do about every threshold of a measure that would have nothing to read: it compares an answer with
        those to its probes, which are not planned, or with its repeats; for some either will do. `recorded` answers
        have no probes.
        """
        for name in self.thresholds():
            plan, again = MEASURES[name].plan, MEASURES[name].repeats
            repeated = again or (plan is not None and plan.repeats)
            if (plan is None and not again) or name in probes or (repeated and repeats > 1):
                continue
            ways = [] if recorded or plan is None else ["add it to evaluation.probes"]
            ways += ["set evaluation.repeats above 1"] if repeated else []
            ways = ways or ["recorded answers have none to its probes; leave the threshold out, or ask a model"]
            yield f"measures.{name} has a threshold, and nothing to be measured by: {', or '.join(ways)}"


def threshold_of(options: Part) -> float | None:
    """The threshold among a measure's options, whichever way it points."""
    value = getattr(options, "min", None)
    return value if value is not None else getattr(options, "max", None)
