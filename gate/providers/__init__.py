"""What reaches a model: one method behind one Protocol, and the chain of wrappers around it (gate.providers.chain)."""
