"""Tables: made, offered, joined, begun; what cannot be is refused with a reason."""

from pathlib import Path

import pytest

from pbem.service.access import users
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import parse_consent
from pbem.service.seats import sign_in, tables
from pbem.store.models import OutboundEmail, SeatRow, User
from tests.service.server_fixtures import ServerHarness, build, start_game


def host_of(harness: ServerHarness) -> int:
    """Somebody who makes tables."""
    with harness.web.db.transaction() as session:
        return users.get_or_create_user(harness.web, session, "p1@games.test", "Player 1").id


def table(harness: ServerHarness, players: int = 3, hours: int | None = None) -> str:
    """A new table, its keys made."""
    game = tables.create(harness.web, host_of(harness), "toy", " Rose\x00\u202e  garden ", players, {}, hours)
    harness.run_queued_tasks()
    return game


def refusal(call: object, *args: object) -> str:
    """Why something is refused."""
    assert callable(call)
    with pytest.raises(RequestRefused) as told:
        call(*args)
    return told.value.code


def test_a_table_needs_a_game_a_number_a_name_and_a_deadline_that_can_be(state_dir: Path) -> None:
    """Each impossible value is refused with its own reason, and nothing is made."""
    harness = build(state_dir)
    host = host_of(harness)
    assert refusal(tables.create, harness.web, host, "chess", "Rose", 2, {}) == "no_such_game"
    assert refusal(tables.create, harness.web, host, "toy", "Rose", 9, {}) == "no_such_number_of_players"
    assert refusal(tables.create, harness.web, host, "toy", " \x00 ", 2, {}) == "table_needs_a_name"
    assert refusal(tables.create, harness.web, host, "toy", "Rose", 2, {"pace": "fast"}) == "no_such_option"
    for hours in (0, -1, 10**9):
        assert refusal(tables.create, harness.web, host, "toy", "Rose", 2, {}, hours) == "hours"
    assert harness.load_rows(SeatRow) == []
    assert harness.load_game(table(harness)).title == "Rose garden"


def test_nobody_makes_tables_without_end(state_dir: Path) -> None:
    """A person can make and offer only so many tables in an hour."""
    harness = build(state_dir)
    harness.configure(limits={"tables": 2, "invitations": 1})
    game = table(harness)
    table(harness)
    assert refusal(tables.create, harness.web, host_of(harness), "toy", "Rose", 2, {}) == "too_often"
    assert refusal(tables.invite, harness.web, game, host_of(harness), ["a@x.test", "b@x.test"]) == "too_often"
    assert [row.invited_email for row in harness.load_rows(SeatRow)] == [None] * 6


@pytest.mark.both_databases
def test_invitations_go_once_to_each_address(state_dir: Path) -> None:
    """Doubles, seated players and guests already invited get no second letter; a wrong address refuses all."""
    harness = build(state_dir)
    game = table(harness)
    host = host_of(harness)
    assert tables.invite(harness.web, game, host, ["A@x.test", "a@x.test ", "p1@games.test"]) == 1
    assert tables.invite(harness.web, game, host, ["a@x.test"]) == 0
    assert refusal(tables.invite, harness.web, game, host, ["b@x.test", "no address"]) == "address"
    assert refusal(tables.invite, harness.web, game, host, ["b@x.test", "c@x.test"]) == "table_full"
    assert refusal(tables.invite, harness.web, game, host + 1, ["b@x.test"]) == "not_your_table"
    harness.run_queued_tasks()
    assert [address.to_address for address, _ in harness.sent if address.kind == "invitation"] == ["a@x.test"]


def test_the_seeds_digest_stands_before_anybody_joins(state_dir: Path) -> None:
    """The invitation names the digest of the seed, and the game that is dealt keeps it."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    digest = harness.sent_facts("invitation")[0].seed_digest
    assert len(digest) == 64
    assert harness.load_game(game).seed_digest == harness.sent_facts("started")[0].seed_digest == digest


def test_the_words_of_a_joiner_change_the_deal(state_dir: Path) -> None:
    """With the same seed and nonces, a joiner's other words make another deal."""
    hands = []
    for n, said in enumerate(("red", "blue", "red")):
        harness = build(state_dir / str(n))
        harness.configure(random_bytes=bytes)
        game = table(harness, 2)
        tables.invite(harness.web, game, host_of(harness), ["p2@games.test"])
        harness.run_queued_tasks()
        harness.receive_reply(str(harness.last_recipient("s2").token), [f"JOIN {said}"])
        harness.run_queued_tasks()
        hands.append([card.held for card in harness.load_state(game).board.hands["s2"]])
    assert hands[0] == hands[2] != hands[1]


