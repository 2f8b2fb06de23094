"""Sources x formats: bytes to text to chunks to an index."""
