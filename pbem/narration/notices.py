"""Every family of notice: a letter that cannot be taken as orders, or something to know."""

from collections.abc import Mapping
from typing import Final

NOTICES: Final[Mapping[str, tuple[str, ...]]] = {
    "late": ("asks", "closed"),  # the gate closed at this moment: what came after it was not used
    "stale": ("asks", "turn"),  # answers a question of an earlier turn or phase
    "not_asked": (),  # nothing is asked of this seat now
    "no_orders": (),  # nothing in it begins like an order
    "empty": (),  # no text at all
    "oversized": ("limit_kb",),
    "encrypted": (),
    "unreadable": (),
    "attachment_only": (),
    "calendar": (),
    "forwarded": (),  # only a forwarded letter, whose lines are not the sender's own
    "quoted_only": (),  # the template came back inside the quote
    "duplicate": ("first",),  # the same letter was answered at this moment
    "revoked": (),  # the reply address is no longer in force
    "stranger": (),  # to somebody unknown who wrote to a table's address
    "wrong_seat": (),  # the token is right, the sender is another player of the table
    "other_address": ("masked",),  # to the owner: orders came from an address not on file
    "rate_limited": ("minutes",),
    "failed": (),  # could not be read by the program: kept aside, send again
    "not_started": ("missing",),
    "paused": ("since",),
    "held": ("game",),  # the game of the table is not installed, or in another version
    "over": (),
    "moved_away": (),  # the game is played on another server now
    "eliminated": (),
    "voided": ("asks",),  # a rewind voided what was filed; the drafts come back in the report
    "defaulted": ("asks",),  # the deadline passed, the default was taken
    "replaced": (),  # to the former owner: the seat has passed to somebody else
    "invitation_over": (),
    "table_full": (),
    "declined": ("name",),  # to the host: somebody declined an invitation, and the seat is free again
    "muted": (),
    "unmuted": (),
    "left": (),
    "address_changed": ("masked",),
    "absence_noted": ("since", "until"),
    "halted": ("until",),  # many missed at once: the clock stands still
    "offered": ("name",),  # a seat looks for another player
    "taken": ("before", "name"),  # a substitute has taken a seat
    "seat_refused": (),  # to whoever asked for a seat: the game master said no
    "seat_asked": (),  # to whoever asks for a seat: the game master must say yes first
    "seat_offer_over": (),  # to whoever was offered a seat: the offer does not hold any more
    "returned": ("before", "name"),  # a seat was given back to who had it before
    "help": (),
    "said": ("names",),  # what was said went to these; to all, where there are none
    "unsaid": ("why",),  # nothing was said, and nothing was read as orders
    "deputy_named": ("name", "since", "until"),  # to the owner: whoever he asked has agreed
    "deputy_refused": ("name",),  # to the owner: he has not, and nobody answers for the seat
    "deputy_unclear": (),  # somebody who is asked to be a deputy, or to take a seat, said neither yes nor no
    "deputy_began": ("before", "name", "until"),  # somebody answers for a seat while its player is away
    "deputy_ended": ("before", "name"),  # the player of a seat answers for it himself again
    "deputy_over": ("before",),  # to the deputy: his time is over
    "channel_off": ("masked", "why"),  # to who keeps a table: a channel it wrote to was switched off
    "watching": ("name",),  # to somebody who is invited to look on, and by whom
}
"""Every family of notice, with the terms that it needs: moments (closed, first, since, until), topics (asks),
numbers (turn, limit_kb, minutes, missing), and `masked`, an address with its middle left out."""

BOUNCED_VIA: Final = ("discord", "page", "other_address")

WARNINGS: Final = (
    "other_address", "quoted", "cut_short", "after_end", "late_but_taken", "attachment_ignored", "by_master",
)  # fmt: skip
"""What a receipt may warn of: sent from an address not on file; quoted text left out; the letter was truncated;
lines after END were not read; it came late but the gate was still open; attachments are never read."""
