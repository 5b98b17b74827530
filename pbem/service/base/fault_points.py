"""The named points of a gate's life: at each of them a test may kill the process, and nothing may come out otherwise.

A point stands before or after something that would be lost, or done twice, if the process died just there.
"""

from typing import Final

DOOR: Final = ("door.before_commit", "door.after_commit", "door.woken")
INGEST: Final = (
    "ingest.claimed",
    "ingest.opened",
    "ingest.read",
    "ingest.answered",
    "ingest.before_commit",
    "ingest.after_commit",
    "ingest.woken",
)
PLAY: Final = (
    "play.locked",
    "play.opened",
    "play.advanced",
    "play.entry",
    "play.published",
    "play.receipts",
    "play.before_commit",
    "play.after_commit",
)
FIX: Final = ("play.fixed", "beacon.asked")
"""Passed only at tables with the public beacon."""
DELIVER: Final = ("deliver.claimed", "deliver.rendered", "deliver.kept", "deliver.sent", "deliver.marked")
DRAW: Final = ("draw.claimed", "draw.drawn")
"""Passed only where pictures go along with letters, and by nobody's order."""

REMIND: Final = ("remind.prepared", "remind.before_commit", "remind.after_commit")
"""Passed where a question is due soon, by nobody's order."""

BOTS: Final = ("bots.thought", "bots.filed", "bots.marked")
"""Passed where a bot owes an answer, by nobody's order."""

DAYS: Final = ("days.made", "days.known", "days.sealed", "days.forgotten")
"""Passed once a day, by nobody's order; the third where a letter waits, the last where a key is a day old."""

POINTS: Final = (*DOOR, *INGEST, *PLAY, *DELIVER)
"""All that an order passes, from its letter to the reports."""
