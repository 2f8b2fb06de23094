"""Keep one comment on a pull request up to date; without a pull request or the right to write, say so and pass.

python comment.py COMMENT.md NAME      # reads GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_TOKEN, GITHUB_API_URL

The name of the gate goes into the first line, by which the comment is found again: each gate keeps its own.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TIMEOUT = 20.0
PAGES = 30  # of 100 comments each
QUIET = {401: "the token was refused", 403: "the token may not write comments (a fork's cannot)", 404: "not found"}


def number_of(environ: Mapping[str, str]) -> int | None:
    """The pull request that the event is about, if any."""
    try:
        event = json.loads(Path(environ.get("GITHUB_EVENT_PATH", "")).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    number = event.get("pull_request", {}).get("number") if isinstance(event, dict) else None
    return number if isinstance(number, int) else None


def call(environ: Mapping[str, str], method: str, path: str, body: dict[str, str] | None = None) -> Any:
    """One request to the API; its JSON."""
    url = f"{environ.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{environ['GITHUB_REPOSITORY']}{path}"
    request = urllib.request.Request(  # noqa: S310 - the address is the runner's own
        url,
        method=method,
        data=json.dumps(body).encode() if body else None,
        headers={
            "Authorization": f"Bearer {environ.get('GITHUB_TOKEN', '')}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
            "User-Agent": "llm-reliability-gate",
        },
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:  # noqa: S310
        return json.load(reply)


def upsert(environ: Mapping[str, str], number: int, text: str) -> str:
    """Change the comment that begins with this one's first line, or write a new one; what was done."""
    marker = text.split("\n", 1)[0]
    for page in range(1, PAGES + 1):
        comments = call(environ, "GET", f"/issues/{number}/comments?per_page=100&page={page}")
        for comment in comments:
            ours = str(comment.get("body", "")).startswith(marker) and comment.get("user", {}).get("type") == "Bot"
            if ours:
                call(environ, "PATCH", f"/issues/comments/{int(comment['id'])}", {"body": text})
                return "updated"
        if len(comments) < 100:
            break
    call(environ, "POST", f"/issues/{number}/comments", {"body": text})
    return "written"


def main(arguments: list[str], environ: Mapping[str, str]) -> int:
    """0 whatever happens to the comment: the decision does not hang on it."""
    number = number_of(environ)
    if number is None:
        print("no pull request: no comment")
        return 0
    try:
        marker, _, text = Path(arguments[0]).read_text(encoding="utf-8").partition("\n")
        done = upsert(environ, number, f"{marker.replace(' -->', f': {arguments[1]} -->')}\n{text}")
    except urllib.error.HTTPError as error:
        why = QUIET.get(error.code, f"the API answered {error.code}")
        print(f"::notice title=LLM reliability gate::no comment: {why}; the step summary says it all")
        return 0
    except (OSError, ValueError) as error:
        print(f"::notice title=LLM reliability gate::no comment: {type(error).__name__}; the step summary says it all")
        return 0
    print(f"comment {done}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
