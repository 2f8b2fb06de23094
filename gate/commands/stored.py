"""`gate report`, `gate merge`, `gate compare` and `gate waive`: what is made of stored verdicts, at no cost."""

from __future__ import annotations

import getpass
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from gate.commands.options import ConfigFile, Debug, FailOn, Outputs, amount, printable
from gate.compare import compare as compare_verdicts
from gate.config import DEFAULT_PATH, RiskTolerance
from gate.config import load as load_config
from gate.errors import InputFileError, UsageError
from gate.measures.risk import clip
from gate.reports.document import ClaimEntry, VerdictDocument
from gate.reports.files import load, write
from gate.reports.outcome import check_outputs, describe_comparison, exit_code, tell, write_all
from gate.reports.safe import line
from gate.reports.words import LABEL_WORDS, NOT_SUPPORTED, count, fingerprint_of, kind
from gate.verdicts import check_decision, decide_again, fingerprints, hold_again, tolerance_of, waive_again
from gate.verdicts import merge as merge_shards
from gate.waivers import LONGEST, Waiver, add, comments, load_waivers, text_of

UNDECIDED = 3
_CODES = {"regression": 1, "too few prompts": UNDECIDED}
SHOWN = 8  # claims that a hint lists
LINE = 1000  # characters of a text in the file: the fingerprint, not the text, knows the claim
_MARK = re.compile(r"[0-9a-f]{6,16}")
_SPAN = re.compile(r"([1-9][0-9]{0,2})d")


def report(
    verdict: Annotated[str, typer.Argument(metavar="VERDICT.json", help="a verdict that gate run wrote")],
    output: Outputs = None,
    config: Annotated[
        str | None,
        typer.Option("-c", "--config", metavar="FILE", help="decide anew by this configuration's thresholds"),
    ] = None,
    fail_on: FailOn = "block",
    debug: Debug = False,
) -> int:
    """Render a stored verdict again, as .json .html .sarif .xml (JUnit) .md, or on the terminal. With
    --config the decision is made anew under that configuration's risk_tolerance, waivers, thresholds of measures and
    evaluation.pass, at no cost.

    example: gate report verdict.json -o report.html
    """
    check_outputs(output)
    document = load(Path(verdict))
    if config:
        found = load_config(Path(config), stored=True)
        accepted = load_waivers(Path(config).parent / found.risk_tolerance.waivers)
        document = waive_again(document, accepted, datetime.now(UTC).date())
        document = hold_again(document, found.evaluation.pass_)
        document = decide_again(document, found.risk_tolerance, found.measures.thresholds())
    else:
        check_decision(document)
    write_all(document, output)
    tell(document)
    return exit_code(document, fail_on)


def merge(
    verdicts: Annotated[list[str], typer.Argument(metavar="VERDICT.json", help="the verdict of each shard")],
    output: Outputs = None,
    fail_on: FailOn = "block",
    debug: Debug = False,
) -> int:
    """Join the verdicts of all shards of a run (gate run --shard I/N) into the verdict of the whole run.

    example: gate merge shard-1.json shard-2.json -o verdict.json
    """
    check_outputs(output)
    merged = merge_shards([load(Path(name)) for name in verdicts])
    document = decide_again(merged, tolerance_of(merged))
    write_all(document, output)
    tell(document)
    return exit_code(document, fail_on)


def compare(
    base: Annotated[str, typer.Argument(metavar="BASE.json", help="the verdict to compare with")],
    head: Annotated[str, typer.Argument(metavar="HEAD.json", help="the new verdict")],
    max_increase: Annotated[
        float, typer.Option("--max-increase", parser=amount, metavar="X", help="an increase of the risk to allow")
    ] = 0.0,
    output: Outputs = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the comparison as JSON")] = False,
    debug: Debug = False,
) -> int:
    """Compare a verdict with a baseline: the claims that are new and wrong, fixed, or no longer said, a paired
    permutation test on the risk of each prompt, the difference with its 95 % interval, and one word; the same for
    every measure that both have. The verdicts may be of two models on the same prompts. With -o the report of the
    new one is written, with the comparison in it. Exit code 1 for a regression of the risk, 3 for too few prompts and
    for a new verdict that is inconclusive.

    example: gate compare base.json head.json -o comparison.html
    """
    check_outputs(output)
    before, after = load(Path(base)), load(Path(head))
    comparison = compare_verdicts(before, after, max_increase=max_increase)
    if output:
        write_all(decide_again({**after, "comparison": comparison}, tolerance_of(after)), output, before)
    # `##[` commands a runner. It stands in texts alone, where JSON may escape it.
    text = (
        json.dumps(comparison, indent=2).replace("##[", "##\\u005b") + "\n"
        if as_json
        else describe_comparison(comparison)
    )
    sys.stdout.write(text)
    code = _CODES.get(comparison["word"], 0)
    return code or (UNDECIDED if after["decision"] == "inconclusive" else 0)


