"""Talk at a table, and the diaries."""
