"""A master offers a seat to one person: it passes when they say yes, and not before."""

from pathlib import Path

import pytest

from pbem.archive.verify import verify
from pbem.crypto import new_token
from pbem.service.archive import files
from pbem.service.base.services import RequestRefused
from pbem.service.seats import accounts, seat_offers, spectators, substitutes
from pbem.store.models import Application, Capability, SealedOrdersRow, SeatRow
from tests.service.master_commands import (
    MASTER,
    build_mastered_game,
    get_user_id,
    load_audit,
    send_commands,
    send_confirmed,
    start_mastered_game,
)
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, restore_or_make, start_game
from tests.service.timed_games import advance_and_run

GUEST = "guest@games.test"


def offered(folder: Path) -> tuple[ServerHarness, str, str]:
    """A table of three whose second seat a guest is asked to take; the token of the letter that asks them."""
    harness = build(folder)

    def make() -> str:
        game = start_mastered_game(harness, watchers="open")
        send_confirmed(harness, game, f"REPLACE p2 BY {GUEST}", who=MASTER)
        return game

    game = restore_or_make(harness, "offered", make)
    return harness, game, token_of(harness)


def token_of(harness: ServerHarness) -> str:
    """The capability of the last letter that offers a seat: the same in its link and its address."""
    links = harness.sent_facts("seat")[-1].frame.links
    token = str(links.act.rpartition("/")[2])
    assert links.answer.partition("+")[2].partition("@")[0] == token
    return token


def sits(harness: ServerHarness, seat: str = "s2") -> int | None:
    """The player of the seat."""
    return next(row.user_id for row in harness.load_rows(SeatRow) if row.seat == seat)


def offer_messages(harness: ServerHarness) -> list[str]:
    """What the master was told of offers."""
    leads = [said.code for a, f in harness.sent if a.kind == "master" and a.to_address == MASTER for said in f.lead]
    return [code for code in leads if code.startswith("offer_")]


def test_nothing_passes_before_the_person_asked_says_yes(state_dir: Path) -> None:
    """The seat's player keeps it, answers, and is told with all others; the master sees that an answer is awaited."""
    harness, game, _ = offered(state_dir)
    assert sits(harness) == get_user_id(harness, "p2@games.test")
    assert harness.reply("s2", "BID 2").sets[0].taken
    assert [facts.said[0].code for facts in harness.sent_facts("announcement")] == ["offered_to"] * 3
    status = send_commands(harness, game, "STATUS", who=MASTER).acts[0]
    assert [said.terms["seat"] for said in status.said if said.code == "offer_waits"] == ["p2"]


def test_the_page_of_the_link_gives_the_seat(state_dir: Path) -> None:
    """What was filed there is gone, all are told, the newcomer has a recap; the audit says that they accepted.

    A made-up link and a link of another purpose give nothing, and only the hash of a capability is kept.  Who looked
    on may take a seat, and is no spectator any more.
    """
    harness, game, token = offered(state_dir)
    assert seat_offers.load_offer(harness.web, new_token()) is None
    assert seat_offers.answer(harness.web, harness.reply_token("s2"), takes=True) == ""
    assert token not in repr([vars(row) for row in harness.load_rows(Capability)])
    spectators.follow(harness.web, get_user_id(harness, GUEST), game)
    assert spectators.load_spectators(harness.web, game) == ("guest",)
    harness.reply("s2", "BID 2")
    assert seat_offers.answer(harness.web, token, takes=True) == game
    harness.run_queued_tasks()
    assert sits(harness) == get_user_id(harness, GUEST)
    assert spectators.load_spectators(harness.web, game) == ()
    assert not [row for row in harness.load_rows(SealedOrdersRow) if row.seat == "s2" and row.ciphertext]
    assert "replaced" in harness.notification_kinds("p2@games.test")
    assert "taken" in harness.notification_kinds("p1@games.test")
    assert any(a.kind == "report" and a.to_address == GUEST and f.recap for a, f in harness.sent)
    assert offer_messages(harness) == ["offer_accepted"]
    assert verify(files.export_game(harness.resolver, game), "", GAME_TYPES).code == 0
    last = load_audit(harness, game)[0]
    assert (last.outcome, last.channel, last.line) == ("accepted", "web", "REPLACE s2 BY g…@games.test")


