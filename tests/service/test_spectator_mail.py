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
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game

OTTO = "otto@games.test"


def watched_game(folder: Path, *, wanted: bool = True) -> tuple[ServerHarness, str]:
    """A game of three at which somebody looks on, who wants letters."""
    harness = build(folder)
    game = start_game(harness, "toy", 3, 48, watchers="open")
    spectators.follow(harness.web, get_user_id(harness, OTTO), game)
    if wanted:
        reports.subscribe_spectator(harness.web, get_user_id(harness, OTTO), game, True)
    return harness, game


def read(harness: ServerHarness) -> list[SpectatorFacts]:
    """The letters that the spectator got."""
    return [facts for address, facts in harness.sent if address.kind == "spectator" and address.to_address == OTTO]


def bids(harness: ServerHarness) -> None:
    """A phase ends."""
    for seat in ("s1", "s2", "s3"):
        harness.reply(seat, "BID 0")


def token_of(harness: ServerHarness) -> str:
    """The capability at the foot of the spectator's last letter."""
    return str(read(harness)[-1].frame.links.mute.rpartition("/")[2])


def test_nobody_gets_letters_unasked(state_dir: Path) -> None:
    """A spectator has the pages; letters come only when they ask for them, and stop when they go."""
    harness, game = watched_game(state_dir, wanted=False)
    bids(harness)
    assert read(harness) == []
    assert [sight.wants_emails for sight in spectators.list_followed(harness.web, get_user_id(harness, OTTO))[0]] == [
        False
    ]
    reports.subscribe_spectator(harness.web, get_user_id(harness, "p1@games.test"), game, True)
    reports.subscribe_spectator(harness.web, get_user_id(harness, OTTO), game, True)
    spectators.unfollow(harness.web, get_user_id(harness, OTTO), game)
    play_on(harness, game, 5)
    assert [address for address, _ in harness.sent if address.kind == "spectator"] == []


def test_after_a_phase_and_at_the_end_a_spectator_reads_what_everybody_was_told(state_dir: Path) -> None:
    """Each public fact once, in order, from the time they asked; no token of a seat, and nobody's own view."""
    harness, game = watched_game(state_dir)
    bids(harness)
    (first,) = read(harness)
    with truth():
        public = redact(harness.load_state(game), PUBLIC)
    assert dump(first.after) == dump(public)
    assert first.frame.reader.seat == ""
    assert first.frame.links.answer == ""
    play_on(harness, game)
    while delivery.deliver(harness.mailer):
        pass
    found = read(harness)
    assert len(found) > 2
    assert found[-1].after.core.over
    told = [event for facts in found for event in facts.events]
    with harness.web.db.snapshot() as session:
        everybody = seat_views.load_events(harness.web, session, game, PUBLIC, 1, harness.load_game(game).entry)
    assert dump(tuple(told)) == dump(everybody)


def test_the_link_at_the_foot_ends_the_letters_of_its_table(state_dir: Path) -> None:
    """It ends the letters of that table alone, and for good; a made-up link ends nothing."""
    harness, game = watched_game(state_dir)
    bids(harness)
    token = token_of(harness)
    assert reports.find_spectator_by_link(harness.web, token) == ("Rose", "en")
    assert reports.find_spectator_by_link(harness.web, harness.reply_token("s1")) is None
    reports.unsubscribe_spectator(harness.web, harness.reply_token("s1"))
    reports.unsubscribe_spectator(harness.web, token)
    reports.unsubscribe_spectator(harness.web, token)
    play_on(harness, game, 5)
    assert len(read(harness)) == 1
    assert [sight.wants_emails for sight in spectators.list_followed(harness.web, get_user_id(harness, OTTO))[0]] == [
        False
    ]


def test_a_spectator_who_muted_their_letters_gets_none_of_these(state_dir: Path) -> None:
    """A spectator who has come to play gets none either, but those of their seat."""
    harness, game = watched_game(state_dir)
    users.set_muted(harness.web, get_user_id(harness, OTTO), True)
    bids(harness)
    assert read(harness) == []
    users.set_muted(harness.web, get_user_id(harness, OTTO), False)
    harness.reply("s3", "RESIGN YES")
    substitutes.take_over(harness.web, get_user_id(harness, OTTO), game, "s3")
    harness.run_queued_tasks()
    play_on(harness, game, 5)
    assert read(harness) == []


def test_a_spectators_picture_is_that_of_everybody(state_dir: Path) -> None:
    """It is drawn from the public view, once for all spectators of a language, and goes along with the letter."""
    harness, game = watched_game(state_dir, wanted=False)
    harness.configure(pictures=True, render_picture=lambda svg: b"PNG")
    for who in (OTTO, "anna@games.test"):
        if who != OTTO:
            spectators.follow(harness.web, get_user_id(harness, who), game)
        reports.subscribe_spectator(harness.web, get_user_id(harness, who), game, True)
    bids(harness)
    while any(row.state == "pending" for row in harness.load_rows(BoardImage)):
        harness.run_task("render_picture", "")
    harness.run_queued_tasks()
    assert len([row for row in harness.load_rows(BoardImage) if row.viewer == PUBLIC]) == 1
    assert [address.picture for address, _ in harness.sent if address.kind == "spectator"] == [b"PNG", b"PNG"]
    assert read(harness)[0].picture == "board"


def test_old_letters_and_links_of_spectators_do_not_lie_about_for_ever(state_dir: Path) -> None:
    """A year later neither the rows of a spectator's letters nor their links are kept."""
    harness, _ = watched_game(state_dir)
    bids(harness)
    kept = [row for row in harness.load_rows(OutboundEmail) if row.kind == "spectator"]
    assert kept
    harness.advance_time(days=400)
    jobs.delete_expired_rows(harness.mailer)
    assert [row for row in harness.load_rows(OutboundEmail) if row.kind == "spectator"] == []
    assert [row for row in harness.load_rows(Capability) if row.purpose == "spectator"] == []
