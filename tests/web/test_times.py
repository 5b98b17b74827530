"""Pages about time: absences, calendars and feeds by secret links, open seats, pauses, resigning."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import new_token
from pbem.service.base.calendar import DeadlinePolicy, DeadlineRule, parse_schedule
from pbem.service.deadlines import gate_timing
from pbem.store.models import Capability, Game, Outage, QuestionRow, SeatRow, User
from pbem.web.feeds import ATOM, escape_text, fold_line, format_moment, format_stamp
from tests.web.conftest import Town
from tests.web.form_browser import Browser

DAY = 86_400


def timed(town: Town) -> None:
    """Give the table of the town deadlines: the questions that stand open are due in a day."""
    with town.harness.resolver.db.transaction() as session:
        session.get_one(Game, town.game).deadline_hours = 24
        for row in session.query(QuestionRow).filter(QuestionRow.is_blocking):
            row.due_at = town.harness.mailer.now() + DAY * 1000


def link(shown: str, kind: str) -> str:
    """The path of a link that a page shows."""
    found = re.search(rf"https://games\.test(/{kind}/[^<\s]+)", shown)
    assert found
    return found[1]


def unfolded(body: bytes) -> list[str]:
    """The lines of a calendar, put together again."""
    return body.decode().replace("\r\n ", "").removesuffix("\r\n").split("\r\n")


def test_a_calendar_shows_ones_own_deadlines_and_nothing_else(town: Town) -> None:
    """Behind the secret link are the deadlines of its owner, answered ones marked, to be read without signing in."""
    timed(town)
    path = link(town.browser("p1@games.test").post("/absences", {"act": "calendar"}).text, "calendar")
    answer = Browser(town.app).get(path)
    assert answer.mimetype == "text/calendar"
    assert all(len(line) <= 75 for line in answer.data.split(b"\r\n"))
    rows = unfolded(answer.data)
    assert rows.count("BEGIN:VEVENT") == 1
    assert f"DTSTART:{format_stamp(town.harness.mailer.now() // 1000 + DAY)}" in rows
    assert "TRIGGER:-PT2H" in rows
    town.harness.reply("s1", "BID 1")
    rows = unfolded(Browser(town.app).get(path).data)
    assert "TRIGGER:-PT2H" not in rows
    assert not [row for row in rows if "BID 1" in row]


def test_a_new_calendar_link_ends_the_old_one(town: Town) -> None:
    """A capability can be taken back by making another; a false one shows nothing; only hashes are kept."""
    guest = town.browser("p1@games.test")
    first = link(guest.post("/absences", {"act": "calendar"}).text, "calendar")
    second = link(guest.post("/absences", {"act": "calendar"}).text, "calendar")
    stranger = Browser(town.app)
    assert [stranger.get(path).status_code for path in (first, second, "/calendar/x.ics")] == [404, 200, 404]
    token = second.removeprefix("/calendar/").removesuffix(".ics")
    assert all(token.encode() not in row.hash for row in town.harness.load_rows(Capability))


def test_a_feed_shows_what_everybody_was_told(town: Town) -> None:
    """The feed of a table has its public events and no card of anybody's; it ends with the seat of its owner."""
    path = link(town.browser("p2@games.test").post(f"/games/{town.game}/deadlines", {"act": "feed"}).text, "feed")
    answer = Browser(town.app).get(path)
    assert answer.mimetype == "application/atom+xml"
    root = ElementTree.fromstring(answer.data)
    items = root.findall(f"{{{ATOM}}}entry")
    assert len(items) == 1
    assert "TurnBegan" in "".join(items[0].itertext())
    assert "Dealt" not in answer.text
    with town.harness.resolver.db.transaction() as session:
        session.query(SeatRow).filter(SeatRow.seat == "s2").one().user_id = None
    assert Browser(town.app).get(path).status_code == 404


def test_an_absence_is_noted_shown_and_taken_back(town: Town) -> None:
    """Two days to come are noted by one's own clock; an impossible absence is refused with its reason."""
    guest, user = town.browser("p1@games.test"), town.user("p1@games.test")
    shown = guest.post("/absences", {"act": "announce", "first": "2026-03-10", "last": "2026-03-12"})
    assert shown.status_code == 200
    [(number, since, until)] = gate_timing.list_upcoming_absences(town.harness.web, user)
    assert (until - since) // 1000 == 3 * DAY
    wrong = guest.post("/absences", {"act": "announce", "first": "2026-03-11", "last": "2026-03-12"})
    assert wrong.status_code == 422
    assert "already have an absence" in wrong.text
    assert guest.post("/absences", {"act": "announce", "first": "soon", "last": ""}).status_code == 422
    guest.post("/absences", {"act": "call_off", "absence": str(number)})
    assert gate_timing.list_upcoming_absences(town.harness.web, user) == ()


def test_the_host_pauses_by_the_page(town: Town) -> None:
    """The button of the host stops the clock; a player's is noted until the others agree; all is shown."""
    host, other, path = town.browser("p1@games.test"), town.browser("p2@games.test"), f"/games/{town.game}/deadlines"
    assert "Noted" in other.post(path, {"act": "pause"}).text
    assert "Agrees to a pause." in host.get(path).text
    assert "Done" in host.post(path, {"act": "pause"}).text
    assert "The game has been paused since" in other.get(path).text
    assert "that way already" in host.post(path, {"act": "pause"}).text
    assert "Done" in host.post(path, {"act": "resume"}).text
    town.harness.run_scheduled_jobs()
    assert [row.is_compensated for row in town.harness.load_rows(Outage)] == [True]