@pytest.mark.both_databases
def test_an_invitation_is_taken_once_and_runs_out(state_dir: Path) -> None:
    """Its link gives one seat to one person; after a month it gives none, and the seat can be offered again."""
    harness = build(state_dir)
    game = table(harness)
    tables.invite(harness.web, game, host_of(harness), ["a@x.test", "b@x.test"])
    harness.run_queued_tasks()
    first, second = (facts.frame.links.act.rpartition("/")[2] for facts in harness.sent_facts("invitation"))
    assert tables.join(harness.web, first) == tables.join(harness.web, first) == game
    assert sum(row.user_id is not None for row in harness.load_rows(SeatRow)) == 2
    harness.advance_time(days=31)
    assert refusal(tables.join, harness.web, second) == "invitation_over"
    assert refusal(tables.join, harness.web, "nonsense") == "invitation_over"
    for _ in range(2):
        assert tables.invite(harness.web, game, host_of(harness), ["b@x.test"]) == 1, "a letter of its own each time"
        assert tables.invite(harness.web, game, host_of(harness), ["b@x.test"]) == 0
        harness.run_queued_tasks()
        harness.advance_time(days=31)
    assert len(harness.sent_facts("invitation")) == 4
    harness.advance_time(days=-20)
    assert tables.join(harness.web, harness.sent_facts("invitation")[-1].frame.links.act.rpartition("/")[2]) == game


REFUSALS = [
    ["Not interested, please stop."],
    ["No thanks"],
    ["NO"],
    ["Hello Romain,", "I can't this spring, sorry."],
    ["Bonjour,", "non merci, sans moi cette fois."],
    ["Je ne souhaite pas jouer."],
    ["STOP"],
]
UNCLEAR = [
    ["HELP"],
    ["hello"],
    [],
    ["I am out of the office until Monday.", "Yes, I will read your letter then? Perhaps."],
    ["Who are you?", "No idea what this is"],
    ["Yes, but I can't before June."],
    ["Yesterday I saw your letter."],
    ["No problem with me"],
    ["OK?"],
]
AGREEING = {"JOIN with a red hat": "with a red hat", "Oui": "", "Hello\nYes: hello": "hello"}


def test_consent_is_a_yes_at_the_beginning_of_a_line_or_a_plain_refusal() -> None:
    """What follows the yes are words for luck; a letter with both, or neither, says nothing."""
    assert {said: parse_consent([*said.split("\n"), ""]).words for said in AGREEING} == AGREEING
    assert {parse_consent(said.split("\n")).accepts for said in AGREEING} == {True}
    assert [lines for lines in REFUSALS if parse_consent(lines).accepts is not False] == []
    assert [lines for lines in UNCLEAR if parse_consent(lines).accepts is not None] == []


@pytest.mark.both_databases
def test_a_sign_in_link_works_once_within_its_hour(state_dir: Path) -> None:
    """It signs in the person it was mailed to, once; a late, used or made-up link signs in nobody."""
    harness = build(state_dir)
    for late in (False, True):
        sign_in.request_sign_in(harness.web, "Somebody@x.test")
        harness.run_queued_tasks()
        token = harness.sent_facts("signin")[-1].frame.links.act.rpartition("/")[2]
        if late:
            harness.advance_time(minutes=61)
        user = next(row.id for row in harness.load_rows(User))
        assert sign_in.redeem_link(harness.web, token) == (None if late else user)
        assert sign_in.redeem_link(harness.web, token) is None
    assert sign_in.redeem_link(harness.web, "nonsense") is None


