"""What programs do around a table: making, finding, joining, leaving it; time, deputies, spectators, letters."""

from typing import Any

import pytest

from pbem.service.access import people, programs
from pbem.service.base.limits import MOST
from pbem.service.base.parts import Part
from pbem.service.seats import deputies, open_tables, table_links
from pbem.service.time import absences
from pbem.store.models import Game, SeatRow
from pbem.web.api import OPERATIONS
from pbem.web.api.shapes_records import Onward
from tests.api.conftest import Quay
from tests.api.programs import Program, issued
from tests.api.test_calls import problem
from tests.api.test_tokens import user
from tests.archive.bots import play_on
from tests.service.hall import Hall
from tests.web.guests import site

NEW = {"rules": "toy", "title": "Lily", "players": 2}


def made(quay: Quay, **more: Any) -> str:
    """A table that p1's program made."""
    answer = quay.program("p1@games.test").post("/tables", {**NEW, **more})
    assert answer.status_code == 200, answer.text
    quay.hall.settle()
    return str(answer.json["game"])


def seated_at(hall: Hall, game: str) -> list[int | None]:
    """The players at the table, seat by seat."""
    return [row.user_id for row in hall.rows(SeatRow) if row.game_id == game]


# --- before the game


def test_a_program_learns_what_can_be_played(quay: Quay) -> None:
    """Every game with its numbers of players, its options with the usual one, and its kinds of question."""
    found = {one["rules"]: one for one in quay.program("p1@games.test").get("/rules").json["rules"]}
    assert found["toy"]["players"] == [2, 3, 4]
    pace = next(option for option in found["toy"]["options"] if option["name"] == "pace")
    assert pace["default"] in {choice["value"] for choice in pace["choices"]}
    assert "bid" in {phase["asks"] for phase in found["toy"]["phases"]}


def test_a_table_is_made_invited_to_and_joined(quay: Quay) -> None:
    """As on the pages, a table has a seed's digest and mails invitations; a program takes the seat, and it begins."""
    game = made(quay, deadlines={"hours": 48, "clock": "20:00", "days": [1, 2, 3], "phases": {"bid": 24}})
    host, guest = quay.program("p1@games.test"), quay.program("ann@games.test")
    shown = host.get(f"/games/{game}/waiting").json
    assert (shown["hours"], shown["free"], shown["open"], len(shown["digest"])) == (48, 1, False, 64)
    assert guest.get(f"/games/{game}/waiting").status_code == 404
    assert host.post(f"/games/{game}/invite", {"addresses": ["ann@games.test"]}).json["outcome"] == "done"
    assert host.get(f"/games/{game}/waiting").json["seats"][1]["invited"] == "ann@games.test"
    assert guest.get("/games").json["invitations"][0]["game"] == game
    assert guest.get(f"/games/{game}/waiting").json["seats"][1]["invited"] is None
    assert guest.post(f"/games/{game}/accept", {"words": "violets"}).json == {"outcome": "done", "game": game}
    quay.hall.settle()
    assert guest.get(f"/games/{game}").json["state"] == "running"
    shown = guest.get(f"/games/{game}/time").json
    assert (shown["usual"]["clock"], shown["usual"]["days"], shown["phases"]["bid"]["hours"]) == (
        "20:00",
        [1, 2, 3],
        24,
    )
    assert guest.post(f"/games/{game}/accept", {"words": ""}).status_code == 404


def test_a_link_is_made_followed_and_revoked(quay: Quay) -> None:
    """The host's program gets the link, the same again for its key; a new one, or none, closes those before it."""
    game = made(quay)
    host, guest = quay.program("p1@games.test"), quay.program("ann@games.test")
    first = host.post(f"/games/{game}/link", key="k").json
    assert (first["outcome"], first["game"]) == ("done", game)
    assert host.post(f"/games/{game}/link", key="k").json == {**first, "outcome": "repeated"}
    assert guest.post(f"/games/{game}/link").status_code == 404
    second = host.post(f"/games/{game}/link").json["link"]
    opened = [table_links.look(quay.hall.web, one.rpartition("/")[2]) for one in (first["link"], second)]
    assert opened[0] is None
    assert opened[1] is not None
    assert host.post(f"/games/{game}/link/end").json == {"outcome": "done", "game": game}
    assert table_links.look(quay.hall.web, second.rpartition("/")[2]) is None
    looks = quay.program("p1@games.test", scope="read")
    problem(looks.post(f"/games/{game}/link"), 403, "looks_only")


