"""The tile that was won, as a page lets it hover: for its owner alone, with every square that it could take."""

from engine.kernel.placeable_pieces import HasPieces, Piece
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from engine.patchistory.board import Lot, Phase
from engine.patchistory.catalogue import BLACK, LIMITS, SIDES, TILES, WHITE
from engine.patchistory.ruleset import RULES
from engine.patchistory.territory import placements
from tests.engine.patchistory.build import BLUE, RED, At, enter, game


def with_lot(side: str, seats: int = 3) -> At:
    """Red has won a tile, and is asked where it goes."""
    position = game(seats, phase=Phase.PLACEMENT)
    position.board.players[RED].won = Lot("A", "I-07", side)
    return enter(position, Phase.PLACEMENT).position


def piece(position: At) -> Piece:
    """What Red may lay."""
    assert isinstance(RULES, HasPieces)
    (found,) = RULES.pieces(RULES.present_view(redact(position, RED), RED), "en")
    return found


def test_who_has_won_nothing_lays_nothing() -> None:
    """The others, and everybody who looks on, are given no piece."""
    position = with_lot(WHITE)
    for viewer in (BLUE, PUBLIC):
        assert RULES.pieces(RULES.present_view(redact(position, viewer), viewer), "en") == ()


def test_every_legal_place_is_on_the_grid() -> None:
    """All squares of all placements that the rules allow have their name and their place there."""
    position = with_lot(WHITE)
    found, territory = piece(position), position.board.players[RED].territory
    legal = list(placements(territory, "I-07", TILES["I-07"].face(WHITE), LIMITS[0]))
    assert legal
    assert {square for way in legal for square in way.squares()} <= found.grid.keys()
    (face,) = found.faces
    for way in legal:
        row, column = found.grid[way.corner]
        assert {found.grid[square] for square in way.squares()} == {(row + r, column + c) for r, c in face.spots}


def test_with_two_players_either_side_may_be_up() -> None:
    """The side is a choice of the form; where it is settled there is none."""
    assert [face.value for face in piece(with_lot("", seats=2)).faces] == list(SIDES)
    assert [face.value for face in piece(with_lot(BLACK)).faces] == [""]
