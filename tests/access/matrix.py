"""The table: for each page, call, letter and command, whom it lets in and what it may show them.

A visitor who is not let in is sent to sign in if they are nobody, and finds nothing there otherwise, whether there is
anything or not.  What has no row fails the tests.
"""

from typing import Final, NamedTuple

from pbem.service.access.permissions import Who

VISITORS: Final = (
    "nobody",  # not signed in
    "stranger",  # signed in, with no part in the table
    "own",  # has the second seat
    "other",  # has the third
    "deputy",  # answers for the second while its player is away
    "former",  # had the fourth until it passed on
    "substitute",  # has the fourth since then
    "spectator",  # looks on
    "master",  # masters the game, without a seat
    "playing",  # masters the game they made, from the first seat
    "administrator",  # has the server's shell; to the pages they are a stranger, but for the operator's
)
EVERYBODY: Final = frozenset(VISITORS)
SIGNED: Final = EVERYBODY - {"nobody"}
OWNERS: Final = frozenset({"own", "other", "substitute", "playing"})
ANSWERERS: Final = OWNERS | {"deputy"}
AT_TABLE: Final = ANSWERERS | {"spectator", "master"}
HOST: Final = frozenset({"playing"})
MASTERS: Final = HOST | {"master"}
NOBODY: Final[frozenset[str]] = frozenset()

SEATS: Final = {"own": "s2", "deputy": "s2", "other": "s3", "substitute": "s4", "playing": "s1"}
"""Through whose eyes somebody may see."""

AUDIENCE: Final = {
    "public": AT_TABLE,  # said to all
    "secret": frozenset({"own", "other"}),  # said by the second seat to the third
    "question": frozenset({"other", "playing", "master"}),  # asked of the masters by the third seat
    "before": frozenset({"playing"}),  # said to the fourth seat's earlier player
    "diary": frozenset({"own"}),  # noted by the second
    "old diary": NOBODY,  # noted by the fourth seat's earlier player
    "sealed": NOBODY,  # words in a waiting ballot
}
"""The readers of each kind of words, wherever those are shown."""


GROUPS: Final = {
    Who.TABLE: AT_TABLE,
    Who.INVITED: NOBODY,
    Who.HOST: HOST,
    Who.SEAT: OWNERS,
    Who.ANSWERS: ANSWERERS,
    Who.SPEAKS: OWNERS | {"master"},
    Who.SEES: AT_TABLE,
    Who.MASTERS: MASTERS,
    Who.RECORD: NOBODY,
}
"""Whom each of the server's groups holds at a table whose game is under way."""


class Row(NamedTuple):
    """Whom something lets in, and what it shows.

    `shows`: `view` (what one's seat may see), `talk` (what one may hear), both, `forms` (how to write an order: lists
    of all cards of a kind, the same for everybody, whatever they hold), or what everybody at the table may see.
    """

    lets_in: frozenset[str]
    shows: str = "public"


