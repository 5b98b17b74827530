"""What its narrator must know of the smallest game beside its templates."""

from collections.abc import Iterator

from engine.kernel.rules import View
from engine.kernel.telling import Telling, Thing, codes, defined_in
from tests.toy import answers, events, steps


def things(view: View) -> Iterator[Thing]:
    """The cards that a reader knows."""
    return (("card", card) for hand in view["known"].values() for card in hand)


TELLING = Telling(
    events=defined_in(events),
    problems=codes("PROBLEMS", answers),
    notes=codes("NOTES", steps),
    things=things,
)
