"""What programs are shown of a game is what its rules show of the redacted position, and nothing beside it."""

from pathlib import Path

import pytest

from engine import GAMES
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.secrets import redact, seen_by
from pbem.web.api.plain import plain
from tests.api.programs import Program, issued
from tests.api.world import PLAYERS, World, opened


@pytest.fixture
def world(state_dir: Path) -> World:
    """Every registered game under way."""
    return opened(state_dir)


def test_each_view_is_that_of_the_redacted_position(world: World) -> None:
    """For every game, every seat and everybody: the laws of the games hold for what goes out here."""
    for game in world.running:
        position, rules = world.hall.position(game), GAMES[world.hall.game(game).title]
        seats = [f"s{n}" for n in range(1, PLAYERS + 1)]
        for viewer, call in (*((seat, "view") for seat in seats), *((PUBLIC, "public") for _ in seats[:1])):
            seen = redact(position, Seat(viewer))
            with seen_by(Seat(viewer)):
                shown = rules.present(seen, Seat(viewer))
            number = viewer[1:] if viewer != PUBLIC else "1"
            program = Program(world.app, issued(world.hall, f"p{number}@games.test", scope="read"))
            assert program.get(f"/games/{game}/{call}").json["view"] == plain(shown)


def test_a_view_holds_only_what_json_knows() -> None:
    """Anything else is an error, not a text that might tell."""
    assert plain({"a": (1, True, None, "x", frozenset({"b", "a"}))}) == {"a": [1, True, None, "x", ["a", "b"]]}
    with pytest.raises(TypeError):
        plain({"a": 1.5})
    with pytest.raises(TypeError):
        plain(object())


def test_a_finished_game_is_shown_entry_by_entry(world: World) -> None:
    """As every seat saw it, and as a file, to whoever sat there; a running one is no record."""
    program, stranger = (Program(world.app, issued(world.hall, f"{n}@games.test")) for n in ("p1", "x"))
    listed = program.get("/records?q=rose+p2").json["records"]
    assert [record["game"] for record in listed] == [world.over]
    assert program.get("/records?q=nothing").json["records"] == []
    last = program.get(f"/records/{world.over}").json
    before = program.get(f"/records/{world.over}/s2/{last['earlier']}")
    assert (before.status_code, before.json["viewer"], set(last["viewers"])) == (200, "s2", {"public", "s1", "s2"})
    file = program.get(f"/records/{world.over}/file")
    assert file.status_code in (200, 404)
    if file.status_code == 200:
        assert file.data[:2] == b"PK"
    assert stranger.get(f"/records/{world.over}").status_code == 404
    assert program.get(f"/records/{world.running[0]}").status_code == 404


def test_the_board_is_drawn_as_the_seat_sees_it(world: World) -> None:
    """An SVG with a tag, for games that draw one; a part of it by its name, an earlier entry by its number."""
    program = Program(world.app, issued(world.hall, "p1@games.test"))
    drawn = [program.get(f"/games/{game}/map?theme=dark") for game in world.running]
    good = [answer for answer in drawn if answer.status_code == 200]
    assert good
    for answer in good:
        assert answer.mimetype == "image/svg+xml"
        assert answer.data.startswith((b"<svg", b"<?xml"))
    game = world.running[drawn.index(good[0])]
    mark = good[0].headers["ETag"]
    assert program.get(f"/games/{game}/map?theme=dark", If_None_Match=mark).status_code == 304
    assert program.get(f"/games/{game}/map?crop=nowhere").status_code == 404
    assert program.get(f"/games/{game}/map?theme=pink").status_code == 422