def test_a_table_is_given_up_before_it_begins_and_not_after(quay: Quay) -> None:
    """Nothing of it is kept; a game under way is not given up so."""
    game = made(quay)
    host = quay.program("p1@games.test")
    assert quay.program("ann@games.test").post(f"/games/{game}/cancel").status_code == 404
    assert host.post(f"/games/{game}/cancel").json == {"outcome": "done", "game": game}
    assert host.get(f"/games/{game}/waiting").status_code == 404
    assert game not in {row.id for row in quay.hall.rows(Game)}
    problem(host.post(f"/games/{quay.game}/cancel"), 409, "not_running")


def test_the_same_people_play_once_more(quay: Quay) -> None:
    """A player of a game that is over hosts the next one, once for a key; one that is under way has none."""
    host = quay.program("p1@games.test")
    problem(host.post(f"/games/{quay.game}/rematch"), 409, "not_running")
    play_on(quay.hall, quay.game)
    next_one = host.post(f"/games/{quay.game}/rematch", key="k").json
    assert next_one["outcome"] == "done"
    assert host.get(f"/games/{next_one['game']}/waiting").json["title"] == host.get(f"/games/{quay.game}").json["title"]
    assert host.post(f"/games/{quay.game}/rematch", key="k").json == {"outcome": "repeated", "game": None}
    assert quay.program("ann@games.test").post(f"/games/{quay.game}/rematch").status_code == 404
    problem(quay.program("p1@games.test", game=quay.game).post(f"/games/{quay.game}/rematch"), 403, "one_seat")


def test_a_table_is_made_once_for_each_key(quay: Quay) -> None:
    """The same call sent again makes no second table; what was refused may be sent again with its key."""
    program, before = quay.program("p1@games.test"), len(quay.hall.rows(Game))
    problem(program.post("/tables", {**NEW, "players": 9}, key="k"), 409, "refused")
    assert program.post("/tables", NEW, key="k").json["outcome"] == "done"
    assert program.post("/tables", NEW, key="k").json == {"outcome": "repeated", "game": None}
    assert len(quay.hall.rows(Game)) == before + 1


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
    before = len(quay.hall.rows(Game))
    problem(quay.program("p1@games.test").post("/tables", {**NEW, **wrong}), {"refused": 409}.get(code, 422), code)
    assert len(quay.hall.rows(Game)) == before


def test_an_open_table_is_found_and_joined(quay: Quay) -> None:
    """Its host opens it, others find it, one takes the seat; a latecomer is answered as if there were no such table."""
    game = made(quay)
    host, guest, late = (quay.program(f"{who}@games.test") for who in ("p1", "ann", "bob"))
    assert guest.get("/tables/open").json == {"tables": [], "more": 0}
    problem(guest.post("/tables/open", {"game": game}), 409, "refused")
    assert guest.post(f"/games/{game}/open", {"open": True}).status_code == 404
    assert host.post(f"/games/{game}/open", {"open": True}).json["outcome"] == "done"
    assert [(one["table"]["game"], one["approves"]) for one in guest.get("/tables/open").json["tables"]] == [
        (game, False)
    ]
    assert guest.post("/tables/open", {"game": game, "words": "roses"}).json == {"outcome": "done", "game": game}
    there, nowhere = (late.post("/tables/open", {"game": one}) for one in (game, "bcdfghjkmnpq"))
    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text) == (409, there.text)
    assert None not in seated_at(quay.hall, game)


def test_a_table_whose_master_decides_is_asked(quay: Quay) -> None:
    """A program asks for the seat instead of taking it, and can withdraw the request."""
    game = made(quay)
    host, guest = quay.program("p1@games.test"), quay.program("ann@games.test")
    masters = quay.program("p1@games.test", scope="master")
    assert masters.post(f"/games/{game}/master", {"lines": ["APPROVAL ON"]}).json["acts"][0]["outcome"] == "done"
    host.post(f"/games/{game}/open", {"open": True})
    assert guest.post("/tables/open", {"game": game}).json["outcome"] == "asked"
    assert guest.get("/tables/open").json["tables"][0]["asked"]
    assert guest.post("/tables/open/end", {"game": game}).json["outcome"] == "done"
    assert not guest.get("/tables/open").json["tables"][0]["asked"]
    assert None in seated_at(quay.hall, game)


