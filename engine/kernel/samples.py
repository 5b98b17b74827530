"""A sample board for people who do not know a game: a game that bots have played for a while, as spectators see it.

Of several zones only the first is shown; all of them would be too small to read in an email or on a card.
"""

from typing import Any, Final

from engine.kernel.bots import Bot, BotProfile, chooser, play_entries
from engine.kernel.languages import Language
from engine.kernel.pictures import DrawsBoard, Theme
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat
from engine.kernel.zones import HasZones

ENTRIES: Final = 24
"""The number of entries that bots have played on the sample board."""
WHOLE: Final = "map"
"""The crop that shows the whole board, without the texts below it."""
_TEMPER: Final = BotProfile(
    suggested=100, random_share=0, passing=0, absent=0, ahead=0, unasked_share=0, eagerness=95, lines=6
)


def build_sample(game: Rules[Any], language: Language, theme: Theme) -> str:
    """Return the board of a game between bots as SVG, the same each time.

    Raises LookupError for a game that draws no board.
    """
    if not isinstance(game, DrawsBoard):
        raise LookupError("this game draws nothing")
    players = min(game.meta.seats, key=lambda count: abs(count - 3))
    seats = [Seat(f"s{number + 1}") for number in range(players)]
    bots = {seat: Bot(game, seat, chooser(b"landing"), _TEMPER) for seat in seats}
    position = play_entries(game, seats, game.meta.chosen({}), b"landing", bots, ENTRIES)
    with seen_by(PUBLIC):
        view = game.present_view(redact(position, PUBLIC), PUBLIC)
    return game.draw(view, language, theme=theme, crop=_shown_part(game, view, language))


def _shown_part(game: DrawsBoard, view: View, language: Language) -> str:
    """Return the name of the crop to show; "" for the whole picture."""
    crops = game.crops(view)
    if isinstance(game, HasZones) and sum(not one.zone.aside for one in game.zones(view, language)) > 1:
        return next((crop for crop in crops if crop != WHOLE), "")
    return WHOLE if WHOLE in crops else ""
