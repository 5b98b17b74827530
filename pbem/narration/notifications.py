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
    "stranger": (),  # to an unknown person who wrote to a table's address
    "how_to_write": (),  # to a person of a table who wrote to its From address
    "wrong_seat": (),  # to a player of the table who wrote to another player's address
    "address_shared": (),  # to that other player, once
    "other_address": ("masked",),  # to the owner: orders came from an address not on file
    "rate_limited": ("minutes",),
    "emails_wait": ("minutes",),  # letters took too much work; those that are left are read in the next hour
    "answers_wait": ("minutes",),  # many letters came; orders are taken, answers are held back
    "failed": (),  # could not be read by the program: kept aside, send again
    "too_much": ("lines",),  # put aside: it takes more work than a letter may
    "seal": (),  # not acted on: a record of the server does not fit its seal
    "not_started": ("missing",),
    "paused": ("since",),
    "held": ("game",),  # the game of the table is not installed, or in another version
    "over": (),
    "moved_away": (),  # the game is played on another server now
    "eliminated": (),
    "voided": ("asks",),  # a rewind voided what was filed; the drafts come back in the report
    "defaulted": ("asks",),  # the deadline passed, the default was taken
    "replaced": (),  # to the former owner: the seat has passed to another player
    "invitation_over": (),
    "name_alike": ("name", "other", "would"),  # to a person who comes to a table: their name is taken for another's
    "table_full": (),
    "declined": ("name",),  # to the host: an invitation was declined, and the seat is free again
    "cancelled": ("name",),  # to a player: the host has given up a table that had not begun
    "uninvited": (),  # to a person who wrote that they want no invitations
    "muted": (),
    "unmuted": (),
    "left": (),
    "address_changed": ("masked",),
    "absence_noted": ("since", "until"),
    "halted": ("until",),  # many missed at once: the clock is stopped
    "offered": ("name",),  # a seat is open
    "taken": ("before", "name"),  # a substitute has taken a seat
    "seat_refused": (),  # to the applicant: the game master said no
    "seat_asked": (),  # to the applicant: the game master must say yes first
    "seat_offer_over": (),  # to the person who was offered a seat: the offer is no longer valid
    "returned": ("before", "name"),  # a seat was given back to its former player
    "help": (),
    "said": ("names",),  # what was said went to these; to all, where there are none
    "unsaid": ("why",),  # nothing was said, and nothing was read as orders
    "deputy_named": ("name", "since", "until"),  # to the owner: the person they asked has agreed
    "deputy_refused": ("name",),  # to the owner: that person declined, and nobody answers for the seat
    "deputy_unclear": (),  # asked to be a deputy or to take a seat, the reader said neither yes nor no
    "deputy_began": ("before", "name", "until"),  # a deputy answers for a seat while its player is away
    "deputy_ended": ("before", "name"),  # the player of a seat answers in person again
    "deputy_over": ("before",),  # to the deputy: their time is over
    "deal_round": ("round", "due", "proof"),  # all seats are taken, and the deal waits for this round
    "round": ("asks", "round", "due", "proof"),  # the answers are fixed, and their draws wait for this round
    "undelivered": ("name", "state", "reply"),  # to a master: letters to a player do not arrive, and their clock stands
    "channel_off": ("masked", "why"),  # to the host: a channel of the table was switched off
    "watching": ("name",),  # to a person who is invited to watch, and by whom
}
"""Every family of notice, with the terms that it needs: moments (closed, first, since, until), topics (asks),
numbers (turn, limit_kb, minutes, missing), and `masked`, an address with its middle left out."""

BOUNCED_VIA: Final = ("discord", "page", "other_address")

WARNINGS: Final = (
    "other_address",
    "quoted",
    "cut_short",
    "after_end",
    "late_but_taken",
    "attachment_ignored",
    "by_master",
)
"""What a receipt may warn of: sent from an address not on file; quoted text left out; the letter was truncated;
lines after END were not read; it came late but the gate was still open; attachments are never read."""
