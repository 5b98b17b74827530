"""What each sentence to or about a game master needs: its terms, by its code."""

from collections.abc import Mapping
from typing import Any, Final

DUE: Final = 1763751600
_ALL: Final[Mapping[str, Any]] = {
    "phase": "27", "phases": ("27", "12"), "names": ("Zoé", "Édouard"), "name": "Zoé", "seat": "Édouard",
    "moment": DUE, "reaction": True, "read": 2, "unread": ("12",), "line": "27", "word": "ABC123", "days": 7,
    "two": True, "approval": False, "state": "running", "entry": 12, "address": "zoe@x.example", "cause": "pause",
    "text": "27", "what": "hand", "hidden": (), "voices": 2, "needed": 3, "by": "Romain", "written": "27",
    "hours": 24, "most": 2000,
}  # fmt: skip
_CODES: Final[Mapping[str, str]] = {
    "nothing_asked": "", "would_default": "phase names reaction", "all_answered": "phase names reaction",
    "processed": "phase names", "deadline_will": "moment", "deadline_is": "moment", "would_pause": "", "paused": "",
    "would_resume": "", "resumed": "", "would_hold": "name", "held": "name", "would_release": "name",
    "released": "name", "would_promote": "name", "promoted": "name", "would_demote": "name", "demoted": "name",
    "you_master": "name", "you_elected": "", "would_replace": "seat name", "replaced": "seat name",
    "would_refuse": "name", "refused": "name", "would_answer": "name read unread", "answered": "name",
    "would_eject": "name", "ejected": "name", "would_eliminate": "name",
    "eliminated": "name", "masters": "names two approval days", "state": "state entry",
    "asked_for": "name address seat", "called": "moment", "stands_still": "moment cause", "held_seats": "names",
    "agree_waits": "line", "would_broadcast": "text", "broadcast": "text", "was_broadcast": "", "would_two_on": "",
    "would_two_off": "", "two_on": "", "two_off": "", "would_approval_on": "", "would_approval_off": "",
    "approval_on": "", "approval_off": "", "would_patience": "days", "patience": "days", "would_open": "name what",
    "opens": "name what", "opened": "name what", "opened_deck": "hidden", "opened_nothing": "name",
    "opened_not_yet": "", "would_agree": "line", "would_call": "", "was_called": "",
    "you_are_called": "name", "table_halted": "moment",
    "would_elect": "name", "elect_noted": "name voices needed", "elect_wanted": "name needed by",
    "elected": "name", "would_vote_out": "name", "out_noted": "name voices needed", "out_wanted": "name needed by",
    "voted_out": "name", "seat_wanted": "name address seat", "agree_wanted": "name line word", "acted": "name line",
    "confirm_alone": "", "write_here": "", "no_not_your_table": "", "no_not_master": "", "no_not_in_state": "state",
    "no_nothing_asked": "", "no_phase_missing": "phases", "no_phase_stale": "phases", "no_phase_closing": "",
    "no_paused": "", "no_no_deadline": "", "no_too_far": "days", "no_no_moment": "written", "no_too_soon": "hours",
    "no_paused_already": "", "no_not_paused": "", "no_seat_empty": "name", "no_held_already": "name",
    "no_not_held": "name", "no_master_already": "name", "no_no_such_person": "written", "no_no_master": "written",
    "no_last_master": "", "no_two_needed": "", "no_no_application": "names", "no_not_offered": "name",
    "no_no_lines": "", "no_not_asked": "name", "no_no_orders": "", "no_sat_before": "name", "no_no_way_out": "name",
    "no_no_text": "", "no_too_long": "most", "no_no_second_master": "", "no_whose": "", "no_plays_himself": "",
    "no_no_such_word": "", "no_word_of_then": "", "no_not_yours_to_agree": "", "no_not_needed": "",
    "no_not_gone": "days moment", "no_no_voice": "", "no_own_seat": "", "would_offer": "seat name",
    "offered_to": "seat name moment", "offer_waits": "seat name moment", "offer_accepted": "seat name",
    "offer_declined": "seat name", "offer_over": "seat name", "would_take_back": "seat name", "took_back": "seat name",
    "would_join": "name", "joined": "name", "asked_in": "name address", "place_wanted": "name address",
    "no_offered_already": "seat name", "no_nothing_offered": "name", "no_asked_too_often": "", "no_no_free_seat": "",
}  # fmt: skip

TERMS: Final[Mapping[str, Mapping[str, Any]]] = {
    code: {name: _ALL[name] for name in needed.split()} for code, needed in _CODES.items()
}
