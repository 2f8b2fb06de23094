"""Files of other tools as the gate's own: one reader for each format, and a list of what was left out."""
