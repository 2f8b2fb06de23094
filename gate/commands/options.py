"""Options that several commands share."""

from __future__ import annotations

import argparse


def output_option(parser: argparse.ArgumentParser) -> None:
    """`-o FILE`, repeatable; the extension says what is written."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action="append",
        default=[],
        help="write .json .html .sarif .xml (JUnit) or .md; repeatable",
    )


def fail_on_option(parser: argparse.ArgumentParser) -> None:
    """`--fail-on`: whether warn ends with 1 as block does."""
    parser.add_argument("--fail-on", choices=("block", "warn"), default="block", help="exit 1 from this decision on")


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return _whole(text, 1)


def count(text: str) -> int:
    """A whole number from 0 on."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
    return number


def amount(text: str) -> float:
    """A number from 0 on."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return number


def seconds(text: str) -> float:
    """A number above 0, no larger than `limits.max_seconds` may be."""
    number = amount(text)
    if number == 0:
        raise argparse.ArgumentTypeError("in 0 seconds nothing is asked; give a number above 0")
    if number > 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is longer than a clock can wait for; at most 1000000000")
    return number


def shard(text: str) -> tuple[int, int]:
    """`I/N` with 1 <= I <= N."""
    first, slash, second = text.partition("/")
    if slash and first.isdigit() and second.isdigit() and 1 <= int(first) <= int(second):
        return int(first), int(second)
    raise argparse.ArgumentTypeError(f"{text!r} is not a shard like 1/4")
