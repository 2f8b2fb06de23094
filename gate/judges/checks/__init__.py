"""What the local judge checks exactly: amounts by value, and identifiers."""
