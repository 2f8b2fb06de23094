"""HTML reports in a real browser: no stranger's script, no error, filters, search, accessibility, size and time.

pip install playwright && npm install axe-core           # neither is needed by the gate
PYTHONPATH=. python benchmarks/browser.py --axe node_modules/axe-core/axe.min.js [--out DIR]    # DIR: screenshots
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.compare import compare
from gate.config import RiskTolerance
from gate.measures.risk import Course, Labelled, score
from gate.records import Answer, Category, Claim, Failure, JudgeInfo, Label, Measure, Prompt, Quote, Verdict
from gate.reports.build import Run, build
from gate.reports.document import VerdictDocument
from gate.reports.html import render
from gate.reports.words import View

if TYPE_CHECKING:
    from playwright.sync_api import Page

MAX_BYTES, MAX_SECONDS = 5_000_000, 1.0
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
ATTACK = (
    "</script><script>window.owned=1</script><img src=x onerror='window.owned=1'><svg onload=window.owned=1>"
    "\"' onmouseover=window.owned=1 x=' javascript:window.owned=1 {{7*7}} \u202e\x1b[2J "
)
FACTS = (
    ("The kiln holds 40 litres", "Volume: 40 litres.", Label.SUPPORTED, False),
    ("the lid locks above 60 degrees", "The lid stays locked above 60 degrees.", Label.SUPPORTED, False),
    ("it reaches 1280 degrees", "The highest temperature is 1250 degrees.", Label.UNSUPPORTED, True),
    ("every glaze is safe for food", "Glazes marked F are safe for food.", Label.WEAKLY_SUPPORTED, False),
    ("a fan cools it within an hour", "", Label.UNSUPPORTED, False),
    ("the fuse is behind the flap", "", Label.UNJUDGED, False),
)


def document(answers: int, shift: int = 0, text: str = "", facts: int = 5) -> VerdictDocument:
    """A verdict of that many answers with `text` put into every field that strangers fill."""
    prompts, said, verdicts = [], [], []
    for n in range(answers):
        name, words, place = f"q{n}{text}", "", 0
        chosen = [FACTS[(n + k + (shift if n % 3 == 0 else 0)) % len(FACTS)] for k in range(1 + n % facts)]
        for k, (fact, quote, label, against) in enumerate(chosen):
            sentence = f"{fact}{text}. "
            words, start, place = words + sentence, place, place + len(sentence)
            claim = Claim(f"{name}:{k}", name, name, f"{fact}{text}", start, place - 1)
            found = (Quote(f"docs/kiln-{n % 7}.md{text}", 3 + n, quote + text, 0.9),) if quote else ()
            why = f"Checked word by word.{text}"
            verdicts.append(Verdict(claim, label, why, against, 0.9, found, reason=f"cut off{text}"))
        category = list(Category)[n % 4]
        prompts.append(Prompt(name, f"What should I know about kiln {n}?{text}", category, reference=text or None))
        said.append(Answer(name, name, words, latency_ms=90.0 + n))
    labelled = [Labelled(v.claim.prompt_id, v.label) for v in verdicts]
    tolerance = RiskTolerance(max_unjudged=0.5)
    return build(
        Run(
            prompts, said, verdicts, score(labelled, len(labelled), Course(answers), tolerance),
            JudgeInfo("local", "stack", "1"), tolerance.model_dump(mode="json"), "c0ffee",
            failures=[Failure("run_model", "q9", "timeout", f"no answer within 30 s{text}")] if answers else (),
            measures=[Measure("relevance", 0.71, (0.62, 0.8), answers, 0.6, True)] if answers else (),
            timings={"run_model": 1.25, "verify_claims": 0.4}, use_case=f"Assistant of a pottery{text}",
        )
    )  # fmt: skip


def pages() -> dict[str, str]:
    """Name -> HTML."""
    found = {str(n): render(document(n)) for n in (0, 1, 1000)}
    for name, text in (("30", ""), ("hostile", ATTACK)):
        base, head = document(30, 1, text), document(30, 0, text)
        head["comparison"] = compare(base, head)
        found[name] = render(head, View(base, "https://host.example/o/r/blob/abc"))
    return found


def examine(page: Page, path: Path, axe: str) -> dict[str, Any]:
    """What the browser says of one page; `faults` is empty where all is well."""
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda r: faults.append(f"asks for {r.url}") if r.url != path.as_uri() else None)
    page.on("dialog", lambda dialog: (faults.append("a dialog"), dialog.dismiss()))
    started = time.perf_counter()
    page.goto(path.as_uri(), wait_until="load")
    seconds = time.perf_counter() - started
    if page.locator("article.answer").count():
        faults += filtering(page)
    page.click("nav a[href='#answers']")
    page.wait_for_timeout(1500)
    if not -5 < page.evaluate("document.getElementById('answers').getBoundingClientRect().top") < 900:
        faults.append("the link to the answers leads elsewhere")
    if page.evaluate("window.owned"):
        faults.append("a stranger's script ran")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        faults.append("wider than the window")
    # Off screen nothing is laid out (content-visibility), so that axe would measure what nobody sees.
    page.evaluate("for (const each of document.querySelectorAll('article')) each.style.contentVisibility = 'visible'")
    page.evaluate(axe)
    options = "{resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice']}"
    for found in page.evaluate(f"axe.run(document, {options})")["violations"]:
        node = found["nodes"][0]
        faults.append(f"axe {found['impact']}: {found['id']} ({node['html'][:120]}: {node['failureSummary'][:300]})")
    return {"seconds": seconds, "faults": faults}


def filtering(page: Page) -> list[str]:
    """Faults of search, category and label filters and of the link from a claim to its place."""
    shown = page.locator("article.answer:visible")
    every = shown.count()
    faults = []
    steps = (
        ("search", lambda: page.fill("#q", "KILN 0?"), (every + 9) // 10),
        ("nothing found", lambda: page.fill("#q", "no such words"), 0),
        ("search emptied", lambda: page.fill("#q", ""), every),
        ("category", lambda: page.select_option("#category", index=1), (every + 3) // 4),
        ("category emptied", lambda: page.select_option("#category", index=0), every),
    )
    for name, step, expected in steps:
        step()
        page.wait_for_timeout(200)
        if name.startswith("category") and not name.endswith("emptied") and 0 < shown.count() <= expected:
            continue
        if shown.count() != expected:
            faults.append(f"{name}: {shown.count()} shown, not {expected}")
    box = page.locator("input[name=kind][value=supported]")
    if box.is_enabled():
        box.check()
        if not 0 < shown.count() <= every:
            faults.append("label filter shows nothing")
        box.uncheck()
    return faults


def shoot(page: Page, path: Path, out: Path) -> None:
    """Light, dark and phone; the top of the page and the first answers."""
    for name, scheme, width in (("light", "light", 1200), ("dark", "dark", 1200), ("phone", "light", 390)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(path.as_uri())
        page.screenshot(path=str(out / f"{path.stem}-{name}.png"))
        for part in ("base", "answers"):
            if page.locator(f"nav a[href='#{part}']").count():
                page.click(f"nav a[href='#{part}']")
                page.wait_for_timeout(1500)
                page.screenshot(path=str(out / f"{path.stem}-{name}-{part}.png"))


def main() -> int:
    """One row for each page; 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--axe", type=Path, required=True)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    wrong = 0
    print("| page | KB | load | faults |\n| --- | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=options.chromium, args=FLAGS.split())
        for name, html in pages().items():
            path = Path(folder) / f"{name}.html"
            path.write_text(html, encoding="utf-8")
            row: dict[str, Any] = {"seconds": 9.0, "faults": []}
            for scheme, width in (("light", 1200), ("dark", 1200), ("light", 390)):
                context = browser.new_context(bypass_csp=False, color_scheme=scheme)  # type: ignore[arg-type]
                page = context.new_page()
                page.set_viewport_size({"width": width, "height": 900})
                found = examine(page, path, options.axe.read_text(encoding="utf-8"))
                row["seconds"] = min(row["seconds"], found["seconds"])
                row["faults"] += [f"{scheme} {width}: {fault}" for fault in found["faults"]]
                if options.out and scheme == "light" and width == 1200:
                    options.out.mkdir(exist_ok=True)
                    shoot(page, path, options.out)
                context.close()
            size = len(html.encode())
            late = size >= MAX_BYTES or row["seconds"] >= MAX_SECONDS
            wrong += late or bool(row["faults"])
            told = "; ".join(row["faults"]) or ("too large or slow" if late else "none")
            print(f"| {name} | {size // 1000:,} | {row['seconds'] * 1000:.0f} ms | {told} |", flush=True)
        browser.close()
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
