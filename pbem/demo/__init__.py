"""A game to play at once: the whole server on this machine, a post office of its own, and players who write letters."""
