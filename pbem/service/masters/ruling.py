"""A master's rulings: what is put right, taken back, gone back to, told again or drawn again, at all doors.

What a ruling would do is shown from what everybody sees.  A play worker carries it out, since only it may read the
rest, and writes to all; its master has a letter where it could not be done.
"""

from typing import Final

from sqlalchemy import select

from engine.kernel.correction_events import Uncorrectable
from engine.kernel.forms import Choice, Slot
from engine.kernel.names import PUBLIC
from engine.kernel.orders import Order, Problem
from pbem.narration.facts import Said
from pbem.service.base.services import Refused
from pbem.service.base.wording import WORDS
from pbem.service.game import views
from pbem.service.masters import ruling_request, ruling_trial
from pbem.service.masters.forms import act, names, one, text_slot
from pbem.service.masters.registry import ActContext, Action, Outcome
from pbem.service.masters.ruling_request import Wanted
from pbem.store.models import EntryRow
from pbem.text import one_line

LONGEST_REASON: Final = 300


class Correct(Order):
    """Put something right: the lines that follow say what."""

    reason: str


class Undo(Order):
    """Take a ruling back."""

    entry: int
    reason: str = ""


class Rewind(Order):
    """Go back to after an entry."""

    entry: int
    drafts: str = "with"
    reason: str = ""


class Again(Order):
    """Tell the entries again from one on, under the corrections that follow; only shown."""

    entry: int
    reason: str = ""


class Forward(Order):
    """The same, and make it so."""

    entry: int
    reason: str = ""


class Reroll(Order):
    """Make a draw of an entry anew, or all of them."""

    entry: int
    nth: int = 0
    reason: str = ""


def _wanted(
    context: ActContext, kind: str, reason: str, entry: int = 0, nth: int = 0, *, drafts: bool = True
) -> Wanted:
    said = one_line(reason, LONGEST_REASON).rstrip(" .")
    return Wanted(kind, context.user.id, context.user.name, said, context.game.entry, context.body, entry, nth, drafts)


def _asked(context: ActContext, wanted: Wanted) -> Outcome:
    ruling_request.ask(context.services, context.session, context.game, wanted)
    return Outcome((Said("ruling_asked"),), told=True, reason=wanted.reason)


def _entry(context: ActContext, entry: int, least: int = 1) -> None:
    """Raises Refused for an entry that there is not, or that is the last."""
    if not least <= entry <= context.game.entry:
        raise Refused("ruling", problem=Problem("no_such_entry", {"entry": entry}))


# --- corrections


def would_correct(context: ActContext, order: Correct) -> Outcome:
    """The public difference; and of each other seat, only that something private changes for it."""
    if not order.reason.strip():
        raise Refused("reason_wanted")
    shown: ruling_request.Trial = context.found()
    private = (Said("private_too", {"names": tuple(names(context)[seat] for seat in shown.private)}),)
    return Outcome(private if shown.private else (), shown.events)


def _trial(context: ActContext, order: Correct) -> ruling_request.Trial:
    try:
        return ruling_trial.trial(context.services, context.session, context.game, context.body, context.user.language)
    except ruling_request.Unreadable as error:
        raise Refused("ruling", problem=error.problem, written=error.written) from None
    except Uncorrectable as error:
        raise Refused("ruling", problem=error.problem) from None


def correct(context: ActContext, order: Correct) -> Outcome:
    """Hand it to the play worker."""
    would_correct(context, order)
    return _asked(context, _wanted(context, "correct", order.reason))


def would_undo(context: ActContext, order: Undo) -> Outcome:
    """Whose ruling it was is known; whether play has moved on, the play worker finds."""
    _entry(context, order.entry)
    gate = context.session.scalar(
        select(EntryRow.gate).where(EntryRow.game_id == context.game.id, EntryRow.number == order.entry)
    )
    if gate != ruling_request.CORRECTION:
        raise Refused("ruling", problem=Problem("no_ruling_there", {"entry": order.entry}))
    return Outcome((Said("would_undo", {"entry": order.entry}),))


def undo(context: ActContext, order: Undo) -> Outcome:
    """Hand it to the play worker."""
    would_undo(context, order)
    return _asked(context, _wanted(context, "undo", order.reason, order.entry))


# --- going back


