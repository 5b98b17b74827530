"""Messages between players of a game, and their diaries."""