@pytest.mark.parametrize(
    ("word", "seated", "told"), [("Oui !", True, "offer_accepted"), ("NO", False, "offer_declined")]
)
def test_a_letter_takes_or_declines(state_dir: Path, word: str, seated: bool, told: str) -> None:
    """One word decides; any other text changes nothing and is answered with the two words."""
    harness, game, token = offered(state_dir)
    harness.receive_reply(token, ["Who are you?"], sender=GUEST)
    harness.run_queued_tasks()
    assert harness.notification_kinds(GUEST) == ["deputy_unclear"]
    harness.receive_reply(token, [word], sender=GUEST)
    harness.run_queued_tasks()
    assert (sits(harness) == get_user_id(harness, GUEST)) is seated
    assert offer_messages(harness) == [told]
    harness.receive_reply(token, ["YES"], sender=GUEST)
    harness.run_queued_tasks()
    assert (sits(harness) == get_user_id(harness, GUEST)) is seated
    assert game == harness.load_game(game).id


def test_an_offer_is_taken_back(state_dir: Path) -> None:
    """From then on its link and address do nothing, and the person asked is told; a second offer can be made."""
    harness, game, token = offered(state_dir)
    again = send_confirmed(harness, game, "REPLACE p2 BY other@games.test", who=MASTER)
    assert again.acts[0].said[0].code == "no_offered_already"
    send_commands(harness, game, "TAKE BACK p2", who=MASTER)
    assert harness.notification_kinds(GUEST) == ["seat_offer_over"]
    assert seat_offers.load_offer(harness.web, token) is None
    assert seat_offers.answer(harness.web, token, takes=True) == ""
    assert sits(harness) == get_user_id(harness, "p2@games.test")
    assert send_commands(harness, game, "TAKE BACK p2", who=MASTER).acts[0].said[0].code == "no_nothing_offered"
    send_confirmed(harness, game, "REPLACE p2 BY other@games.test", who=MASTER)
    send_confirmed(harness, game, "EJECT p2", who=MASTER)
    shown = seat_offers.load_offer(harness.web, token_of(harness))
    assert shown is not None
    assert (shown.previous_player, sits(harness)) == ("s2", None), "it may be empty meanwhile"
    assert seat_offers.answer(harness.web, token_of(harness), takes=True) == game


def test_an_offer_ends_by_itself(state_dir: Path) -> None:
    """After a week without an answer it holds no more; both are told, and the audit says so."""
    harness, game, token = offered(state_dir)
    advance_and_run(harness, days=7)
    assert [row.outcome for row in harness.load_rows(Application)] == ["over"]
    assert offer_messages(harness) == ["offer_over"]
    assert "seat_offer_over" in harness.notification_kinds(GUEST)
    assert seat_offers.answer(harness.web, token, takes=True) == ""
    assert "over" in [entry.outcome for entry in load_audit(harness, game)]


def test_who_has_come_to_sit_elsewhere_gets_nothing(state_dir: Path) -> None:
    """A seat that another player took is offered no more; nor is a second seat to a player who took a first."""
    harness, game, token = offered(state_dir)
    send_confirmed(harness, game, f"REPLACE p3 BY {GUEST}", who=MASTER)
    harness.reply("s1", "RESIGN YES")
    substitutes.take_over(harness.web, get_user_id(harness, GUEST), game, "s1")
    harness.run_queued_tasks()
    assert [row.outcome for row in harness.load_rows(Application)] == ["over", "over"]
    assert seat_offers.answer(harness.web, token, takes=True) == ""
    assert sits(harness) == get_user_id(harness, "p2@games.test")


