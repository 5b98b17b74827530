"""Games as files, finished games, search and statistics."""