ROUTES: Final = {
    "home": Row(EVERYBODY),
    "alive": Row(EVERYBODY),
    "ready": Row(EVERYBODY),
    "practice": Row(EVERYBODY),
    "sample": Row(EVERYBODY),
    "sign_in": Row(EVERYBODY),
    "enter": Row(EVERYBODY),
    "sign_out": Row(SIGNED),
    "language": Row(EVERYBODY),
    "signing_keys": Row(EVERYBODY),
    "settings": Row(SIGNED),
    "kept": Row(SIGNED),
    "address": Row(SIGNED),
    "forget": Row(SIGNED),
    "move": Row(EVERYBODY),
    "forgotten": Row(EVERYBODY),
    "kept_file": Row(SIGNED, "talk"),
    "operator": Row(frozenset({"administrator"})),  # to others it is not there, signed in or not
    "account": Row(SIGNED),
    "programs": Row(SIGNED),
    "api_docs": Row(EVERYBODY),
    "api_document": Row(EVERYBODY),
    "new": Row(SIGNED),
    "join": Row(EVERYBODY),
    "seat": Row(AT_TABLE, "view talk"),
    "invite": Row(HOST),
    "form_table": Row(HOST),
    "table_link": Row(EVERYBODY),
    "accept": Row(NOBODY),
    "orders": Row(ANSWERERS, "view talk"),
    "check": Row(ANSWERERS, "view"),
    "pulse": Row(ANSWERERS),
    "read": Row(ANSWERERS, "view"),
    "explain": Row(ANSWERERS, "forms"),
    "table": Row(AT_TABLE),
    "report": Row(OWNERS, "view"),  # a deputy is told of nothing before their time
    "map": Row(ANSWERERS, "view"),
    "board": Row(AT_TABLE),
    "plots": Row(AT_TABLE),
    "plot": Row(AT_TABLE),
    "lookup": Row(ANSWERERS, "view"),
    "open_tables": Row(SIGNED),
    "publish": Row(HOST),
    "past": Row(ANSWERERS, "view"),
    "master": Row(AT_TABLE),
    "mute": Row(OWNERS),
    "leave": Row(OWNERS),
    "talk": Row(AT_TABLE, "talk"),
    "deputies": Row(OWNERS),
    "deputy": Row(EVERYBODY),
    "offer": Row(EVERYBODY),
    "watch": Row(SIGNED),
    "watchers": Row(MASTERS),
    "records": Row(SIGNED),
    "figures": Row(SIGNED),
    "plain_figures": Row(SIGNED),
    "end": Row(NOBODY),
    "rematch": Row(OWNERS),
    "at": Row(NOBODY),
    "record": Row(NOBODY),
    "record_talk": Row(NOBODY),
    "file": Row(NOBODY),
    "then": Row(NOBODY),
    "record_map": Row(NOBODY),
    "timetable": Row(OWNERS),
    "channels": Row(HOST),
    "time": Row(SIGNED),
    "open_seats": Row(SIGNED),
    "calendar": Row(EVERYBODY),
    "feed": Row(EVERYBODY),
    "spectator": Row(EVERYBODY),
    "invitations": Row(EVERYBODY),
    "unsubscribe": Row(EVERYBODY),
    "unsubscribe_table": Row(EVERYBODY),
}
"""Pages, while the game is under way; where the address is a capability, with one that was never made."""

AFTER: Final = {
    "end": OWNERS,
    "at": OWNERS,
    "record": OWNERS,
    "record_talk": OWNERS,
    "file": OWNERS,
    "then": OWNERS,
    "record_map": OWNERS,
}
"""Pages of the same game when it is over: for those who sat there at the end, or made the table."""

CALLS: Final = {
    "me": Row(SIGNED),
    "games": Row(SIGNED),
    "deadlines": Row(SIGNED),
    "game": Row(AT_TABLE),
    "public": Row(AT_TABLE),
    "view": Row(ANSWERERS, "view"),
    "feed": Row(AT_TABLE),
    "decisions": Row(ANSWERERS, "forms"),
    "help": Row(ANSWERERS, "forms"),
    "map": Row(ANSWERERS, "view"),
    "preview": Row(ANSWERERS, "view"),
    "submit": Row(ANSWERERS, "view"),
    "withdraw": Row(ANSWERERS, "view"),
    "pace": Row(ANSWERERS, "view"),
    "ask_back": Row(ANSWERERS),
    "read_back": Row(ANSWERERS),
    "reports": Row(ANSWERERS, "view"),
    "report": Row(OWNERS, "view"),
    "talk": Row(AT_TABLE, "talk"),
    "say": Row(AT_TABLE, "talk"),
    "note": Row(AT_TABLE, "talk"),
    "hear": Row(AT_TABLE),
    "letters": Row(SIGNED),
    "absences": Row(SIGNED),
    "announce": Row(SIGNED),
    "call_off": Row(SIGNED),
    "rules": Row(SIGNED),
    "create": Row(SIGNED),
    "open_tables": Row(SIGNED),
    "sit_down": Row(SIGNED),
    "ask_no_more": Row(SIGNED),
    "vacancies": Row(SIGNED),
    "take": Row(SIGNED),
    "watched_tables": Row(SIGNED),
    "look_on": Row(SIGNED),
    "waiting": Row(AT_TABLE),
    "accept": Row(NOBODY),
    "invite": Row(HOST),
    "publish": Row(HOST),
    "seat_bots": Row(HOST),
    "make_link": Row(HOST),
    "end_link": Row(HOST),
    "cancel": Row(HOST),
    "rematch": Row(OWNERS),
    "board": Row(AT_TABLE),
    "figures": Row(AT_TABLE),
    "plot": Row(AT_TABLE),
    "history": Row(ANSWERERS),
    "past": Row(ANSWERERS, "view"),
    "spectators": Row(AT_TABLE),
    "let_look": Row(MASTERS),
    "deputies": Row(OWNERS),
    "name_deputy": Row(OWNERS),
    "end_deputy": Row(OWNERS),
    "time": Row(OWNERS),
    "wish": Row(OWNERS),
    "leave": Row(OWNERS),
    "give_back": Row(OWNERS),
    "master_page": Row(AT_TABLE),
    "master_preview": Row(AT_TABLE),
    "master": Row(AT_TABLE),
    "records": Row(SIGNED),
    "record": Row(NOBODY),
    "then": Row(NOBODY),
    "file": Row(NOBODY),
    "recorded_board": Row(NOBODY),
    "recorded_talk": Row(NOBODY),
    "all_figures": Row(SIGNED),
}
"""What programs ask, each with a token of the visitor's own, with the scope that the call needs."""

