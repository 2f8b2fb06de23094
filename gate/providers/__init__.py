"""What reaches a model: one method behind one Protocol, wrapped by retries and the recorder."""
