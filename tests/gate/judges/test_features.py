from __future__ import annotations

from collections.abc import Callable

from gate.judges.alignment import Alignment
from gate.judges.features import FOR, KINDS, features
from gate.judges.stack import load_stack

Laid = Callable[..., Alignment]


def test_a_copied_sentence_speaks_for_itself(laid: Laid) -> None:
    seen = features(
        laid("Uploads are streamed in chunks of 64 kB.", "Uploads are streamed in chunks of 64 kB. Good luck.")
    )
    assert seen.findings == ()
    assert seen.values["cover_window"] == seen.values["kinship"] == 1.0
    assert all(seen.values[kind.replace(" ", "_")] == 0 for kind in KINDS)


def test_every_finding_that_is_weighed_has_a_value(laid: Laid) -> None:
    seen = features(laid("Only `send_all` waits 10 seconds by default.", "`send_one` does not wait 5 seconds."))
    kinds = {finding.kind for finding in seen.findings}
    assert len(kinds) > 2
    for kind in kinds & set(KINDS):
        assert seen.values[kind.replace(" ", "_")] > 0


def test_many_findings_of_a_kind_are_capped(laid: Laid) -> None:
    many = " ".join(f"Option `key_{i}_x` is set." for i in range(9))
    assert features(laid(many, "Nothing of that.")).values["name_missing"] == 2.0


def test_what_the_stack_weighs_is_a_feature_and_has_its_sign(laid: Laid) -> None:
    values = features(laid("A b c.", "A b c.")).values
    for variant in load_stack().variants.values():
        for name, weight in variant.supported.weights.items():
            assert name in values or name in ("likeness", "reads_supported", "reads_contradicted", "reads_margin")
            assert weight >= 0 if name in FOR else weight <= 0, name
