"""Letters to spectators: for those who want them, of what everybody sees, and of nothing else."""

from pathlib import Path

from engine.kernel.codec import dump
from engine.kernel.secrets import redact, truth
from engine.kernel.viewers import PUBLIC
from pbem.narration.facts import SpectatorFacts
from pbem.service.access import users
from pbem.service.game import seat_views
from pbem.service.mail import delivery
from pbem.service.resolver import reports
from pbem.service.seats import spectators, substitutes
from pbem.service.tasks import jobs
from pbem.store.models import BoardImage, Capability, OutboundEmail
from tests.archive.bots import play_on
from tests.service.master_commands import user
from tests.service.server_fixtures import Hall, build, seated

OTTO = "otto@games.test"


def looked_at(folder: Path, *, wanted: bool = True) -> tuple[Hall, str]:
    """A game of three at which somebody looks on, who wants letters."""
    hall = build(folder)
    game = seated(hall, "toy", 3, 48, watchers="open")
    spectators.follow(hall.web, user(hall, OTTO), game)
    if wanted:
        reports.subscribe_spectator(hall.web, user(hall, OTTO), game, True)
    return hall, game


def read(hall: Hall) -> list[SpectatorFacts]:
    """The letters that the spectator got."""
    return [facts for address, facts in hall.sent if address.kind == "onlooker" and address.to_address == OTTO]


def bids(hall: Hall) -> None:
    """A phase ends."""
    for seat in ("s1", "s2", "s3"):
        hall.say(seat, "BID 0")


def token_of(hall: Hall) -> str:
    """The capability at the foot of the spectator's last letter."""
    return str(read(hall)[-1].frame.links.mute.rpartition("/")[2])


def test_nobody_gets_letters_unasked(state_dir: Path) -> None:
    """A spectator has the pages; letters come only when they ask for them, and stop when they go."""
    hall, game = looked_at(state_dir, wanted=False)
    bids(hall)
    assert read(hall) == []
    assert [sight.wants_emails for sight in spectators.list_followed(hall.web, user(hall, OTTO))[0]] == [False]
    reports.subscribe_spectator(hall.web, user(hall, "p1@games.test"), game, True)
    reports.subscribe_spectator(hall.web, user(hall, OTTO), game, True)
    spectators.unfollow(hall.web, user(hall, OTTO), game)
    play_on(hall, game, 5)
    assert [address for address, _ in hall.sent if address.kind == "onlooker"] == []


def test_after_a_phase_and_at_the_end_a_spectator_reads_what_everybody_was_told(state_dir: Path) -> None:
    """Each public fact once, in order, from the time they asked; no token of a seat, and nobody's own view."""
    hall, game = looked_at(state_dir)
    bids(hall)
    (first,) = read(hall)
    with truth():
        public = redact(hall.position(game), PUBLIC)
    assert dump(first.after) == dump(public)
    assert first.frame.reader.seat == ""
    assert first.frame.links.answer == ""
    play_on(hall, game)
    while delivery.deliver(hall.post):
        pass
    found = read(hall)
    assert len(found) > 2
    assert found[-1].after.core.over
    told = [event for facts in found for event in facts.events]
    with hall.web.db.snapshot() as session:
        everybody = seat_views.load_events(hall.web, session, game, PUBLIC, 1, hall.game(game).entry)
    assert dump(tuple(told)) == dump(everybody)


def test_the_link_at_the_foot_ends_the_letters_of_its_table(state_dir: Path) -> None:
    """It ends the letters of that table alone, and for good; a made-up link ends nothing."""
    hall, game = looked_at(state_dir)
    bids(hall)
    token = token_of(hall)
    assert reports.find_spectator_by_link(hall.web, token) == ("Rose", "en")
    assert reports.find_spectator_by_link(hall.web, hall.token("s1")) is None
    reports.unsubscribe_spectator(hall.web, hall.token("s1"))
    reports.unsubscribe_spectator(hall.web, token)
    reports.unsubscribe_spectator(hall.web, token)
    play_on(hall, game, 5)
    assert len(read(hall)) == 1
    assert [sight.wants_emails for sight in spectators.list_followed(hall.web, user(hall, OTTO))[0]] == [False]


def test_a_spectator_who_muted_their_letters_gets_none_of_these(state_dir: Path) -> None:
    """A spectator who has come to play gets none either, but those of their seat."""
    hall, game = looked_at(state_dir)
    users.set_muted(hall.web, user(hall, OTTO), True)
    bids(hall)
    assert read(hall) == []
    users.set_muted(hall.web, user(hall, OTTO), False)
    hall.say("s3", "RESIGN YES")
    substitutes.take_over(hall.web, user(hall, OTTO), game, "s3")
    hall.settle()
    play_on(hall, game, 5)
    assert read(hall) == []


def test_a_spectators_picture_is_that_of_everybody(state_dir: Path) -> None:
    """It is drawn from the public view, once for all spectators of a language, and goes along with the letter."""
    hall, game = looked_at(state_dir, wanted=False)
    hall.everywhere(pictures=True, render_picture=lambda svg: b"PNG")
    for who in (OTTO, "anna@games.test"):
        if who != OTTO:
            spectators.follow(hall.web, user(hall, who), game)
        reports.subscribe_spectator(hall.web, user(hall, who), game, True)
    bids(hall)
    while any(row.state == "pending" for row in hall.rows(BoardImage)):
        hall.work("render_picture", "")
    hall.settle()
    assert len([row for row in hall.rows(BoardImage) if row.viewer == PUBLIC]) == 1
    assert [address.picture for address, _ in hall.sent if address.kind == "onlooker"] == [b"PNG", b"PNG"]
    assert read(hall)[0].picture == "board"


def test_old_letters_and_links_of_spectators_do_not_lie_about_for_ever(state_dir: Path) -> None:
    """A year later neither the rows of a spectator's letters nor their links are kept."""
    hall, _ = looked_at(state_dir)
    bids(hall)
    kept = [row for row in hall.rows(OutboundEmail) if row.kind == "onlooker"]
    assert kept
    hall.pass_time(days=400)
    jobs.delete_expired_rows(hall.post)
    assert [row for row in hall.rows(OutboundEmail) if row.kind == "onlooker"] == []
    assert [row for row in hall.rows(Capability) if row.purpose == "onlooker"] == []
