"""What its narrator must know of the smallest game beside its templates."""

from collections.abc import Iterator

from engine.kernel.narration_hooks import NarrationHooks, Thing, classes_in, problem_codes
from engine.kernel.rules import View
from tests.toy import answers, events, steps


def things(view: View) -> Iterator[Thing]:
    """The cards that a reader knows."""
    return (("card", card) for hand in view["known"].values() for card in hand)


TELLING = NarrationHooks(
    events=classes_in(events),
    problems=problem_codes("PROBLEMS", answers),
    notes=problem_codes("NOTES", steps),
    things=things,
)
