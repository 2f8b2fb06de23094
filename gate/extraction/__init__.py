"""How an answer becomes atomic claims: pure functions over text."""
