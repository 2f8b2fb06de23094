"""How an answer becomes claims: its units as written, each with the context that it leans on."""
