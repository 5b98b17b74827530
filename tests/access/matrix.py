"""The table: for each page, call, letter and command, whom it lets in and what it may show them.

A visitor who is not let in is sent to sign in if they are nobody, and finds nothing there otherwise, whether there is
anything or not.  What has no row fails the tests.
"""

from typing import Final, NamedTuple

from pbem.service.access.permissions import Permission

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
    Permission.TABLE: AT_TABLE,
    Permission.INVITED: NOBODY,
    Permission.HOST: HOST,
    Permission.SEAT: OWNERS,
    Permission.ANSWERS: ANSWERERS,
    Permission.SPEAKS: OWNERS | {"master"},
    Permission.SEES: AT_TABLE,
    Permission.MASTERS: MASTERS,
    Permission.RECORD: NOBODY,
}
"""Whom each of the server's groups holds at a table whose game is under way."""


class Row(NamedTuple):
    """Whom something lets in, and what it shows.

    `shows`: `view` (what one's seat may see), `talk` (what one may hear), both, `forms` (how to write an order: lists
    of all cards of a kind, the same for everybody, whatever they hold), or what everybody at the table may see.
    """

    lets_in: frozenset[str]
    shows: str = "public"


def rows(lets_in: frozenset[str], names: str, shows: str = "public") -> dict[str, Row]:
    """The same row for each of these names."""
    return dict.fromkeys(names.split(), Row(lets_in, shows))


ROUTES: Final = {
    **rows(
        EVERYBODY,
        "home alive ready practice sample sign_in enter language signing_keys move forgotten api_docs "
        "api_document join table_link deputy offer calendar feed spectator invitations unsubscribe ",
    ),
    **rows(
        SIGNED,
        "sign_out settings kept address forget account programs new open_tables watch records figures "
        "plain_figures time open_seats",
    ),
    **rows(SIGNED, "kept_file", "talk"),
    **rows(frozenset({"administrator"}), "operator"),  # to others it is not there, signed in or not
    **rows(AT_TABLE, "seat", "view talk"),
    **rows(HOST, "invite form_table publish channels"),
    **rows(NOBODY, "accept end at record record_talk file then record_map"),
    **rows(ANSWERERS, "orders", "view talk"),
    **rows(ANSWERERS, "check read map lookup past", "view"),
    **rows(ANSWERERS, "pulse"),
    **rows(ANSWERERS, "explain", "forms"),
    **rows(AT_TABLE, "table board plots plot master"),
    **rows(OWNERS, "report", "view"),  # a deputy is told of nothing before their time
    **rows(OWNERS, "mute leave deputies rematch timetable"),
    **rows(AT_TABLE, "talk", "talk"),
    **rows(MASTERS, "watchers"),
}
"""Pages, while the game is under way; where the address is a capability, with one that was never made."""

AFTER: Final = dict.fromkeys(("end", "at", "record", "record_talk", "file", "then", "record_map"), OWNERS)
"""Pages of the same game when it is over: for those who sat there at the end, or made the table."""

CALLS: Final = {
    **rows(
        SIGNED,
        "me games deadlines letters absences announce call_off rules create open_tables sit_down ask_no_more "
        "vacancies take watched_tables look_on records all_figures",
    ),
    **rows(AT_TABLE, "game public feed hear waiting board figures plot spectators master_page master_preview master"),
    **rows(ANSWERERS, "view map preview submit withdraw pace reports past", "view"),
    **rows(ANSWERERS, "decisions help", "forms"),
    **rows(ANSWERERS, "ask_back read_back history"),
    **rows(OWNERS, "report", "view"),
    **rows(AT_TABLE, "talk say note", "talk"),
    **rows(NOBODY, "accept record then file recorded_board recorded_talk"),
    **rows(HOST, "invite publish seat_bots make_link end_link cancel"),
    **rows(OWNERS, "rematch deputies name_deputy end_deputy time wish leave give_back"),
    **rows(MASTERS, "let_look"),
}
"""What programs ask, each with a token of the visitor's own, with the scope that the call needs."""

CALLS_AFTER: Final = dict.fromkeys(("record", "then", "file", "recorded_board", "recorded_talk"), OWNERS)
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
    "archive export": "resolver", "transfer key": "resolver", "transfer cancel": "resolver",
    "transfer export": "resolver", "archive import": "resolver", "archive verify": "", "bench engine": "",
    "bench cycle": "", "bot": "", "demo": "", "doctor": "resolver", "replay": "resolver", "game list": "web",
    "gm": "web", "keys init": "", "keys rotate": "", "keys prune": "", "migrate": "", "run": "", "simulate": "",
    "up": "", "channels commands": "", "channels list": "mailer", "bench pages": "", "bench clock": "",
    "backup mark-restored": "resolver", "backup verify": "resolver", "game types": "", "game accept-version": "web",
    "new-game": "", "operator enrol": "resolver", "keys share-daily": "", "setup": "", "game resume": "web",
    "mail flush": "web", "mail unanswered": "web",
}  # fmt: skip
"""Every command of the operator's shell."""
