"""How a verdict is told: pure renderers from the verdict document to text."""
