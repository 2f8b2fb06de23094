"""Hard checks on a claim and the window that it lies on: each can only lower a label, and says what it found."""
