"""200 requests to a running `gate serve` from 20 threads: every status, and the time.

python benchmarks/service.py http://127.0.0.1:8080
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx


def main() -> None:
    """Half of them run the configuration of the served folder, half ask for its health."""
    url = sys.argv[1].rstrip("/")
    with httpx.Client(trust_env=False, timeout=120) as client, ThreadPoolExecutor(20) as pool:
        started = time.perf_counter()

        def ask(number: int) -> int:
            reply = client.post(f"{url}/evaluate") if number % 2 else client.get(f"{url}/health")
            return reply.status_code

        statuses = Counter(pool.map(ask, range(200)))
        print(dict(statuses), f"{time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
