"""What the tests of pages know of the game."""

PHASES = frozenset({"setup", "actions"})
"""The phases that a few answers bring it to."""