def waive(  # noqa: PLR0913 - an option is a parameter
    verdict: Annotated[str | None, typer.Argument(metavar="VERDICT.json", help="a verdict that gate run wrote")] = None,
    claim: Annotated[
        str | None, typer.Argument(metavar="CLAIM", help="its fingerprint, its id, or words that only it has")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="WHY", help="why the claim is accepted")] = "",
    until: Annotated[
        str, typer.Option("--until", metavar="DATE", help="the last day, 2027-01-31, or a span, 30d")
    ] = "",
    who: Annotated[str, typer.Option("--who", metavar="NAME", help="who accepts it (default: you, by git)")] = "",
    label: Annotated[
        str | None, typer.Option("--label", metavar="FILE", help="add it as a labelled claim for gate calibrate")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="show the waivers and how long they last")] = False,
    config: ConfigFile = None,
    debug: Debug = False,
) -> int:
    """Accept a claim that is not supported until a date: it leaves the risk, keeps its label, and counts again after
    that day. Writes the waiver to the file of risk_tolerance.waivers, and prints the decision with it.

    example: gate waive verdict.json 3f2a9c --reason "agreed with legal" --until 30d
    """
    today = datetime.now(UTC).date()
    path, needed = waiver_file(config)
    held = load_waivers(path, needed and listed)
    if listed:
        return show_waivers(held, today)
    if not verdict or not claim or not any(map(str.isalpha, reason)) or not until:
        raise UsageError(
            "VERDICT.json, CLAIM, --reason (in words) and --until are needed",
            'gate waive verdict.json 3f2a9c --reason "agreed with legal" --until 30d',
        )
    document = load(Path(verdict))
    chosen = find_claim(document, claim)
    made = waiver_of(document, chosen, reason, who.strip() or login(), parse_day(until, today))
    if label:
        append_label(Path(label), chosen)
    write(path, text_of(add(held, made), comments(path)))
    return tell_waiver(document, made, path, add(held, made), today)


def waiver_file(config: str | None) -> tuple[Path, bool]:
    """(the file of waivers, whether the configuration names it). Errors: ConfigError, where a configuration is named or
    lies in this folder and has faults."""
    path = Path(config or DEFAULT_PATH)
    tolerance = load_config(path, stored=True).risk_tolerance if config or path.exists() else RiskTolerance()
    return path.parent / tolerance.waivers, "waivers" in tolerance.model_fields_set


def show_waivers(held: Sequence[Waiver], today: date) -> int:
    """Print the waivers, those that end first first."""
    for one in sorted(held, key=lambda each: each.until):
        left = (one.until - today).days
        state = f"ends in {count(left, 'day')}" if left >= 0 else f"ENDED {count(-left, 'day')} ago"
        denied = ", also where the documents deny it" if one.contradicted else ""
        sys.stdout.write(printable(f"{one.fingerprint}  until {one.until} ({state}{denied})  {clip(one.who)}\n"))
        sys.stdout.write(printable(f"  {clip(one.claim)}\n  {clip(one.reason)}\n"))
    sys.stdout.write(f"{count(len(held), 'waiver')}\n")
    return 0


def parse_day(text: str, today: date) -> date:
    """`2027-01-31` or `30d`. Errors: UsageError for what is no day, lies in the past, or more than a year ahead."""
    hint = f"a day like {today + timedelta(days=30)}, or a span like 30d"
    try:
        span = _SPAN.fullmatch(text)
        day = today + timedelta(days=int(span[1])) if span else datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007
    except ValueError:
        raise UsageError(f"--until: {text[:40]!r} is not a day", hint) from None
    if day < today:
        raise UsageError(f"--until: {day} is over", hint)
    if (day - today).days > LONGEST:
        raise UsageError(f"--until: {day} is more than a year ahead", f"{hint}; renew it, or mend the document")
    return day


