"""What the tests of pages know of the game."""

PHASES = frozenset({"auction", "placement"})
"""The phases that a few answers bring it to."""
