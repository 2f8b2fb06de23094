"""A piece of a sentence that states something: what is put in front of it, and where it was said."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A clause: `prefix` is the shared condition or subject that was said earlier, the rest is text[start:end]."""

    prefix: str
    start: int
    end: int

    def of(self, text: str) -> str:
        """The words of the piece in `text`."""
        return self.prefix + text[self.start : self.end]

    def up_to(self, text: str, place: int) -> str:
        """Its words and those behind it up to `place`: the prefix of what cannot be said without it."""
        return self.prefix + text[self.start : place]
