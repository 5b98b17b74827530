"""What programs do around a table: making, finding, joining, leaving it; time, deputies, spectators, letters."""

from typing import Any

import pytest

from pbem.service.access import users
from pbem.service.access.api_tokens import SCOPES
from pbem.service.base.database_access import PageWindow
from pbem.service.base.limits import LIMITS
from pbem.service.deadlines import gate_timing
from pbem.service.seats import deputies, open_tables
from pbem.store.models import Game
from pbem.web.api import OPERATIONS
from pbem.web.api.shapes_records import PageQuery
from tests.api.api_client import Program, issued
from tests.api.conftest import Quay
from tests.api.test_operations import problem
from tests.archive.bots import play_on
from tests.service.master_commands import get_user_id
from tests.web.form_browser import site

NEW = {"rules": "toy", "title": "Lily", "players": 2}


def made(quay: Quay, **more: Any) -> str:
    """A table that p1's program made."""
    answer = quay.program("p1@games.test").post("/tables", {**NEW, **more})
    assert answer.status_code == 200, answer.text
    quay.harness.run_queued_tasks()
    return str(answer.json["game"])


def came(answer: Any) -> str:
    """What came of an act that was answered."""
    assert answer.status_code == 200, answer.text
    return str(answer.json["outcome"])


# --- before the game


def test_a_table_is_made_invited_to_and_joined(quay: Quay) -> None:
    """What can be played is listed; as on the pages a table has a seed's digest and mails invitations; a program takes
    the seat, and it begins.
    """
    host, guest = quay.program("p1@games.test"), quay.program("ann@games.test")
    toy = next(one for one in host.get("/game-types").json["rules"] if one["rules"] == "toy")
    pace = next(option for option in toy["options"] if option["name"] == "pace")
    assert toy["players"] == [2, 3, 4]
    assert pace["default"] in {choice["value"] for choice in pace["choices"]}
    assert "bid" in {phase["topic"] for phase in toy["phases"]}
    game = made(quay, deadlines={"hours": 48, "clock": "20:00", "days": [1, 2, 3], "phases": {"bid": 24}})
    at = f"/games/{game}"
    shown = host.get(f"{at}/lobby").json
    assert (shown["hours"], shown["free_seats"], shown["open"], len(shown["digest"])) == (48, 1, False, 64)
    assert guest.get(f"{at}/lobby").status_code == 404
    assert came(host.post(f"{at}/invite", {"addresses": ["ann@games.test"]})) == "done"
    assert host.get(f"{at}/lobby").json["seats"][1]["invited_email"] == "ann@games.test"
    assert guest.get("/games").json["invitations"][0]["game"] == game
    assert guest.get(f"{at}/lobby").json["seats"][1]["invited_email"] is None
    assert guest.post(f"{at}/accept", {"words": "violets"}).json == {"outcome": "done", "game": game}
    quay.harness.run_queued_tasks()
    assert guest.get(at).json["state"] == "running"
    time = guest.get(f"{at}/deadlines").json
    assert (time["usual"]["clock"], time["usual"]["days"]) == ("20:00", [1, 2, 3])
    assert time["phases"]["bid"]["hours"] == 24
    assert guest.post(f"{at}/accept", {"words": ""}).status_code == 404


def test_a_link_is_made_followed_and_revoked(quay: Quay) -> None:
    """The host's program gets the link, the same again for its key; a new one, or none, closes those before it."""
    at = f"/games/{made(quay)}"
    host, guest = quay.program("p1@games.test"), quay.program("ann@games.test")
    first = host.post(f"{at}/link", key="k").json
    assert first["outcome"] == "done"
    assert host.post(f"{at}/link", key="k").json == {**first, "outcome": "repeated"}
    assert guest.post(f"{at}/link").status_code == 404
    second = host.post(f"{at}/link").json["link"]

    def opened(link: str) -> bool:
        return open_tables.find_game_by_link(quay.harness.web, link.rpartition("/")[2]) is not None

    assert [opened(first["link"]), opened(second)] == [False, True]
    assert came(host.delete(f"{at}/link")) == "done"
    assert not opened(second)


def test_a_table_is_given_up_before_it_begins_and_not_after(quay: Quay) -> None:
    """Nothing of it is kept; a game under way is not given up so."""
    game = made(quay)
    host = quay.program("p1@games.test")
    assert quay.program("ann@games.test").post(f"/games/{game}/cancel").status_code == 404
    assert came(host.post(f"/games/{game}/cancel")) == "done"
    assert game not in {row.id for row in quay.harness.load_rows(Game)}
    problem(host.post(f"{quay.at}/cancel"), 409, "not_running")