def test_lists_come_in_parts(quay: Quay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part of the list of open tables says how to go on."""
    for number in range(3):
        open_tables.settle(quay.hall.web, made(quay, title=f"Lily {number}"), True)
    monkeypatch.setattr("pbem.web.api.tables._part", lambda call: Part(call.query(Onward).leave_out, 2))
    guest = quay.program("ann@games.test")
    first = guest.get("/tables/open").json
    rest = guest.get(f"/tables/open?leave_out={first['more']}").json
    assert (len(first["tables"]), first["more"], len(rest["tables"]), rest["more"]) == (2, 2, 1, 0)


# --- seats that pass on


def test_a_seat_is_given_up_taken_over_and_given_back(quay: Quay) -> None:
    """The seat looks for a player until somebody takes it; its first player may have it again."""
    two, nora = quay.program("p2@games.test"), quay.program("nora@games.test")
    assert two.post(f"{quay.at}/leave", {"sure": "perhaps"}).status_code == 422
    assert nora.get("/seats").json == {"seats": [], "more": 0}
    assert two.post(f"{quay.at}/leave", {"sure": "yes"}).json["outcome"] == "done"
    vacant = nora.get("/seats").json["seats"]
    assert [(one["game"], one["seat"], one["player"]) for one in vacant] == [(quay.game, "s2", "p2")]
    assert nora.post("/seats", {"game": quay.game, "seat": "s2"}).json["outcome"] == "done"
    assert two.get(f"{quay.at}/view").status_code == 404
    assert nora.get(f"{quay.at}/time").json["predecessor"]
    assert nora.post(f"{quay.at}/give-back", {"sure": "yes"}).json["outcome"] == "done"
    assert two.get(f"{quay.at}/view").status_code == 200
    problem(two.post("/seats", {"game": quay.game, "seat": "s1"}), 409, "refused")


# --- time


def test_an_absence_is_announced_and_taken_back(quay: Quay) -> None:
    """An absence is whole days by one's own clock; one that cannot be is refused with the page's reason."""
    people.settle(quay.hall.web, user(quay.hall, "p1@games.test"), name="Player 1", zone="Europe/Paris")
    program, days = quay.program("p1@games.test"), {"first": "2026-07-01", "last": "2026-07-03"}
    assert program.post("/absences", days).json["outcome"] == "done"
    away = program.get("/absences").json["absences"]
    assert [(one["since"], one["until"]) for one in away] == [("2026-06-30T22:00:00Z", "2026-07-03T22:00:00Z")]
    problem(program.post("/absences", {"first": "2026-07-03", "last": "2026-07-01"}), 409, "refused")
    problem(program.post("/absences", {"first": "9999-12-31", "last": "9999-12-31"}), 409, "refused")
    problem(program.post("/absences", {"first": "0001-01-01", "last": "0001-01-01"}), 409, "refused")
    assert program.post("/absences", {"first": "1/7/2026", "last": "2026-07-03"}).status_code == 422
    other = quay.program("p2@games.test")
    problem(other.post("/absences/end", {"number": away[0]["number"]}), 409, "refused")
    assert program.post("/absences/end", {"number": away[0]["number"]}).json["outcome"] == "done"
    assert program.get("/absences").json["absences"] == []


def test_a_pause_takes_everybodys_wish_or_the_masters(quay: Quay) -> None:
    """A player's wish is noted; the host's is done; the timetable tells both."""
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    assert two.post(f"{quay.at}/time", {"wish": "pause"}, key="k").json["outcome"] == "noted"
    assert two.post(f"{quay.at}/time", {"wish": "pause"}, key="k").json["outcome"] == "repeated"
    assert [keeper["wishes"] for keeper in one.get(f"{quay.at}/time").json["keepers"]] == ["", "pause"]
    assert one.post(f"{quay.at}/time", {"wish": "pause"}).json["outcome"] == "done"
    assert one.get(f"{quay.at}/time").json["still"] == "pause"
    assert one.post(f"{quay.at}/time", {"wish": "pause"}).json["outcome"] == "nothing"


def test_letters_stop_and_come_again(quay: Quay) -> None:
    """A player stops their own letters and lets them come again, and is told which it is."""
    program = quay.program("p1@games.test")
    assert not program.get("/me").json["muted"]
    for muted in (True, False):
        assert program.post("/letters", {"muted": muted}).json["outcome"] == "done"
        assert program.get("/me").json["muted"] == muted
    problem(program.post("/letters", {"muted": "yes"}), 422, "does_not_fit")


# --- company


def test_a_deputy_is_named_and_done_without(quay: Quay) -> None:
    """A player names a deputy for an absence, who agrees without the player; the whole table sees who answers."""
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    now = quay.hall.web.now()
    absences.announce(quay.hall.web, user(quay.hall, "p1@games.test"), now, now + 86_400_000)
    number = one.get("/absences").json["absences"][0]["number"]
    asked = {"address": "zoe@games.test", "absence": number}
    problem(two.post(f"{quay.at}/deputies", asked), 409, "refused")
    assert one.post(f"{quay.at}/deputies", asked).json["outcome"] == "done"
    quay.hall.settle()
    assert deputies.decide(quay.hall.web, quay.hall.of("deputy")[-1].frame.links.act.rpartition("/")[2], agrees=True)
    own = one.get(f"{quay.at}/deputies").json
    assert [(d["name"], d["agreed"], d["acts"]) for d in own["own"]] == [("zoe", True, True)]
    theirs = two.get(f"{quay.at}/deputies").json
    assert (theirs["own"], [(a["player"], a["deputy"]) for a in theirs["acting"]]) == ([], [("Player 1", "zoe")])
    zoe = quay.program("zoe@games.test")
    assert zoe.get(f"{quay.at}/view").status_code == 200
    for call in ("deputies", "time"):
        assert zoe.get(f"{quay.at}/{call}").status_code == 404
    assert zoe.post(f"{quay.at}/leave", {"sure": "yes"}).status_code == 404
    problem(two.post(f"{quay.at}/deputies/end", {"number": own["own"][0]["number"]}), 409, "refused")
    assert one.post(f"{quay.at}/deputies/end", {"number": own["own"][0]["number"]}).json["outcome"] == "done"
    assert zoe.get(f"{quay.at}/view").status_code == 404


def test_spectators_come_by_invitation_or_where_all_may(quay: Quay) -> None:
    """The host's program lets somebody in, who finds the table and leaves it; a closed table looks like none."""
    host, other, otto = (quay.program(f"{who}@games.test") for who in ("p1", "p2", "otto"))
    problem(otto.post("/watch", {"game": quay.game, "looks": True}), 409, "refused")
    assert otto.get("/watch").json == {"looking": [], "open": [], "more": 0}
    assert other.post(f"{quay.at}/watchers", {"address": "otto@games.test"}).status_code == 404
    assert host.post(f"{quay.at}/watchers", {"address": "otto@games.test"}).json["outcome"] == "done"
    assert [sight["game"] for sight in otto.get("/watch").json["looking"]] == [quay.game]
    assert other.get(f"{quay.at}/watchers").json["names"] == ["otto"]
    assert (otto.get(f"{quay.at}/public").status_code, otto.get(f"{quay.at}/view").status_code) == (200, 404)
    assert otto.post("/watch", {"game": quay.game, "looks": False}).json["outcome"] == "done"
    assert otto.get(f"{quay.at}/public").status_code == 404


def test_somebody_is_heard_no_more(quay: Quay) -> None:
    """A player mutes another for themselves alone, and ends it when they like."""
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    two.post(f"{quay.at}/talk", {"to": ["all"], "text": "Well met."})
    assert one.post(f"{quay.at}/hear", {"seat": "s2", "muted": True}).json["outcome"] == "done"
    assert one.get(f"{quay.at}/talk").json["heard"] == []
    assert one.post(f"{quay.at}/hear", {"seat": "s2", "muted": False}).json["outcome"] == "done"
    assert [word["text"] for word in one.get(f"{quay.at}/talk").json["heard"]] == ["Well met."]


# --- tokens


def test_a_token_for_one_seat_reaches_no_call_about_more(quay: Quay) -> None:
    """A call that concerns more than one table is refused with the token it needs, and does nothing."""
    seat = quay.program("p1@games.test", game=quay.game)
    before, wide = len(quay.hall.rows(Game)), [operation for operation in OPERATIONS if operation.wide]
    assert {o.name for o in wide} >= {"create", "open_tables", "take", "absences", "letters", "look_on", "all_figures"}
    for operation in wide:
        path = operation.path.replace("<game>", quay.game)
        answer = seat.get(path) if operation.method == "GET" else seat.post(path, NEW)
        problem(answer, 403, "one_seat")
    assert len(quay.hall.rows(Game)) == before


def test_what_is_asked_too_often_says_when_to_come_back(quay: Quay) -> None:
    """Too many tables or letters to strangers are answered 429, with the seconds to wait."""
    quay.hall.everywhere(most={**MOST, "tables": 0})
    answer = Program(site(quay.hall), issued(quay.hall, "p1@games.test")).post("/tables", NEW)
    problem(answer, 429, "too_many")
    assert int(answer.headers["Retry-After"]) == 3600


@pytest.mark.parametrize("scope", programs.SCOPES)
def test_each_scope_is_for_its_own_calls(quay: Quay, scope: str) -> None:
    """A token that looks acts nowhere, one that plays is no master's, and a master's plays for nobody."""
    program = Program(quay.app, issued(quay.hall, "p1@games.test", scope=scope))
    for operation in OPERATIONS:
        if operation.scope not in ("read", scope):
            path = operation.path.replace("<game>", quay.game)
            answer = program.post(path, {})
            problem(answer, 403, "looks_only" if (scope, operation.scope) == ("read", "play") else "other_scope")
            assert f'scope="{operation.scope}"' in answer.headers["WWW-Authenticate"]