def test_a_seat_that_was_given_up_is_taken_by_its_page(town: Town) -> None:
    """A signed-in player sees the seats that look for a player, takes one, and may give it back."""
    town.browser("p2@games.test").post(f"/games/{town.game}/resign", {"sure": "yes"})
    town.harness.run_queued_tasks()
    guest = town.browser("nora@games.test")
    assert town.browser("p1@games.test").post("/seats/open", {"game": town.game, "seat": "s2"}).status_code == 409
    assert guest.post("/seats/open", {"game": town.game, "seat": "s2"}).status_code == 303
    town.harness.run_queued_tasks()
    assert "Give the seat back" in guest.get(f"/games/{town.game}/deadlines").text
    assert guest.post(f"/games/{town.game}/deadlines", {"act": "give_back", "sure": "yes"}).status_code == 303
    assert guest.get(f"/games/{town.game}/deadlines").status_code == 404


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=200), max_size=5))
def test_a_calendar_line_is_folded_between_signs(rows: list[str]) -> None:
    """No line has more than 75 octets, none is cut within a sign, and unfolded they are what was written."""
    rows = [f"X:{row}" for row in rows]
    body = fold_line(rows)
    assert all(len(line) <= 75 for line in body.split(b"\r\n"))
    assert body.decode().replace("\r\n ", "") == "".join(f"{row}\r\n" for row in rows)


def test_signs_and_moments_are_written_as_the_formats_want() -> None:
    """Commas, semicolons, backslashes and ends of lines in a text are kept; both formats say the same moment."""
    assert escape_text("a,b;c\\d\ne") == "a\\,b\\;c\\\\d\\ne"
    at = int(datetime(2026, 11, 20, 20, 5, 7, tzinfo=UTC).timestamp())
    assert (format_stamp(at), format_moment(at)) == ("20261120T200507Z", "2026-11-20T20:05:07Z")


def form(**changes: str) -> dict[str, object]:
    """The fields of a new table."""
    made: dict[str, object] = {"game": "toy", "form": new_token(), "name": "Rose", "players": "2", "hours": "48"}
    return {**made, "addresses": "", "days": [*"12345"], **changes}


def test_a_table_is_made_with_the_schedule_of_its_form(town: Town) -> None:
    """Hours, time of day, days, phases, clocks and the policy for misses are those that were chosen."""
    guest = town.browser("p1@games.test")
    chosen = {
        "clock": "20:30",
        "free": "2026-12-25",
        "grace": "60",
        "linger": "15",
        "excused_misses": "2",
        "max_misses": "4",
    }
    sent = form(**chosen, reminder_hours="12, 48", on_missed="bot", **{"h.march": "72"})
    assert guest.post("/tables/new", sent, page="/tables/new?game=toy").status_code == 303
    game = next(row for row in town.harness.load_rows(Game) if row.id != town.game)
    usual = DeadlineRule(48, 0, 20 * 60 + 30, "UTC", "12345", ("2026-12-25",), 60, 15)
    expected = DeadlinePolicy(
        usual,
        {"march": replace(usual, hours=72)},
        reminder_hours=(48, 12),
        on_missed="bot",
        excused_misses=2,
        max_misses=4,
    )
    assert parse_schedule(game.schedule, game.deadline_hours) == expected
    assert game.deadline_hours == 48


def test_a_schedule_that_cannot_stand_is_refused_with_its_field(town: Town) -> None:
    """No table is made, and the page names the field at fault, without a traceback."""
    guest = town.browser("p1@games.test")
    for field, written in (
        *(("clock", "25:00"), ("clock", "noon"), ("free", "Christmas"), ("grace", "99999"), ("linger", "-1")),
        *(
            ("on_missed", "punish"),
            ("h.march", "soon"),
            ("reminder_hours", "x"),
            ("reminder_hours", "1 2 3 4 5 6 7"),
            ("time_bank", "1e3"),
        ),
    ):
        answer = guest.post("/tables/new", form(**{field: written}), page="/tables/new?game=toy")
        assert (answer.status_code, "Not possible" in answer.text) == (422, True), (field, written)
    assert [row.id for row in town.harness.load_rows(Game)] == [town.game]


def test_how_reliable_a_player_is_stands_where_others_join(town: Town) -> None:
    """The page of a table that forms tells of each player the turns on time and the games finished."""
    number = town.user("p1@games.test")
    with town.harness.resolver.db.transaction() as session:
        user = session.get_one(User, number)
        user.turns_asked, user.turns_on_time, user.games_begun, user.games_finished = 20, 19, 3, 2
    guest = town.browser("p1@games.test")
    guest.post("/tables/new", form(), page="/tables/new?game=toy")
    town.harness.run_queued_tasks()
    game = next(row.id for row in town.harness.load_rows(Game) if row.id != town.game)
    assert "turns on time, 19 of 20; games begun 3, finished 2" in guest.get(f"/games/{game}").text
