"""What narration asks of the templates: a macro for each event, each problem, and each part of a report."""

from typing import Any, Final

from engine.kernel import events as kernel_events
from engine.kernel.events import NOBODY, Event
from engine.kernel.narration_hooks import classes_in, hooks_of
from engine.kernel.rules import Rules, SupportsCorrections


def narrated_events(rules: Rules[Any]) -> tuple[type[Event], ...]:
    """Every event class of the kernel and of a game that a reader may be told; of corrections if it has any."""
    righted = rules.corrections.shared_events if isinstance(rules, SupportsCorrections) else ()
    found = (*classes_in(kernel_events), *righted, *hooks_of(rules).events)
    return tuple(c for c in found if c.__dataclass_fields__["visible_to"].default is not NOBODY)


REPORT: Final = (
    "chapter", "turn_name", "brief", "figure_label", "figure_value", "figure_cause",
    "state", "table", "progress", "reference", "abridged", "places_title", "places", "hand", "options",
)  # fmt: skip
"""What a report asks of a game's templates."""
KERNEL_PROBLEMS: Final = (
    "condition_fails",  # condition
    "one_answer",  # count
    "behind_ask_me", "behind_the_end", "nothing_fits", "pointless", "used_before",
    "answer_needed", "no_plan_here", "nothing_to_do",
    "not_understood",  # word, candidates, accepted: so for all that follow unless noted
    "ambiguous",
    "unknown_name",  # and slot
    "unknown_fact",
    "no_asking_here",
    "missing",  # and slot
    "number_expected",  # and slot
    "out_of_range", "sum_out_of_range",  # and low, high
    "not_retried",
    "extra_words",
    "after_semicolon", "pass_and_orders",  # word
    "too_long",  # most
    "not_open", "unknown_section",
    "not_here", "asked_next",  # asks
    "other_section", "said_twice",
)  # fmt: skip
"""What the kernel itself finds wrong with an order."""