def test_the_same_people_play_once_more(quay: Quay) -> None:
    """A player of a game that is over hosts the next one, once for a key; one that is under way has none."""
    host = quay.program("p1@games.test")
    problem(host.post(f"{quay.at}/rematch"), 409, "not_running")
    play_on(quay.harness, quay.game)
    next_one = host.post(f"{quay.at}/rematch", key="k").json
    assert next_one["outcome"] == "done"
    assert host.get(f"/games/{next_one['game']}/lobby").json["title"] == host.get(quay.at).json["title"]
    assert host.post(f"{quay.at}/rematch", key="k").json == {"outcome": "repeated", "game": None}


def test_a_table_is_made_once_for_each_key(quay: Quay) -> None:
    """The same call sent again makes no second table; what was refused may be sent again with its key."""
    program, before = quay.program("p1@games.test"), len(quay.harness.load_rows(Game))
    problem(program.post("/tables", {**NEW, "players": 9}, key="k"), 409, "refused")
    assert came(program.post("/tables", NEW, key="k")) == "done"
    assert program.post("/tables", NEW, key="k").json == {"outcome": "repeated", "game": None}
    assert len(quay.harness.load_rows(Game)) == before + 1


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"rules": "chess"}, "refused"),
        ({"options": {"pace": "quick"}}, "refused"),
        ({"title": " \u200b"}, "refused"),
        ({"deadlines": {"hours": 9, "phases": {"nothing": 1}}}, "refused"),
        ({"deadlines": {"hours": 9, "clock": "25:00"}}, "does_not_fit"),
        ({"deadlines": {"hours": 9, "free": ["2026-02-30"]}}, "does_not_fit"),
        ({"title": ""}, "does_not_fit"),
    ],
)
def test_a_table_that_cannot_be_is_not_made(quay: Quay, wrong: dict[str, Any], code: str) -> None:
    """What the rules forbid is refused in the page's own words, and what does not fit names its place."""
    before = len(quay.harness.load_rows(Game))
    problem(quay.program("p1@games.test").post("/tables", {**NEW, **wrong}), {"refused": 409}.get(code, 422), code)
    assert len(quay.harness.load_rows(Game)) == before


def test_an_open_table_is_found_and_joined(quay: Quay) -> None:
    """Its host opens it, others find it, one takes the seat; a latecomer is answered as if there were no such table."""
    game = made(quay)
    host, guest, late = (quay.program(f"{who}@games.test") for who in ("p1", "ann", "bob"))
    assert guest.get("/tables/open").json == {"tables": [], "more": 0}
    problem(guest.post("/tables/open", {"game": game}), 409, "refused")
    assert guest.post(f"/games/{game}/open", {"open": True}).status_code == 404
    assert came(host.post(f"/games/{game}/open", {"open": True})) == "done"
    (offer,) = guest.get("/tables/open").json["tables"]
    assert (offer["table"]["game"], offer["approves"]) == (game, False)
    assert guest.post("/tables/open", {"game": game, "words": "roses"}).json == {"outcome": "done", "game": game}
    there, nowhere = (late.post("/tables/open", {"game": one}) for one in (game, "bcdfghjkmnpq"))
    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text) == (409, there.text)
    quay.harness.run_queued_tasks()
    assert quay.harness.load_game(game).state == "running"


def test_a_table_whose_master_decides_is_asked(quay: Quay) -> None:
    """A program asks for the seat instead of taking it, and can withdraw the request."""
    game = made(quay)
    host, guest = quay.program("p1@games.test"), quay.program("ann@games.test")
    masters = quay.program("p1@games.test", scope="master")
    assert masters.post(f"/games/{game}/master", {"lines": ["APPROVAL ON"]}).json["acts"][0]["outcome"] == "done"
    host.post(f"/games/{game}/open", {"open": True})
    assert came(guest.post("/tables/open", {"game": game})) == "asked"
    assert guest.get("/tables/open").json["tables"][0]["asked"]
    assert came(guest.delete(f"/applications/{game}")) == "done"
    assert not guest.get("/tables/open").json["tables"][0]["asked"]
    assert quay.harness.load_game(game).state == "open"