def test_who_has_looked_behind_the_screen_since_is_refused(state_dir: Path) -> None:
    """A seat is refused to a person who came to know more than it may see after they were asked."""
    harness, game, token = offered(state_dir)
    send_commands(harness, game, f"PROMOTE {GUEST}", who=MASTER)
    send_confirmed(harness, game, "OPEN DECK", who=GUEST)
    with pytest.raises(RequestRefused):
        seat_offers.answer(harness.web, token, takes=True)
    harness.receive_reply(token, ["YES"], sender=GUEST)
    harness.run_queued_tasks()
    assert sits(harness) == get_user_id(harness, "p2@games.test")
    assert "revoked" in harness.notification_kinds(GUEST)


def test_a_seat_is_not_given_back_to_who_has_looked_behind_the_screen(state_dir: Path) -> None:
    """A former player who opened cards as a master since then gets no seat back, nor one whom a master put out."""
    harness, game = build_mastered_game(state_dir)
    for seat in ("s2", "s3"):
        harness.reply(seat, "RESIGN YES")
    nora, otto = get_user_id(harness, "nora@games.test"), get_user_id(harness, "otto@games.test")
    substitutes.take_over(harness.web, nora, game, "s2")
    send_confirmed(harness, game, "EJECT p3", who=MASTER)
    substitutes.take_over(harness.web, otto, game, "s3")
    harness.run_queued_tasks()
    send_commands(harness, game, "PROMOTE p2@games.test", who=MASTER)
    send_confirmed(harness, game, "OPEN DECK", who="p2@games.test")
    assert harness.sent_facts("opened")
    with pytest.raises(RequestRefused, match="already_seated"):
        substitutes.return_seat(harness.web, nora, game)
    with pytest.raises(RequestRefused, match="nobody_before"):
        substitutes.return_seat(harness.web, otto, game)
    assert [sits(harness, seat) for seat in ("s2", "s3")] == [nora, otto]


@pytest.mark.parametrize("way", ["removed", "forgotten", "asks to be forgotten"])
def test_a_seat_is_given_back_to_nobody_who_is_gone(state_dir: Path, way: str) -> None:
    """One who had it back and was put out then, or who left the server, or wants to, does not get it again."""
    harness, game = build_mastered_game(state_dir)
    first, nora, otto = (get_user_id(harness, f"{name}@games.test") for name in ("p2", "nora", "otto"))
    if way == "asks to be forgotten":
        start_game(harness, "toy", 2)
    offer(harness, game)
    substitutes.take_over(harness.web, nora, game, "s2")
    substitutes.return_seat(harness.web, nora, game)
    assert sits(harness) == first
    offer(harness, game)
    if way == "removed":
        send_confirmed(harness, game, "EJECT p2", who=MASTER)
    substitutes.take_over(harness.web, otto, game, "s2")
    harness.run_queued_tasks()
    if way != "removed":
        accounts.request_deletion(harness.web, first)
        harness.run_queued_tasks()
        token = harness.sent_facts("account")[-1].frame.links.act.rpartition("/")[2]
        assert accounts.confirm_deletion(harness.web, token) is (way == "forgotten")
    with pytest.raises(RequestRefused, match="nobody_before"):
        substitutes.return_seat(harness.web, otto, game)


def offer(harness: ServerHarness, game: str) -> None:
    """The player of the second seat offers it."""
    substitutes.offer_own_seat(harness.web, get_user_id(harness, "p2@games.test"), game)
    harness.run_queued_tasks()


def test_offering_and_keeping_a_seat_again_and_again_writes_to_nobody(state_dir: Path) -> None:
    """The others are told of an offered seat once a day, however often it is offered and kept."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 48)
    for _ in range(10):
        harness.advance_time(seconds=30)
        substitutes.offer_own_seat(harness.web, get_user_id(harness, "p2@games.test"), game)
        harness.reply("s2", "BID 1")
        assert next(row for row in harness.load_rows(SeatRow) if row.seat == "s2").open_since is None
    assert harness.notification_kinds("p1@games.test") == ["offered"]
    harness.advance_time(days=1)
    substitutes.offer_own_seat(harness.web, get_user_id(harness, "p2@games.test"), game)
    harness.run_queued_tasks()
    assert harness.notification_kinds("p1@games.test") == ["offered", "offered"]
