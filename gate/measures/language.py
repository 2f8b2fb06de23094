"""Which texts the local tools cannot read: a number about another language than English is a guess."""

from __future__ import annotations

from gate.text_language import is_foreign


def why_unread(**texts: str) -> str:
    """Why nothing can be said of these texts, by their names; empty where all can be read."""
    found = [f"the {name}" for name, text in texts.items() if is_foreign(text)]
    verb = "are" if len(found) > 1 else "is"
    return f"{' and '.join(found)} {verb} not in English, which is all that the local tools read" if found else ""
