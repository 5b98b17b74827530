"""Tables: made, offered, joined, begun; what cannot be is refused with a reason."""

from pathlib import Path

import pytest

from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import parse_consent
from pbem.service.seats import sign_in, tables
from pbem.store.models import OutboundEmail, SeatRow, User
from tests.service.server_fixtures import Hall, build, seated


def host_of(hall: Hall) -> int:
    """Somebody who makes tables."""
    with hall.web.db.transaction() as session:
        return tables.get_or_create_user(hall.web, session, "p1@games.test", "Player 1").id


def table(hall: Hall, players: int = 3, hours: int | None = None) -> str:
    """A new table, its keys made."""
    game = tables.create(hall.web, host_of(hall), "toy", " Rose\x00\u202e  garden ", players, {}, hours)
    hall.settle()
    return game


def refusal(call: object, *args: object) -> str:
    """Why something is refused."""
    assert callable(call)
    with pytest.raises(RequestRefused) as told:
        call(*args)
    return told.value.code


def test_a_table_needs_a_game_a_number_a_name_and_a_deadline_that_can_be(state_dir: Path) -> None:
    """Each impossible value is refused with its own reason, and nothing is made."""
    hall = build(state_dir)
    host = host_of(hall)
    assert refusal(tables.create, hall.web, host, "chess", "Rose", 2, {}) == "no_such_game"
    assert refusal(tables.create, hall.web, host, "toy", "Rose", 9, {}) == "no_such_number_of_players"
    assert refusal(tables.create, hall.web, host, "toy", " \x00 ", 2, {}) == "table_needs_a_name"
    assert refusal(tables.create, hall.web, host, "toy", "Rose", 2, {"pace": "fast"}) == "no_such_option"
    for hours in (0, -1, 10**9):
        assert refusal(tables.create, hall.web, host, "toy", "Rose", 2, {}, hours) == "hours"
    assert hall.rows(SeatRow) == []
    assert hall.game(table(hall)).title == "Rose garden"


def test_nobody_makes_tables_without_end(state_dir: Path) -> None:
    """A person can make and offer only so many tables in an hour."""
    hall = build(state_dir)
    hall.everywhere(limits={"tables": 2, "invitations": 1})
    game = table(hall)
    table(hall)
    assert refusal(tables.create, hall.web, host_of(hall), "toy", "Rose", 2, {}) == "too_often"
    assert refusal(tables.invite, hall.web, game, host_of(hall), ["a@x.test", "b@x.test"]) == "too_often"
    assert [row.invited_email for row in hall.rows(SeatRow)] == [None] * 6


@pytest.mark.both_databases
def test_invitations_go_once_to_each_address(state_dir: Path) -> None:
    """Doubles, seated players and guests already invited get no second letter; a wrong address refuses all."""
    hall = build(state_dir)
    game = table(hall)
    host = host_of(hall)
    assert tables.invite(hall.web, game, host, ["A@x.test", "a@x.test ", "p1@games.test"]) == 1
    assert tables.invite(hall.web, game, host, ["a@x.test"]) == 0
    assert refusal(tables.invite, hall.web, game, host, ["b@x.test", "no address"]) == "address"
    assert refusal(tables.invite, hall.web, game, host, ["b@x.test", "c@x.test"]) == "table_full"
    assert refusal(tables.invite, hall.web, game, host + 1, ["b@x.test"]) == "not_your_table"
    hall.settle()
    assert [address.to_address for address, _ in hall.sent if address.kind == "invitation"] == ["a@x.test"]


def test_the_seeds_digest_stands_before_anybody_joins(state_dir: Path) -> None:
    """The invitation names the digest of the seed, and the game that is dealt keeps it."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    digest = hall.of("invitation")[0].seed_digest
    assert len(digest) == 64
    assert hall.game(game).seed_digest == hall.of("started")[0].seed_digest == digest


def test_the_words_of_a_joiner_change_the_deal(state_dir: Path) -> None:
    """With the same seed and nonces, a joiner's other words make another deal."""
    hands = []
    for n, said in enumerate(("red", "blue", "red")):
        hall = build(state_dir / str(n))
        hall.everywhere(random_bytes=bytes)
        game = table(hall, 2)
        tables.invite(hall.web, game, host_of(hall), ["p2@games.test"])
        hall.settle()
        hall.write_in(str(hall.last("s2").token), [f"JOIN {said}"])
        hall.settle()
        hands.append([card.held for card in hall.position(game).board.hands["s2"]])
    assert hands[0] == hands[2] != hands[1]


