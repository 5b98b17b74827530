"""Laws: what holds for every input of a kind, each with a search that tries to break it."""
