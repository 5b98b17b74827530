"""Spectators: who may look on, and that they see what everybody sees."""

from pathlib import Path

import pytest

from pbem.service.access.permissions import find_membership
from pbem.service.base.database_access import Page
from pbem.service.base.services import RequestRefused
from pbem.service.seats import spectators
from tests.service.server_fixtures import build, start_game
from tests.service.test_messages import number, player


def test_anybody_may_watch_an_open_table(state_dir: Path) -> None:
    """A player finds the table in the list, sees it in public, is known by name, and may go again."""
    harness = build(state_dir)
    game, otto = start_game(harness, "toy", 2, watchers="open"), number(harness, "otto@games.test")
    assert [s.game for s in spectators.list_followed(harness.web, otto)[1].rows] == [game]
    spectators.follow(harness.web, otto, game)
    place = find_membership(harness.web, otto, game)
    assert place is not None
    assert (place.seat, place.is_spectator, place.can_see, place.host) == (None, True, True, False)
    assert spectators.load_spectators(harness.web, game) == ("otto",)
    assert [s.game for s in spectators.list_followed(harness.web, otto)[0]] == [game]
    spectators.unfollow(harness.web, otto, game)
    assert find_membership(harness.web, otto, game) is None


@pytest.mark.parametrize("terms", ["invited", "none"])
def test_elsewhere_nobody_looks_on_unasked(state_dir: Path, terms: str) -> None:
    """A table by invitation, one closed to spectators and one that does not exist give the same answer."""
    harness = build(state_dir)
    game, otto = start_game(harness, "toy", 2, watchers=terms), number(harness, "otto@games.test")
    assert spectators.list_followed(harness.web, otto) == ([], Page(()))
    for where in (game, "bcdfghjkmnpq"):
        with pytest.raises(RequestRefused, match="no_such_sight"):
            spectators.follow(harness.web, otto, where)
    assert find_membership(harness.web, otto, game) is None


def test_the_master_invites_and_nobody_else(state_dir: Path) -> None:
    """The master's guest is told by letter, once, and looks on; at a closed table nobody is, nor a player's guest."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    for _ in range(2):
        spectators.invite(harness.web, player(harness, 1), game, "Otto@games.test")
    harness.run_queued_tasks()
    assert [a.to_address for a, f in harness.sent if getattr(f, "kind", "") == "watching"] == ["otto@games.test"]
    for by, address, code in (
        (2, "eve@games.test", "not_your_table"),
        (1, "p2@games.test", "already_seated"),
        (1, "nobody", "address"),
    ):
        with pytest.raises(RequestRefused, match=code):
            spectators.invite(harness.web, player(harness, by), game, address)
    closed = build(state_dir / "closed")
    other = start_game(closed, "toy", 2, watchers="none")
    with pytest.raises(RequestRefused, match="no_spectators"):
        spectators.invite(closed.web, player(closed, 1), other, "otto@games.test")
