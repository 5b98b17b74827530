"""What the tests of pages know of the game."""

PHASES = frozenset({"setup", "purchases", "expansion", "combat"})
"""The phases that a few answers bring it to."""
