"""Entry points of the workers: a letter came, a game is to be played, the clock ticked."""
