"""Defaults by the name of their option, in tables, lists and under headings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.options import check_options

Laid = Callable[..., Alignment]

TABLE = (
    "| Option | Default | Meaning |\n| --- | --- | --- |\n| `stone_speed` | `9m` | time for a turn |\n"
    "| `sack_limit` | `None` | how many sacks |\n| `lid` | 40 | its weight |\n"
)
LIST = "- `--wheel N`: how fast it turns (default `12`).\n- `grain.sort`: `rye` or `oats`. Default: `rye`.\n"
HEADINGS = "### `mill.stones`\n\nHow many stones turn. Default: `4`.\n\n### `mill.sacks`\n\nDefault: `1`.\n"


@pytest.mark.parametrize(
    ("claim", "document", "told"),
    [
        ("`stone_speed` defaults to `9s`.", TABLE, "'9m' as the default of 'stone_speed', the claim '9s'"),
        ("The default `sack_limit` is `5.0` sacks, then `MillFull` is raised.", TABLE, "'None' as the default"),
        ("By default, `lid` is `50`.", TABLE, "'40' as the default of 'lid'"),
        ("The default of `--wheel` is `21`.", LIST, "'12' as the default of '--wheel'"),
        ("`grain.sort` is `oats` by default.", LIST, "'rye' as the default of 'grain.sort'"),
        ("The `mill.stones` setting defaults to `1`.", HEADINGS, "'4' as the default of 'mill.stones'"),
        (
            "`oilMs` defaults to `4`.",
            "It takes at most `oilMs` (1 to 99, default 10).",
            "'10' as the default of 'oilMs'",
        ),
    ],
)
def test_the_default_of_the_option_is_another(laid: Laid, claim: str, document: str, told: str) -> None:
    (finding,) = check_options(laid(claim, document))
    assert (finding.kind, finding.against) == ("default value", True)
    assert told in finding.message


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("`stone_speed` defaults to `540s`.", TABLE),
        ("`stone_speed` is 9 minutes by default.", TABLE),
        ("`lid` defaults to `40.0`.", TABLE),
        ("`lid` is 50 kg by default.", TABLE),
        ("`lid` was 50 by default.", TABLE),
        ("`sack_limit` is 0 by default.", TABLE),
        ("On barges `lid` defaults to `50`.", TABLE),
        ("`lid` defaults to `50` if it is new.", TABLE),
        ("`lid` defaults to `50`.", f"{TABLE}\nOn barges the default of `lid` is 50.\n"),
        ("`mill.sacks` defaults to `1`.", HEADINGS),
        ("`grain.sort` is `RYE` by default.", LIST),
        ("`--other` defaults to `5`.", LIST),
        ("`lid` defaults to `50`.", "Lids\n\n`lid`\n\nIts weight.\n\nWheels\n\nDefault: `40`.\n"),
        ("`lid` defaults to `50`.", "The default is 40."),
    ],
)
def test_the_same_default_and_that_of_something_else(laid: Laid, claim: str, document: str) -> None:
    assert check_options(laid(claim, document)) == []