def test_lists_come_in_parts(quay: Quay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part of the list of open tables says how to go on."""
    for number in range(3):
        open_tables.set_open(quay.harness.web, made(quay, title=f"Lily {number}"), True)
    monkeypatch.setattr("pbem.web.api.tables._page", lambda call: PageWindow(call.query(PageQuery).leave_out, 2))
    guest = quay.program("ann@games.test")
    first = guest.get("/tables/open").json
    rest = guest.get(f"/tables/open?leave_out={first['more']}").json
    assert (len(first["tables"]), first["more"], len(rest["tables"]), rest["more"]) == (2, 2, 1, 0)


# --- seats that pass on, time, company


def test_a_seat_is_given_up_taken_over_and_given_back(quay: Quay) -> None:
    """The seat looks for a player until somebody takes it; its first player may have it again."""
    two, nora = quay.program("p2@games.test"), quay.program("nora@games.test")
    assert two.post(f"{quay.at}/resign", {"sure": "perhaps"}).status_code == 422
    assert nora.get("/seats/open").json == {"seats": [], "more": 0}
    assert came(two.post(f"{quay.at}/resign", {"sure": "yes"})) == "done"
    (vacant,) = nora.get("/seats/open").json["seats"]
    assert (vacant["game"], vacant["seat"], vacant["player"]) == (quay.game, "s2", "p2")
    assert came(nora.post("/seats/open", {"game": quay.game, "seat": "s2"})) == "done"
    assert two.get(f"{quay.at}/view").status_code == 404
    assert nora.get(f"{quay.at}/deadlines").json["predecessor"]
    assert came(nora.post(f"{quay.at}/give-back", {"sure": "yes"})) == "done"
    assert two.get(f"{quay.at}/view").status_code == 200
    problem(two.post("/seats/open", {"game": quay.game, "seat": "s1"}), 409, "refused")


def test_an_absence_is_announced_and_taken_back(quay: Quay) -> None:
    """An absence is whole days by one's own clock; one that cannot be is refused with the page's reason."""
    users.update_profile(
        quay.harness.web, get_user_id(quay.harness, "p1@games.test"), name="Player 1", zone="Europe/Paris"
    )
    program = quay.program("p1@games.test")
    assert came(program.post("/absences", {"first": "2026-07-01", "last": "2026-07-03"})) == "done"
    (away,) = program.get("/absences").json["absences"]
    assert (away["starts_at"], away["ends_at"]) == ("2026-06-30T22:00:00Z", "2026-07-03T22:00:00Z")
    for first, last in (("2026-07-03", "2026-07-01"), ("9999-12-31", "9999-12-31"), ("0001-01-01", "0001-01-01")):
        problem(program.post("/absences", {"first": first, "last": last}), 409, "refused")
    assert program.post("/absences", {"first": "1/7/2026", "last": "2026-07-03"}).status_code == 422
    other = quay.program("p2@games.test")
    problem(other.delete(f"/absences/{away['number']}"), 409, "refused")
    assert came(program.delete(f"/absences/{away['number']}")) == "done"
    assert program.get("/absences").json["absences"] == []


def test_a_pause_takes_everybodys_wish_or_the_masters(quay: Quay) -> None:
    """A player's wish is noted; the host's is done; the timetable tells both."""
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    assert came(two.post(f"{quay.at}/pause", {"action": "pause"}, key="k")) == "noted"
    assert came(two.post(f"{quay.at}/pause", {"action": "pause"}, key="k")) == "repeated"
    assert [player["pause_request"] for player in one.get(f"{quay.at}/deadlines").json["players"]] == ["", "pause"]
    assert came(one.post(f"{quay.at}/pause", {"action": "pause"})) == "done"
    assert one.get(f"{quay.at}/deadlines").json["paused"] == "pause"
    assert came(one.post(f"{quay.at}/pause", {"action": "pause"})) == "nothing"


def test_a_deputy_is_named_and_done_without(quay: Quay) -> None:
    """A player names a deputy for an absence, who agrees without the player; the whole table sees who answers."""
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    now = quay.harness.web.now()
    gate_timing.add_absence(quay.harness.web, get_user_id(quay.harness, "p1@games.test"), now, now + 86_400_000)
    number = one.get("/absences").json["absences"][0]["number"]
    asked = {"address": "zoe@games.test", "absence": number}
    problem(two.post(f"{quay.at}/deputies", asked), 409, "refused")
    assert came(one.post(f"{quay.at}/deputies", asked)) == "done"
    quay.harness.run_queued_tasks()
    assert deputies.answer(
        quay.harness.web, quay.harness.sent_facts("deputy")[-1].frame.links.act.rpartition("/")[2], agrees=True
    )
    (own,) = one.get(f"{quay.at}/deputies").json["own"]
    assert (own["name"], own["agreed"], own["acts"]) == ("zoe", True, True)
    theirs = two.get(f"{quay.at}/deputies").json
    assert (theirs["own"], [(a["player"], a["deputy"]) for a in theirs["acting"]]) == ([], [("Player 1", "zoe")])
    zoe = quay.program("zoe@games.test")
    assert zoe.get(f"{quay.at}/view").status_code == 200
    problem(two.delete(f"{quay.at}/deputies/{own['number']}"), 409, "refused")
    assert came(one.delete(f"{quay.at}/deputies/{own['number']}")) == "done"
    assert zoe.get(f"{quay.at}/view").status_code == 404


def test_spectators_come_by_invitation_or_where_all_may(quay: Quay) -> None:
    """The host's program lets somebody in, who finds the table and leaves it; a closed table looks like none."""
    host, other, otto = (quay.program(f"{who}@games.test") for who in ("p1", "p2", "otto"))
    problem(otto.post("/spectating", {"game": quay.game, "looks": True}), 409, "refused")
    assert otto.get("/spectating").json == {"looking": [], "open": [], "more": 0}
    assert other.post(f"{quay.at}/spectators", {"address": "otto@games.test"}).status_code == 404
    assert came(host.post(f"{quay.at}/spectators", {"address": "otto@games.test"})) == "done"
    assert [sight["game"] for sight in otto.get("/spectating").json["looking"]] == [quay.game]
    assert other.get(f"{quay.at}/spectators").json["names"] == ["otto"]
    assert (otto.get(f"{quay.at}/public").status_code, otto.get(f"{quay.at}/view").status_code) == (200, 404)
    assert came(otto.post("/spectating", {"game": quay.game, "looks": False})) == "done"
    assert otto.get(f"{quay.at}/public").status_code == 404


def test_letters_stop_and_somebody_is_heard_no_more(quay: Quay) -> None:
    """A player stops their own letters, or mutes another for themselves alone, and ends it when they like."""
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    two.post(f"{quay.at}/talk", {"to": ["all"], "text": "Well met."})
    for muted in (True, False):
        assert came(one.post("/mail-preferences", {"muted": muted})) == "done"
        assert one.get("/me").json["muted"] == muted
        assert came(one.post(f"{quay.at}/mutes", {"seat": "s2", "muted": muted})) == "done"
        heard = [word["text"] for word in one.get(f"{quay.at}/talk").json["messages"]]
        assert heard == ([] if muted else ["Well met."])
    problem(one.post("/mail-preferences", {"muted": "yes"}), 422, "does_not_fit")


# --- tokens


def test_a_token_for_one_seat_reaches_no_call_about_more(quay: Quay) -> None:
    """A call that concerns more than one table is refused with the token it needs, and does nothing."""
    seat = quay.program("p1@games.test", game=quay.game)
    before, wide = len(quay.harness.load_rows(Game)), [operation for operation in OPERATIONS if operation.whole_account]
    assert {o.name for o in wide} >= {"create_game", "take_seat", "create_absence", "get_statistics"}
    for operation in wide:
        problem(seat.tried(operation, quay.game), 403, "one_seat")
    assert len(quay.harness.load_rows(Game)) == before


def test_what_is_asked_too_often_says_when_to_come_back(quay: Quay) -> None:
    """Too many tables or letters to strangers are answered 429, with the seconds to wait."""
    quay.harness.configure(limits={**LIMITS, "tables": 0})
    answer = Program(site(quay.harness), issued(quay.harness, "p1@games.test")).post("/tables", NEW)
    problem(answer, 429, "too_many")
    assert int(answer.headers["Retry-After"]) == 3600


@pytest.mark.parametrize("scope", SCOPES)
def test_each_scope_is_for_its_own_calls(quay: Quay, scope: str) -> None:
    """A token that looks acts nowhere, one that plays is no master's, and a master's plays for nobody."""
    program = quay.program("p1@games.test", scope=scope)
    for operation in OPERATIONS:
        if operation.scope not in ("read", scope):
            answer = program.tried(operation, quay.game)
            problem(answer, 403, "looks_only" if (scope, operation.scope) == ("read", "play") else "other_scope")
            assert f'scope="{operation.scope}"' in answer.headers["WWW-Authenticate"]
