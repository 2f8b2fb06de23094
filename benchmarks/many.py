"""Many calls at once: how near `gate run` comes to the shortest time possible, and what memory it takes.

python benchmarks/many.py [--prompts 250 1000] [--latency-ms 300 2000] [--concurrency 64]

A fake server that speaks the OpenAI wire format answers every call after a fixed latency. The shortest time is
calls x latency / concurrency. `asking`: the stage in which the model under test is asked; `judging`: that of the model
judge, one call an answer, so half of the calls each. Both stages share the process with the claims' splitting, search
and the record of calls.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from running import gate

CONFIG = """use_case: "Many calls"
evaluation: {{source: dataset, dataset: questions.jsonl, num_prompts: {prompts}}}
doc_sources: [docs/]
model: {{provider: openai, model_id: fake, base_url: "{url}/v1"}}
judge: {{provider: openai, model_id: fake, base_url: "{url}/v1"}}
limits: {{concurrency: {concurrency}, max_calls: 10000, max_cost_usd: null}}
"""
PARTS = 200
DOCUMENT = "# Timeouts\n\n" + "\n\n".join(f"The timeout of part{n} is {n + 5} seconds." for n in range(PARTS)) + "\n"
COLUMNS = "prompts,latency,calls,asking s,of shortest,judging s,of shortest,whole s,of shortest,CPU s,peak MB,exit"


def reply(text: str) -> str:
    """An answer to a question, or verdicts on the claims of a sheet: each is supported by the first sentence."""
    if "\nEVIDENCE " not in text:
        number = int((re.findall(r"part(\d+)", text) or ["0"])[-1])
        return f"The timeout of part{number} is {number + 5} seconds."
    claims = re.findall(r"^\((\d+)\) (.*)", text, re.MULTILINE)
    known = {said: number for number, said in re.findall(r"^\[(\d+)\] (.*)", text, re.MULTILINE)}
    verdicts = []
    for number, claim in claims:
        found = [int(known[claim])] if claim in known else []
        label = "supported" if found else "unsupported"
        verdicts.append({"claim": int(number), "sentences": found, "why": "", "verdict": label})
    return json.dumps({"verdicts": verdicts})


async def serve(latency: float) -> None:
    """Answers every request after `latency` seconds, on connections that stay open; prints its port first."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b"":
            size = int((re.search(rb"content-length: *(\d+)", head, re.IGNORECASE) or [b"", b"0"])[1])
            request = json.loads(await reader.readexactly(size))
            await asyncio.sleep(latency)
            text = reply(request["messages"][-1]["content"])
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
            body = json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
            start = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
            writer.write(start.encode() + body)
            await writer.drain()

    async def quietly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await connected(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(quietly, "127.0.0.1", 0, backlog=1000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def server(latency_ms: float) -> Iterator[str]:
    """The address of a running fake server."""
    command = [sys.executable, __file__, "--serve", "--latency-ms", str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield f"http://127.0.0.1:{int(next(iter(process.stdout or ())))}"
        finally:
            process.kill()


def measured(prompts: int, latency_ms: float, concurrency: int) -> list[Any]:
    """One run in a folder of its own: a row of the table."""
    with tempfile.TemporaryDirectory() as name, server(latency_ms) as url:
        folder = Path(name)
        (folder / "docs").mkdir()
        (folder / "docs" / "timeouts.md").write_text(DOCUMENT)
        asked = (
            {"id": f"p{n}", "question": f"In case {n}, what is the timeout of part{n % PARTS}?"} for n in range(prompts)
        )
        (folder / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
        values = {"url": url, "prompts": prompts, "concurrency": concurrency}
        (folder / ".llm-reliability.yaml").write_text(CONFIG.format(**values))
        gate(folder, "ingest", "docs").decided()
        done = gate(folder, "run", "-o", "verdict.json")
        code = done.decided()
        timings = json.loads((folder / "verdict.json").read_text())["timings"]
        shortest = prompts * latency_ms / 1000 / concurrency
        stages = [timings["run_model"], timings["verify_claims"]]
        row: list[Any] = [prompts, f"{latency_ms:.0f} ms", 2 * prompts]
        for seconds, least in ((stages[0], shortest), (stages[1], shortest), (done.wall, 2 * shortest)):
            row += [f"{seconds:.1f}", f"{seconds / least:.2f}"]
        return [*row, f"{done.cpu:.1f}", done.rss, code]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompts", type=int, nargs="+", default=[250, 1000])
    parser.add_argument("--latency-ms", type=float, nargs="+", default=[300, 2000])
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve(options.latency_ms[0] / 1000))
        return
    print(f"| {COLUMNS.replace(',', ' | ')} |\n|" + " ---: |" * (COLUMNS.count(",") + 1))
    for latency in options.latency_ms:
        for prompts in options.prompts:  # smallest first: the peak of memory is that of all runs so far
            print("| " + " | ".join(map(str, measured(prompts, latency, options.concurrency))) + " |", flush=True)


if __name__ == "__main__":
    main()
