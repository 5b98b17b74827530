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
    "sealed": NOBODY,  # words in sealed orders
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
        "home alive ready start_practice sample_board game_cover watch watched_board sign_in complete_sign_in "
        "change_language show_signing_keys "
        "confirm_address delete_account api_docs api_document join_by_invitation join_by_link answer_deputy_request "
        "answer_seat_offer calendar_feed news_feed unfollow_by_link edit_invitations unsubscribe",
    ),
    **rows(
        SIGNED,
        "sign_out edit_settings data_policy change_address request_deletion discord_account api_tokens new_game "
        "open_tables_page followed_games list_archive statistics_page plain_statistics absences_page open_seats",
    ),
    **rows(SIGNED, "download_data", "talk"),
    **rows(frozenset({"administrator"}), "operator_page"),  # to others it is not there, signed in or not
    **rows(AT_TABLE, "seat_page", "view talk"),
    **rows(HOST, "send_invitations edit_lobby set_open edit_webhooks"),
    **rows(
        NOBODY,
        "accept_invitation game_over archived_entry archived_game archived_talk download_file archived_view "
        "go_to_archived_entry archived_steps archived_board",
    ),
    **rows(ANSWERERS, "send_orders", "view talk"),
    **rows(ANSWERERS, "preview own_orders seat_map go_to_entry entry_page seat_steps", "view"),
    **rows(ANSWERERS, "moves", "forms"),
    **rows(ANSWERERS, "game_status"),
    **rows(ANSWERERS, "help_page", "forms"),
    **rows(AT_TABLE, "table_page public_board charts_page chart_image master_acts"),
    **rows(AT_TABLE, "go_to_public_entry public_entry_page public_steps"),
    **rows(OWNERS, "report_page", "view"),  # a deputy is told of nothing before their time
    **rows(OWNERS, "mute_game resign own_deputies create_rematch deadlines"),
    **rows(AT_TABLE, "conversation", "talk"),
    **rows(MASTERS, "spectators_page"),
}
"""Pages, while the game is under way; where the address is a capability, with one that was never made."""

AFTER: Final = dict.fromkeys(
    (
        "game_over",
        "archived_entry",
        "archived_game",
        "go_to_archived_entry",
        "archived_steps",
        "archived_talk",
        "download_file",
        "archived_view",
        "archived_board",
    ),
    OWNERS,
)
"""Pages of the same game when it is over: for those who sat there at the end, or made the table."""

CALLS: Final = {
    **rows(
        SIGNED,
        "get_me list_games list_deadlines set_mail_preferences list_absences create_absence delete_absence "
        "list_game_types create_game list_open_tables join_open_table withdraw_application list_open_seats take_seat "
        "list_followed_games follow_game list_archive get_statistics",
    ),
    **rows(
        AT_TABLE,
        "get_game get_public_view get_feed set_mute get_lobby get_public_board get_series get_chart list_spectators "
        "get_master_page preview_commands execute_commands",
    ),
    **rows(
        ANSWERERS,
        "get_own_view get_own_board preview_orders submit_orders withdraw_orders set_pace list_reports get_past_entry",
        "view",
    ),
    **rows(ANSWERERS, "list_questions list_moves get_help", "forms"),
    **rows(ANSWERERS, "request_own_orders get_own_orders list_entries"),
    **rows(OWNERS, "get_report", "view"),
    **rows(AT_TABLE, "get_conversation send_message write_diary", "talk"),
    **rows(
        NOBODY,
        "accept_invitation get_archived_game get_archived_entry get_game_file get_archived_board get_archived_talk",
    ),
    **rows(HOST, "send_invitations set_open seat_bots create_link revoke_link cancel_game"),
    **rows(
        OWNERS,
        "create_rematch list_deputies invite_deputy cancel_deputy get_deadlines request_pause resign_seat return_seat",
    ),
    **rows(MASTERS, "invite_spectator"),
}
"""What programs ask, each with a token of the visitor's own, with the scope that the call needs."""

CALLS_AFTER: Final = dict.fromkeys(
    ("get_archived_game", "get_archived_entry", "get_game_file", "get_archived_board", "get_archived_talk"), OWNERS
)
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

PURPOSES: Final = frozenset({"reply", "join", "master", "talk", "deputy", "seat", "address-change", "account-deletion"})
"""What an address with a token may be for; each has a row above, or tests of its own: `join`, `master`, `deputy`,
`seat`, `move`."""

COMMANDS: Final = {
    # which keys a command must hold before it says anything of a game; none: it knows nothing of any
    "archive export": "resolver", "transfer key": "resolver", "transfer cancel": "resolver",
    "transfer export": "resolver", "archive import": "resolver", "archive verify": "", "dev bench engine": "",
    "dev bench cycle": "", "dev bot": "", "demo": "", "doctor": "resolver", "replay": "resolver", "game list": "web",
    "gm": "web", "keys init": "", "keys rotate": "", "keys prune": "", "migrate": "", "run": "", "dev simulate": "",
    "up": "", "game discord": "", "game channels": "mailer", "dev bench pages": "", "dev bench clock": "",
    "dev bench fairness": "", "dev bench moves": "", "dev bench exchanges": "",
    "backup": "", "restore": "", "upgrade": "", "game types": "", "game accept-version": "web",
    "dev new-game": "", "try": "", "keys enrol": "resolver", "keys share-daily": "", "setup": "",
    "game resume": "web", "mail flush": "web", "mail sent": "web", "mail unanswered": "web",
}  # fmt: skip
"""Every command of the operator's shell."""