@pytest.mark.both_databases
def test_an_invitation_is_taken_once_and_runs_out(state_dir: Path) -> None:
    """Its link gives one seat to one person; after a month it gives none, and the seat can be offered again."""
    hall = build(state_dir)
    game = table(hall)
    tables.invite(hall.web, game, host_of(hall), ["a@x.test", "b@x.test"])
    hall.settle()
    first, second = (facts.frame.links.act.rpartition("/")[2] for facts in hall.of("invitation"))
    assert tables.join(hall.web, first) == tables.join(hall.web, first) == game
    assert sum(row.user_id is not None for row in hall.rows(SeatRow)) == 2
    hall.pass_time(days=31)
    assert refusal(tables.join, hall.web, second) == "invitation_over"
    assert refusal(tables.join, hall.web, "nonsense") == "invitation_over"
    for _ in range(2):
        assert tables.invite(hall.web, game, host_of(hall), ["b@x.test"]) == 1, "a letter of its own each time"
        assert tables.invite(hall.web, game, host_of(hall), ["b@x.test"]) == 0
        hall.settle()
        hall.pass_time(days=31)
    assert len(hall.of("invitation")) == 4
    hall.pass_time(days=-20)
    assert tables.join(hall.web, hall.of("invitation")[-1].frame.links.act.rpartition("/")[2]) == game


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
    hall = build(state_dir)
    for late in (False, True):
        sign_in.request_sign_in(hall.web, "Somebody@x.test")
        hall.settle()
        token = hall.of("signin")[-1].frame.links.act.rpartition("/")[2]
        if late:
            hall.pass_time(minutes=61)
        user = next(row.id for row in hall.rows(User))
        assert sign_in.redeem_link(hall.web, token) == (None if late else user)
        assert sign_in.redeem_link(hall.web, token) is None
    assert sign_in.redeem_link(hall.web, "nonsense") is None


@pytest.mark.both_databases
def test_a_letter_joins_declines_or_is_asked_about(state_dir: Path) -> None:
    """A yes takes the seat, with its words for the deal; a no gives it up, and the host is told; else it is asked."""
    hall = build(state_dir)
    game = table(hall)
    tables.invite(hall.web, game, host_of(hall), ["a@x.test", "b@x.test"])
    hall.settle()
    for seat, lines in (("s2", UNCLEAR[0]), ("s2", ["JOIN with a red hat"]), ("s3", REFUSALS[0])):
        hall.write_in(str(hall.last(seat).token), lines)
        hall.settle()
    assert [(a.kind, getattr(facts, "kind", "")) for a, facts in hall.sent[2:]] == [
        ("notice", "deputy_unclear"),
        ("joined", ""),
        ("notice", "declined"),
    ]
    assert [(row.user_id is not None, row.seed_words) for row in hall.rows(SeatRow)][1:] == [
        (True, "with a red hat"),
        (False, ""),
    ]


def test_a_mailbox_is_not_filled_with_sign_in_links(state_dir: Path) -> None:
    """Whoever asks, an address gets six links an hour and twenty a day; ten of them for one and the same line."""
    hall = build(state_dir)
    for _ in range(20):
        sign_in.request_sign_in(hall.web, "often@x.test")
    hall.settle()
    assert len(hall.of("signin")) == 6
    hall.sent.clear()
    for _ in range(12):
        for line in ("198.51.100.1", "198.51.100.2", "198.51.100.3"):
            sign_in.request_sign_in(hall.web, "somebody@x.test", line=line)
            sign_in.request_sign_in(hall.web, "Other+3@x.test", line="198.51.100.9")
        hall.pass_time(hours=1)
    hall.settle()
    went = [address.to_address for address, _ in hall.sent]
    assert (went.count("somebody@x.test"), went.count("other+3@x.test")) == (20, 10)
    sign_in.request_sign_in(hall.web, "other@x.test", line="198.51.100.1")
    hall.pass_time(days=1)
    sign_in.request_sign_in(hall.web, "somebody@x.test", line="198.51.100.1")
    hall.settle()
    assert [address.to_address for address, _ in hall.sent[len(went) :]] == ["other@x.test", "somebody@x.test"]


def test_nobody_has_links_mailed_to_the_whole_world(state_dir: Path) -> None:
    """One line can have links sent to a hundred addresses a day."""
    hall = build(state_dir)
    for number in range(120):
        sign_in.request_sign_in(hall.web, f"n{number}@x.test", line="198.51.100.1")
    sign_in.request_sign_in(hall.web, "somebody@x.test", line="198.51.100.2")
    assert len(hall.rows(User)) == 101


def test_a_muted_player_gets_receipts_alone(state_dir: Path) -> None:
    """A muted player is sent no report; what answers their own letter still comes."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    token = hall.token("s1")
    with hall.web.db.transaction() as session:
        session.get_one(User, next(r.user_id for r in hall.rows(SeatRow) if r.seat == "s1")).muted_at = 1
    hall.write_in(token, ["BID 1"])
    hall.settle()
    hall.say("s2", "BID 0")
    assert [(a.kind, a.seat) for a, _ in hall.sent[-3:]] == [("receipt", "s1"), ("receipt", "s2"), ("report", "s2")]
    assert [row.state for row in hall.rows(OutboundEmail) if row.kind == "report"] == ["suppressed", "sent"]


def test_new_people_read_in_the_time_zone_of_the_server(state_dir: Path) -> None:
    """A person who has not said their zone is told deadlines in that of the server; nobody else's changes."""
    hall = build(state_dir)
    game = table(hall)
    hall.everywhere(time_zone="Europe/Paris")
    tables.invite(hall.web, game, host_of(hall), ["a@x.test"])
    sign_in.request_sign_in(hall.web, "b@x.test")
    hall.settle()
    zones = {row.email: row.time_zone for row in hall.rows(User)}
    assert (zones["a@x.test"], zones["b@x.test"]) == ("Europe/Paris", "Europe/Paris")
    assert {zone for address, zone in zones.items() if address not in ("a@x.test", "b@x.test")} == {"UTC"}
