"""A small chatbot about a folder of Markdown documents: it searches them, and lets a model of Ollama answer.

    uvicorn app:app --port 8765   # in this folder; CHATBOT_DOCS, CHATBOT_MODEL, OLLAMA_HOST change the defaults

It tells what it has read (`contexts`) beside its answer, so that the gate can measure whether it keeps to that.
"""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

import httpx
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, Field

DOCS = Path(os.environ.get("CHATBOT_DOCS", "../../docs"))
MODEL = os.environ.get("CHATBOT_MODEL", "gemma-270m")
OLLAMA = os.environ.get("OLLAMA_HOST", "http://127.0.0.1:11434")
PASSAGES = 2  # that the model is given
LONGEST = 600  # characters of a passage
ROLE = "Answer the question in one or two sentences, from the passages alone. If they do not say it, say so."


class Question(BaseModel):
    """What the user asks."""

    question: str = Field(min_length=1, max_length=2000)


class Reply(BaseModel):
    """The answer, the passages that it was made from, and the tokens that it took."""

    answer: str
    contexts: list[str]
    tokens: dict[str, int]


def search_table(folder: Path) -> sqlite3.Connection:
    """A full-text table with a row for each section of each document."""
    table = sqlite3.connect(":memory:", check_same_thread=False)
    table.execute("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize='porter')")
    for path in sorted(folder.rglob("*.md")):
        sections = re.split(r"(?m)^(?=#{1,3} )", path.read_text(encoding="utf-8"))
        table.executemany("INSERT INTO passages VALUES (?)", [(text.strip(),) for text in sections if text.strip()])
    return table


app = FastAPI(title="Example chatbot")
passages = search_table(DOCS)


@app.get("/health")
def health() -> dict[str, str]:
    """Whether documents and model are there."""
    try:
        httpx.get(f"{OLLAMA}/api/version", timeout=5).raise_for_status()
    except httpx.HTTPError as error:
        raise HTTPException(503, f"Ollama at {OLLAMA} does not answer: {error}") from error
    return {"status": "ok"}


@app.post("/chat")
def chat(asked: Question) -> Reply:
    """Answer one question."""
    terms = " OR ".join(f'"{word}"' for word in re.findall(r"\w{3,}", asked.question)) or '"nothing"'
    rows = passages.execute("SELECT text FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?", (terms, PASSAGES))
    contexts = [text[:LONGEST] for (text,) in rows]
    messages = [
        {"role": "system", "content": ROLE},
        {"role": "user", "content": "\n\n".join([*contexts, f"Question: {asked.question}"])},
    ]
    body = {"model": MODEL, "messages": messages, "stream": False, "options": {"temperature": 0, "num_predict": 60}}
    reply = httpx.post(f"{OLLAMA}/api/chat", json=body, timeout=300)
    if reply.is_error:
        raise HTTPException(502, f"Ollama answered {reply.status_code}")
    data = reply.json()
    tokens = {"input_tokens": data.get("prompt_eval_count", 0), "output_tokens": data.get("eval_count", 0)}
    return Reply(answer=data["message"]["content"], contexts=contexts, tokens=tokens)