CALLS_AFTER: Final = {"record": OWNERS, "then": OWNERS, "file": OWNERS, "recorded_board": OWNERS,
                      "recorded_talk": OWNERS}  # fmt: skip
"""Calls about the same game when it is over."""

SERVICES: Final = {
    "orders": ANSWERERS,
    "preview": ANSWERERS,
    "read back": ANSWERERS,
    "talk to all": OWNERS | {"master"},
    "talk in secret": OWNERS | {"master"},
    "diary": OWNERS | {"master"},
    "resign": OWNERS,
    "give back": frozenset({"substitute"}),
    "pause": OWNERS | {"master"},
    "name a deputy": OWNERS,
    "invite a spectator": MASTERS,
    "invite a player": NOBODY,
    "take a seat": NOBODY,
    "master": MASTERS,
}
"""What services do for each person: the game is under way, no seat is free, and its table is full."""

LETTERS: Final = {
    # by address: what each sender (as the letter names them) gets, always at the address of record
    "reply of own": {"own": "receipt to own", "at table": "notice to other", "other": "receipt to own"},
    "reply of deputy": {"own": "receipt to deputy", "at table": "notice to other", "other": "receipt to deputy"},
    "reply of former": {"own": "nothing", "at table": "nothing", "other": "nothing"},
    "talk of own": {"own": "notice to own", "at table": "notice to other", "other": "notice to own"},
    "wish of own": {"own": "account to own", "at table": "account to own", "other": "account to own"},
    "table": {"own": "notice to own", "at table": "notice to other", "other": "nothing"},
    "bounce": {"own": "nothing", "at table": "nothing", "other": "nothing"},
    "made up": {"own": "nothing", "at table": "nothing", "other": "nothing"},
}
"""Letters with orders, to each kind of address: from its owner, from a player of the table, from anybody else.

Beside this the owner of an address is told, once, that another player of the table wrote to it.
"""

PURPOSES: Final = frozenset({"reply", "join", "master", "talk", "deputy", "seat", "move", "forget"})
"""What an address with a token may be for; each has a row above, or tests of its own: `join`, `master`, `deputy`,
`seat`, `move`."""

COMMANDS: Final = {
    # which keys a command must hold before it says anything of a game; none: it knows nothing of any
    "archive export": "play", "archive key": "play", "archive reopen": "play", "archive import": "play",
    "archive verify": "", "bench engine": "", "bench cycle": "", "bot": "", "demo": "", "doctor": "play",
    "doctor replay": "play", "game list": "web", "gm": "web", "keys init": "", "keys rotate": "", "keys retire": "",
    "keys unsigned": "", "keys vouch": "",
    "migrate": "", "run": "", "simulate": "", "up": "", "channels commands": "", "channels list": "post",
    "bench pages": "", "bench clock": "", "restored": "play", "games": "",
    "game accept": "web", "new-game": "", "operator enrol": "play", "keys chain": "",
    "setup": "", "game retry": "web", "letters retry": "web", "letters unanswered": "web",
}  # fmt: skip
"""Every command of the operator's shell."""
