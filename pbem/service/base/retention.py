"""How long rows of work that is done are kept, in days; players are told."""

from typing import Final

DONE_DAYS: Final = 30
"""Letters that were dealt with or sent, and the like."""
REPLY_DAYS: Final = 180
"""How long a reply address is remembered: until then a letter to it is at least answered."""