@pytest.mark.both_databases
def test_a_letter_joins_declines_or_is_asked_about(state_dir: Path) -> None:
    """A yes takes the seat, with its words for the deal; a no gives it up, and the host is told; else it is asked."""
    harness = build(state_dir)
    game = table(harness)
    tables.invite(harness.web, game, host_of(harness), ["a@x.test", "b@x.test"])
    harness.run_queued_tasks()
    for seat, lines in (("s2", UNCLEAR[0]), ("s2", ["JOIN with a red hat"]), ("s3", REFUSALS[0])):
        harness.receive_reply(str(harness.last_recipient(seat).token), lines)
        harness.run_queued_tasks()
    assert [(a.kind, getattr(facts, "kind", "")) for a, facts in harness.sent[2:]] == [
        ("notice", "deputy_unclear"),
        ("joined", ""),
        ("notice", "declined"),
    ]
    assert [(row.user_id is not None, row.seed_words) for row in harness.load_rows(SeatRow)][1:] == [
        (True, "with a red hat"),
        (False, ""),
    ]


def test_a_mailbox_is_not_filled_with_sign_in_links(state_dir: Path) -> None:
    """One line gets six links an hour and ten a day for an address; what others ask for is counted for them."""
    harness = build(state_dir)
    for _ in range(20):
        sign_in.request_sign_in(harness.web, "often@x.test")
    harness.run_queued_tasks()
    assert len(harness.sent_facts("signin")) == 6
    harness.sent.clear()
    first, other = sign_in.Asker("198.51.100.1"), sign_in.Asker("198.51.100.2")
    for _ in range(12):
        sign_in.request_sign_in(harness.web, "Other+3@x.test", asker=first)
        harness.advance_time(hours=1)
    sign_in.request_sign_in(harness.web, "other@x.test", asker=other)
    harness.run_queued_tasks()
    went = [address.to_address for address, _ in harness.sent]
    assert (went.count("other+3@x.test"), went.count("other@x.test")) == (10, 1)
    harness.advance_time(days=1)
    sign_in.request_sign_in(harness.web, "other@x.test", asker=first)
    harness.run_queued_tasks()
    assert len(harness.sent) == len(went) + 1


def test_nobody_has_links_mailed_to_the_whole_world(state_dir: Path) -> None:
    """One line can have links sent to a hundred addresses a day."""
    harness = build(state_dir)
    for number in range(120):
        sign_in.request_sign_in(harness.web, f"n{number}@x.test", asker=sign_in.Asker("198.51.100.1"))
    sign_in.request_sign_in(harness.web, "somebody@x.test", asker=sign_in.Asker("198.51.100.2"))
    assert len(harness.load_rows(User)) == 101


def test_a_muted_player_gets_receipts_alone(state_dir: Path) -> None:
    """A muted player is sent no report; what answers their own letter still comes."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    token = harness.reply_token("s1")
    with harness.web.db.transaction() as session:
        session.get_one(User, next(r.user_id for r in harness.load_rows(SeatRow) if r.seat == "s1")).muted_at = 1
    harness.receive_reply(token, ["BID 1"])
    harness.run_queued_tasks()
    harness.reply("s2", "BID 0")
    assert [(a.kind, a.seat) for a, _ in harness.sent[-3:]] == [("receipt", "s1"), ("receipt", "s2"), ("report", "s2")]
    assert [row.state for row in harness.load_rows(OutboundEmail) if row.kind == "report"] == ["suppressed", "sent"]


def test_new_people_read_in_the_time_zone_of_the_server(state_dir: Path) -> None:
    """A person who has not said their zone is told deadlines in that of the server; nobody else's changes."""
    harness = build(state_dir)
    game = table(harness)
    harness.configure(time_zone="Europe/Paris")
    tables.invite(harness.web, game, host_of(harness), ["a@x.test"])
    sign_in.request_sign_in(harness.web, "b@x.test")
    harness.run_queued_tasks()
    zones = {row.email: row.time_zone for row in harness.load_rows(User)}
    assert (zones["a@x.test"], zones["b@x.test"]) == ("Europe/Paris", "Europe/Paris")
    assert {zone for address, zone in zones.items() if address not in ("a@x.test", "b@x.test")} == {"UTC"}
