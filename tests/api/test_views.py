"""What programs are shown of a game is what its rules show of the redacted position, and nothing beside it."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine import GAMES
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.web.api import OPERATIONS
from pbem.web.api.plain import to_plain
from tests.api.api_client import Program, issued
from tests.api.world import PLAYERS, World, opened
from tests.web.statements import MOST, counted


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Every registered game under way; nothing is changed."""
    with TemporaryDirectory(prefix="pbem-av-") as folder:
        yield opened(Path(folder))


def test_each_view_is_that_of_the_redacted_position(world: World) -> None:
    """For every game, every seat and everybody: the laws of the games hold for what goes out here."""
    for game in world.running:
        position, rules = world.harness.load_state(game), GAMES[world.harness.load_game(game).rules]
        seats = [f"s{n}" for n in range(1, PLAYERS + 1)]
        for viewer, call in (*((seat, "view") for seat in seats), *((PUBLIC, "public") for _ in seats[:1])):
            seen = redact(position, Seat(viewer))
            with seen_by(Seat(viewer)):
                shown = rules.present_view(seen, Seat(viewer))
            number = viewer[1:] if viewer != PUBLIC else "1"
            program = Program(world.app, issued(world.harness, f"p{number}@games.test", scope="read"))
            assert program.get(f"/games/{game}/{call}").json["view"] == to_plain(shown)


def test_a_view_holds_only_what_json_knows() -> None:
    """Anything else is an error, not a text that might tell."""
    assert to_plain({"a": (1, True, None, "x", frozenset({"b", "a"}))}) == {"a": [1, True, None, "x", ["a", "b"]]}
    for other in ({"a": 1.5}, object()):
        with pytest.raises(TypeError):
            to_plain(other)


def test_a_finished_game_is_shown_entry_by_entry(world: World) -> None:
    """Former seats get a finished game as every seat saw it, its boards, figures and talk, and all of it as a file."""
    program = Program(world.app, issued(world.harness, "p1@games.test"))
    listed = program.get("/records?q=rose+p2").json["records"]
    assert [record["game"] for record in listed] == [world.over]
    assert program.get("/records?q=nothing").json["records"] == []
    last = program.get(f"/records/{world.over}").json
    before = program.get(f"/records/{world.over}/s2/{last['earlier']}")
    assert (before.status_code, before.json["viewer"], set(last["viewers"])) == (200, "s2", {"public", "s1", "s2"})
    assert program.get(f"/records/{world.over}/file").data[:2] == b"PK"
    assert program.get("/records?leave_out=1").json == {"records": [], "more": 0}
    assert {line["games"] for line in program.get("/statistics").json["players"]} == {1}
    board = program.get(f"/records/{world.over}/s1/1/board")
    assert (board.status_code, board.mimetype) == (200, "image/svg+xml")
    assert program.get(f"/records/{world.over}/s1/999/board").status_code == 404
    assert program.get(f"/records/{world.over}/talk").json == {"game": world.over, "messages": [], "more": 0}


def test_the_board_is_drawn_as_the_seat_sees_it(world: World) -> None:
    """An SVG with a tag, for games that draw one; a part of it by its name, an earlier entry by its number."""
    program = Program(world.app, issued(world.harness, "p1@games.test"))
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
    common = program.get(f"/games/{game}/board?theme=light")
    assert (common.status_code, common.mimetype) == (200, "image/svg+xml")
    assert common.data != program.get(f"/games/{game}/map?theme=light").data
    assert program.get(f"/games/{game}/board?theme=light", If_None_Match=common.headers["ETag"]).status_code == 304


def test_figures_are_told_turn_by_turn_and_drawn(world: World) -> None:
    """Everybody who sees the table gets a number for each seat and turn, and the same as a chart."""
    one, stranger = (Program(world.app, issued(world.harness, f"{n}@games.test")) for n in ("p1", "x"))
    for game in (*world.running, world.over):
        course = one.get(f"/games/{game}/figures").json
        assert course["figures"]
        for figure in course["figures"]:
            seated = len(world.harness.load_state(game).core.seats)
            named = (seated,) if game == world.over else (0, seated)
            assert len(figure["seats"]) in named, "unnamed before they choose"
            assert {len(row["numbers"]) for row in figure["seats"]} <= {len(course["turns"])}
            drawn = one.get(f"/games/{game}/chart?figure={figure['name']}")
            assert (drawn.status_code, drawn.mimetype) == (200, "image/svg+xml")
        assert one.get(f"/games/{game}/chart").status_code == 200
        assert one.get(f"/games/{game}/chart?figure=nothing").status_code == 404
        assert stranger.get(f"/games/{game}/figures").status_code == 404


def test_a_game_under_way_is_looked_back_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry by entry as one's own seat was shown it, in parts; an entry that was not shown is the last before it."""
    program = Program(world.app, issued(world.harness, "p1@games.test"))
    monkeypatch.setattr("pbem.web.api.records.MOST_ENTRIES", 2)
    here = f"/games/{world.over}"
    part, found = program.get(f"{here}/history").json, []
    while True:
        found += part["entries"]
        if not part["before"]:
            break
        part = program.get(f"{here}/history?before={part['before']}").json
    assert len(found) > 2
    assert found == sorted(set(found), reverse=True)
    middle = program.get(f"{here}/history/{found[1]}").json
    assert (middle["viewer"], middle["earlier"], middle["later"]) == ("s1", found[2], found[0])
    assert program.get(f"{here}/history/{found[0] + 1}").json["entry"] == found[0]
    assert program.get(f"{here}/history/0").status_code == 404


def test_every_look_costs_eight_statements_at_most(world: World) -> None:
    """As on a page, not counting those that check a token; many tables cost no more than few."""
    program = Program(world.app, issued(world.harness, "p1@games.test"))
    program.get("/me")
    with counted(world.harness) as alone:
        program.get("/me")
    costs: dict[str, int] = {}
    for operation in OPERATIONS:
        if operation.method == "GET":
            for game in (world.running[0], world.over, world.forming):
                path = operation.path.replace("<game>", game).replace("<int:entry>", "1").replace("<viewer>", "s1")
                with counted(world.harness) as asked:
                    program.get(path)
                costs[operation.name] = max(costs.get(operation.name, 0), len(asked) - len(alone))
    dear = {name: cost for name, cost in costs.items() if cost > MOST}
    assert set(dear) <= {"get_master_page"}, dear
    assert dear.get("get_master_page", 0) <= 24, (
        "it locks the game and looks at all that its masters may settle, like its page"
    )
