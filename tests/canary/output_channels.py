"""Every way by which somebody may be told something, taken from the registers of the program itself.

What is added to a register is searched for leaks from then on, or stands here with the reason why it is not; else a
test fails.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from flask import Response
from flask.testing import FlaskClient

from pbem.discord import commands
from pbem.web.api import OPERATIONS
from pbem.web.routes import ROUTES

QUERIES: Final[Mapping[str, tuple[str, ...]]] = {
    "seat_map": ("", "?live=1", "?entry=1", "?theme=dark"),
    "public_board": ("", "?theme=dark", "?entry=1"),
}
"""How a page is asked for, where it can be asked for in several ways."""

NO_TOKEN: Final = "x" * 26

ACTS: Final[Mapping[str, str]] = {
    "sign_out": "answers with another address alone",
    "change_language": "likewise",
    "send_invitations": "likewise",
    "set_open": "likewise",
    "accept_invitation": "likewise",
    "edit_lobby": "likewise",
    "create_rematch": "likewise",
    "start_practice": "likewise",
}
"""Pages that only act; what they lead to is a page that is searched."""

CHECKED: Final = frozenset({"preview", "moves"})
"""Pages that answer while somebody writes: asked with the lines that their letter offers."""

ANSWERED: Final = frozenset({"preview_orders", "list_moves"})
"""Calls of programs that are asked with something written."""

TRIED: Final[Mapping[str, str]] = {
    "request_own_orders": "leads to get_own_orders",
    "get_own_orders": "opens what one has sealed oneself, to nobody else",
    "preview_commands": "for the token of a master, of whom nobody here has one",
}
"""Calls that are not searched here, nor do they change anything.

Those that do are tried by the tests of access, by everybody and with cards of random names too.
"""

SPOKEN: Final = ("status", "remind", "orders")
UNSPOKEN: Final[Mapping[str, str]] = {"link": "answers with one's own name", "unlink": "answers with a set sentence"}
"""Parts of the slash command: those that are searched, and the others."""

ELSEWHERE: Final = frozenset(
    {
        "complete_sign_in",
        "operator_page",  # for an operator alone; tests/web/test_operator.py searches it
        "join_by_invitation",
        "confirm_address",
        "delete_account",
        "answer_deputy_request",
        "answer_seat_offer",
        "unfollow_by_link",
        "edit_invitations",
        "unsubscribe",  # their links are used up, or were never made
        "archived_entry",
        "archived_game",
        "go_to_archived_entry",
        "archived_steps",
        "archived_talk",
        "download_file",
        "archived_view",
        "archived_board",
        "game_over",  # empty before the end; then all is open
        "join_by_link",  # its link was never made
        "sample_board",  # a game of bots that is nobody's table
        "game_cover",  # the same for all, whatever is played
        "watch",
        "watched_board",  # made as `public_board` is, of a table of bots; here is none
        "send_orders",
        "go_to_entry",
        "go_to_public_entry",  # lead to another page
        "report_page",
        "entry_page",
        "seat_steps",
        "public_entry_page",
        "public_steps",
        "master_acts",  # each at an entry, or for somebody, that need not be met in two turns
    }
)
"""Pages that need not have opened for anybody while two turns were played."""


def pages(game: str, entry: int, tokens: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every page that can be looked at: its name, and its address at a game; `tokens`: for those that have one."""
    for route in ROUTES:
        if "GET" in route.methods:
            place = route.rule.replace("<game>", game).replace("<int:entry>", str(entry)).replace("<viewer>", "public")
            place = place.replace("<table>", game).replace("<token>", tokens.get(route.endpoint, NO_TOKEN))
            for query in QUERIES.get(route.endpoint, ("",)):
                yield route.endpoint, place + query


def unlooked() -> tuple[set[str], set[str], set[str]]:
    """What no search looks at and nothing here speaks of: pages, calls, parts of the slash command."""
    looked = {name for name, _ in pages("g", 1, {})} | set(ACTS) | CHECKED
    called = {one.name for one in OPERATIONS if one.method == "GET" or one.writes} | ANSWERED | set(TRIED)
    spoken = {*SPOKEN, *UNSPOKEN}
    return (
        {route.endpoint for route in ROUTES} ^ looked,
        {one.name for one in OPERATIONS} ^ called,
        {part["name"] for part in commands.command_definition()["options"]} ^ spoken,
    )


def shown(answer: Any) -> str:
    """All that an answer says: its head and its body."""
    head = "\n".join(f"{name}: {value}" for name, value in answer.headers)
    return f"{head}\n{answer.get_data(as_text=True)}"


def checked(client: FlaskClient, game: str, key: str, entry: int, text: str) -> Iterator[Any]:
    """What the page says of lines while they are written, and of what may follow them."""
    asked = json.dumps([{"question": "s0", "form": 0, "reasons": True}])
    for name in sorted(CHECKED):
        sent = {"csrf_token": key, "entry": str(entry), "text": text, "asked": asked}
        yield client.post(f"/games/{game}/{name}", data=sent)


# --- leaks that are planted


def choose_leak(secret: Iterable[str], wholes: Collection[set[str]]) -> str:
    """A name to plant: not that of a card which is alone of its kind, for a list of that one name tells nothing."""
    return min(name for name in secret if {name} not in wholes)


def with_leak(answer: Response, word: str) -> Response:
    """An answer that tells a word too many, of whatever kind it is."""
    if answer.status_code != 200 or answer.direct_passthrough:
        return answer
    body = answer.get_data(as_text=True)
    if answer.mimetype == "application/json" and body.startswith("{"):
        answer.set_data(json.dumps({**json.loads(body), "planted": word}))
    else:
        answer.set_data(f"{body}<!-- {word} -->")
    return answer


def leaky_reply(said: Mapping[str, Any], word: str) -> dict[str, Any]:
    """The same for an answer at Discord."""
    return {**said, "data": {**said["data"], "planted": word}}
