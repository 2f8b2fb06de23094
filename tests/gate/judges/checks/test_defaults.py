from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.defaults import check_defaults
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The default is gzip.", "The compression is gzip, zstd or none. The default is zstd."),
        ("The default port is 8080.", "The default is port 80 for plain connections; 8080 is common for development."),
        ("The default theme is dark.", "Themes are light, dark and blue. The default theme is light."),
        ("The log level defaults to debug.", "The log level is debug, info or warning. The default is info."),
        ("The default role is editor.", "Roles are viewer and editor. The role defaults to viewer."),
        ("The default is the round-robin strategy.", "A strategy is random or round-robin. The default is random."),
        ("By default, the level is debug.", "The level can be debug, info or error. By default it is info."),
        ("The default value is true.", "The option is true or false. The default value is false."),
        ("The mode defaults to `fast`.", "The mode can be `slow` (default), `fast` or `auto`."),
        ("By default the mode is fast.", "The mode is 'slow' (the default), 'fast' or 'auto'."),
        ("The default limit is 50.", "The limit may be 20 or 50. The default limit is 20."),
        ("By design, the default branch is develop.", "Branches are main and develop. The default branch is main."),
    ],
)
def test_another_value_as_the_default_is_a_sure_finding(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_defaults(laid(claim, document))
    assert finding.kind == "default value"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The default is zstd.", "The compression is gzip, zstd or none. The default is zstd."),
        ("The default timeout is one minute.", "The default timeout is 60 s, at most 5 minutes."),
        ("The default is on.", "It is on or off. The default is enabled."),
        ("The default port is 8080.", "The default port of the admin is 80. The default port of the site is 8080."),
        ("The default theme is dark.", "The default font is serif. The theme is dark if nothing is set."),
        ("The theme is dark.", "Themes are light and dark. The default theme is light."),
        ("The default is not gzip.", "The compression is gzip or zstd. The default is zstd."),
        ("The mode defaults to `slow`.", "The mode can be `slow` (default), `fast` or `auto`."),
        ("By default one job is run.", "What is missed is run as `latest` (default), one job for all, or `none`."),
        ("The default role is viewer.", "Roles are viewer and editor. New members are viewers by default."),
        ("By default logs are kept.", "By default logs are written to a file. They are kept for a week."),
        ("The default colour is pale.", "The default colour is green. A pale frame is drawn around it."),
        ("The default limit is twenty.", "The limit may be 20 or 50. The default limit is 20."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_defaults(laid(claim, document)) == []