def would_rewind(context: ActContext, order: Rewind) -> Outcome:
    """How far, and what becomes of what was filed since."""
    if order.entry >= context.game.entry:
        raise Refused("ruling", problem=Problem("no_such_entry", {"entry": order.entry}))
    _entry(context, order.entry)
    terms = {"entry": order.entry, "last": context.game.entry, "drafts": order.drafts == "with"}
    return Outcome((Said("would_rewind", terms),))


def rewind(context: ActContext, order: Rewind) -> Outcome:
    """Hand it to the play worker."""
    would_rewind(context, order)
    return _asked(context, _wanted(context, "rewind", order.reason, order.entry, drafts=order.drafts == "with"))


def would_again(context: ActContext, order: Again | Forward) -> Outcome:
    """What is told again; the lines must be such as can be read now."""
    _entry(context, order.entry, least=2)
    context.found()
    code = "would_show_again" if isinstance(order, Again) else "would_forward"
    return Outcome((Said(code, {"entry": order.entry, "last": context.game.entry}),))


def _readable(context: ActContext, order: Again | Forward) -> None:
    """Raises Refused where a line cannot be read."""
    seen = views.last_view(context.services, context.session, context.game, PUBLIC)
    try:
        ruling_trial.orders_of(context.services.rules(context.game.rules), seen, context.body, context.user.language)
    except ruling_request.Unreadable as error:
        raise Refused("ruling", problem=error.problem, written=error.written) from None


def again(context: ActContext, order: Again) -> Outcome:
    """The play worker tells them again, and writes what would differ."""
    would_again(context, order)
    ruling_request.ask(
        context.services, context.session, context.game, _wanted(context, "again", order.reason, order.entry)
    )
    return Outcome((Said("again_asked"),))


def forward(context: ActContext, order: Forward) -> Outcome:
    """Hand it to the play worker."""
    would_again(context, order)
    return _asked(context, _wanted(context, "forward", order.reason, order.entry))


def would_reroll(context: ActContext, order: Reroll) -> Outcome:
    """Which draws; nobody can know what comes."""
    _entry(context, order.entry, least=2)
    return Outcome((Said("would_reroll", {"entry": order.entry, "nth": order.nth, "last": context.game.entry}),))


def reroll(context: ActContext, order: Reroll) -> Outcome:
    """Hand it to the play worker."""
    would_reroll(context, order)
    return _asked(context, _wanted(context, "reroll", order.reason, order.entry, order.nth))


# --- what the play worker writes to masters


# --- how they are written

_REASON: Final = text_slot("reason", WORDS("slots.reason"), lead=WORDS("leads.because"), optional=True)
_ENTRY: Final = Slot("entry", "number", WORDS("slots.entry"), low=1, high=999_999)
_WITH: Final = (
    Choice("with", WORDS("choices.drafts.with")),
    Choice("without", WORDS("choices.drafts.without")),
)
_DRAFTS: Final = Slot("drafts", "drafts", WORDS("slots.drafts"), _WITH, optional=True, unsaid="with")
_NTH: Final = Slot(
    "nth", "number", WORDS("slots.draw"), low=1, high=999, optional=True, unsaid=0, lead=WORDS("leads.draw")
)

ACTIONS: Final = (
    Action(
        "correct",
        one(act("correct", Correct, text_slot("reason", WORDS("slots.reason")))),
        would_correct,
        correct,
        dangerous=True,
        second=True,
        body=True,
        ahead=_trial,
    ),
    Action("undo", one(act("undo", Undo, _ENTRY, _REASON)), would_undo, undo, dangerous=True, second=True),
    Action(
        "rewind",
        one(act("rewind", Rewind, _ENTRY, _DRAFTS, _REASON)),
        would_rewind,
        rewind,
        dangerous=True,
        second=True,
        consent=True,
    ),
    Action("again", one(act("again", Again, _ENTRY, _REASON)), would_again, again, body=True, ahead=_readable),
    Action(
        "forward",
        one(act("forward", Forward, _ENTRY, _REASON)),
        would_again,
        forward,
        dangerous=True,
        second=True,
        consent=True,
        body=True,
        ahead=_readable,
    ),
    Action(
        "reroll",
        one(act("reroll", Reroll, _ENTRY, _NTH, _REASON)),
        would_reroll,
        reroll,
        dangerous=True,
        second=True,
        consent=True,
    ),
)
