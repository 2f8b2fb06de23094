"""How questions come from documents: pure functions over chunks."""
