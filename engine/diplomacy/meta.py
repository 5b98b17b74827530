"""Title, seats, options, topics and endings of the game. The first value of an option is its default."""

from typing import Final

from engine.diplomacy.board import Part, Phase
from engine.diplomacy.catalogue import POWERS, WORDS
from engine.kernel.options import PACE, common_options, make_option
from engine.kernel.phrasebook import topic
from engine.kernel.position import Options
from engine.kernel.rules import Meta

OPEN: Final = "open"
"""No last year: only 18 centres end the game."""
LAST_YEAR: Final = make_option(WORDS, "last_year", "1910", "1905", "1907", "1912", "1915", OPEN)
DRAWN: Final = "drawn"
POWERS_BY: Final = make_option(WORDS, "powers", DRAWN, "order")
"""Powers are drawn, or given in the order of seats, which the host arranges."""
LISTED: Final = "listed"
DRAW_INCLUDES: Final = make_option(WORDS, "draw_includes", "survivors", LISTED)
"""Who shares a draw: all who are left, or whom the votes list."""
BY_DRAW_SIZE: Final = "draw_size"
BY_SQUARES: Final = "squares"
SCORE: Final = make_option(WORDS, "score", "centres", BY_DRAW_SIZE, BY_SQUARES)

META: Final = Meta(
    name="diplomacy",
    title=WORDS("title"),
    designer="Allan B. Calhamer",
    seats=(len(POWERS),),
    version="1",
    has_no_free_text=True,
    options=(
        *(common for common in common_options(talk="free") if common.name != PACE.name),
        LAST_YEAR,
        POWERS_BY,
        DRAW_INCLUDES,
        SCORE,
    ),
    topics=(
        topic(WORDS, "spring", lines=True, exhaustive=True),
        topic(WORDS, "spring_retreat", lines=True, exhaustive=True),
        topic(WORDS, "fall", lines=True, exhaustive=True),
        topic(WORDS, "fall_retreat", lines=True, exhaustive=True),
        topic(WORDS, "winter", lines=True, exhaustive=True),
    ),
    endings=WORDS.section("endings"),
    turn=WORDS("year"),
)


def last_year(options: Options) -> int | None:
    """Return the year after whose fall the game ends, or None."""
    chosen = options[LAST_YEAR.name]
    return None if chosen == OPEN else int(chosen)


TOPICS: Final = {
    (False, Part.MOVEMENT): "spring",
    (False, Part.RETREAT): "spring_retreat",
    (True, Part.MOVEMENT): "fall",
    (True, Part.RETREAT): "fall_retreat",
    (True, Part.ADJUSTMENT): "winter",
}
"""The question of each phase, in the order of a year."""


def topic_of(phase: Phase) -> str:
    """Return the question of a phase."""
    return TOPICS[phase.is_fall, phase.part]
