"""What the tests of pages know of the game."""

PHASES = frozenset({"tokens", "history", "purchases", "expansion"})
"""The phases that a few answers bring it to."""