def find_claim(document: VerdictDocument, wanted: str) -> ClaimEntry:
    """The one claim that is not supported and has this fingerprint (or 6 or more of its first digits), this id, or
    these words. The same claim in several answers to one question is one claim. Errors: UsageError."""
    claims: dict[str, list[ClaimEntry]] = {}
    for each, mark in zip(document["details"], fingerprints(document), strict=True):
        claims.setdefault(mark, []).append(each)
    words = " ".join(wanted.casefold().split())
    found = {mark for mark, same in claims.items() if any(each.get("id") == wanted for each in same)}
    if not found and _MARK.fullmatch(wanted):
        found = {mark for mark in claims if mark.startswith(wanted)}
    if not found:
        found = {mark for mark, same in claims.items() if words in " ".join(same[0]["claim"].casefold().split())}
    # Of each claim the first that is not supported: reversed, so that it is the one that stays.
    bad = {mark: each for mark, same in claims.items() for each in reversed(same) if each["label"] in NOT_SUPPORTED}
    waivable = sorted(found & bad.keys())
    if len(waivable) == 1:
        return bad[waivable[0]]
    if not waivable and found:
        label = LABEL_WORDS[kind(claims[min(found)][0])]
        raise UsageError(f"the claim is {label}: only one that is not supported can be waived", "")
    rows = waivable or list(bad)
    shown = "\n".join(f"  {mark}  {clip(bad[mark]['claim'])}" for mark in rows[:SHOWN])
    what = f"{len(waivable)} claims have these words" if waivable else "no claim has this fingerprint, id or words"
    raise UsageError(
        f"{what}: {clip(wanted)}", f"name one by its fingerprint:\n{shown}" if rows else "none can be waived"
    )


def waiver_of(document: VerdictDocument, claim: ClaimEntry, reason: str, who: str, until: date) -> Waiver:
    """The waiver of a claim. Its texts are for people, who review the file: one line each, and nothing hidden."""
    question = next((p["question"] for p in document["prompts"] if p["id"] == claim["prompt_id"]), "")
    mark = fingerprint_of(claim, question)
    same = zip(document["details"], fingerprints(document), strict=True)
    return Waiver(
        fingerprint=mark,
        claim=line(claim["claim"], LINE),
        question=line(question, LINE),
        reason=line(reason, LINE),
        who=line(who, LINE),
        until=until,
        contradicted=any(each["contradicted"] for each, other in same if other == mark),
    )


def login() -> str:
    """The user's address by git, else the name of the login."""
    try:
        command = [shutil.which("git") or "git", "config", "user.email"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10, errors="replace")  # noqa: S603
        if found := done.stdout.strip():
            return found
    except (OSError, subprocess.SubprocessError):
        pass
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        raise UsageError("nobody is named", "say who accepts the claim with --who NAME") from None


def append_label(path: Path, claim: ClaimEntry) -> None:
    """Add the claim as a labelled one, once: people accept it, whatever the judge says. Errors: InputFileError."""
    row = {
        "claim": claim["claim"],
        "context": claim.get("context", ""),
        "evidence": [quote["quote"] for quote in claim["evidence"]],
        "label": 1,
    }
    if not row["evidence"]:
        raise InputFileError(f"{path}: no label was added, since the claim has no evidence", "label it by hand")
    text = json.dumps(row, ensure_ascii=False)
    try:
        with path.open("a+", encoding="utf-8", errors="replace") as file:
            file.seek(0)
            known = file.read()
            if text not in known.splitlines():
                file.write("\n" * (known[-1:] not in ("", "\n")) + text + "\n")
    except OSError as error:
        raise InputFileError(f"{path}: cannot be written: {error.strerror}", "name another file") from error


def tell_waiver(document: VerdictDocument, made: Waiver, path: Path, held: Sequence[Waiver], today: date) -> int:
    """Print the waiver, and the decision with and without it."""
    now = decide_again(waive_again(document, held, today), tolerance_of(document))
    sys.stdout.write(printable(f'waived until {made.until}: "{clip(made.claim)}" ({made.fingerprint})\n'))
    sys.stdout.write(printable(f"{path}: {count(len(held), 'waiver')}\n"))
    risks = " -> ".join("–" if one["score"] is None else f"{one['score']:.3f}" for one in (document, now))
    sys.stdout.write(f"{document['decision']} -> {now['decision']}, risk {risks}\n")
    return 0
