"""A master's rulings: what is put right, taken back, gone back to, told again or drawn again, at all doors.

What a ruling would do is shown from what everybody sees.  A resolver carries it out, since only it may read the
rest, and writes to all; its master has a letter where it could not be done.
"""

from typing import Final

from sqlalchemy import select

from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.forms import Choice, Slot
from engine.kernel.orders import Order, Problem
from engine.kernel.viewers import PUBLIC
from pbem.common.text import to_one_line
from pbem.narration.facts import Message
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.game import seat_views
from pbem.service.masters import ruling_request, rulings
from pbem.service.masters.registry import (
    CommandContext,
    CommandResult,
    CommandSpec,
    act,
    seat_names,
    single_form,
    text_slot,
)
from pbem.service.masters.ruling_request import RulingRequest
from pbem.store.models import JournalEntry

LONGEST_REASON: Final = 300


class CorrectState(Order):
    """Put something right: the lines that follow say what."""

    reason: str


class UndoRuling(Order):
    """Take a ruling back."""

    entry: int
    reason: str = ""


class RewindGame(Order):
    """Go back to after an entry."""

    entry: int
    drafts: str = "with"
    reason: str = ""


class ReplayEntry(Order):
    """Tell the entries again from one on, under the corrections that follow; only shown."""

    entry: int
    reason: str = ""


class ReplayForward(Order):
    """The same, and make it so."""

    entry: int
    reason: str = ""


class RerollDraw(Order):
    """Make a draw of an entry anew, or all of them."""

    entry: int
    nth: int = 0
    reason: str = ""


def _request(
    context: CommandContext, kind: str, reason: str, entry: int = 0, nth: int = 0, *, drafts: bool = True
) -> RulingRequest:
    said = to_one_line(reason, LONGEST_REASON).rstrip(" .")
    return RulingRequest(
        kind, context.user.id, context.user.name, said, context.game.entry, context.body, entry, nth, drafts
    )


def _request_ruling(context: CommandContext, wanted: RulingRequest) -> CommandResult:
    ruling_request.enqueue_ruling(context.services, context.session, context.game, wanted)
    return CommandResult((Message("ruling_asked"),), notified=True, reason=wanted.reason)


def _load_entry(context: CommandContext, entry: int, least: int = 1) -> None:
    """Raises Refused for an entry that there is not, or that is the last."""
    if not least <= entry <= context.game.entry:
        raise RequestRefused("ruling", problem=Problem("no_such_entry", {"entry": entry}))


# --- corrections


def preview_correct(context: CommandContext, order: CorrectState) -> CommandResult:
    """The public difference; and of each other seat, only that something private changes for it."""
    if not order.reason.strip():
        raise RequestRefused("reason_wanted")
    shown: ruling_request.RulingPreview = context.preview()
    private = (Message("private_too", {"names": tuple(seat_names(context)[seat] for seat in shown.private)}),)
    return CommandResult(private if shown.private else (), shown.events)


def _load_preview(context: CommandContext, order: CorrectState) -> ruling_request.RulingPreview:
    try:
        return rulings.preview_ruling(
            context.services, context.session, context.game, context.body, context.user.language
        )
    except ruling_request.UnreadableRuling as error:
        raise RequestRefused("ruling", problem=error.problem, written=error.written) from None
    except CorrectionRefused as error:
        raise RequestRefused("ruling", problem=error.problem) from None


def execute_correct(context: CommandContext, order: CorrectState) -> CommandResult:
    """Hand it to the resolver."""
    preview_correct(context, order)
    return _request_ruling(context, _request(context, "correct", order.reason))


def preview_undo(context: CommandContext, order: UndoRuling) -> CommandResult:
    """Whose ruling it was is known; whether play has moved on, the resolver finds."""
    _load_entry(context, order.entry)
    gate = context.session.scalar(
        select(JournalEntry.gate).where(JournalEntry.game_id == context.game.id, JournalEntry.number == order.entry)
    )
    if gate != ruling_request.CORRECTION:
        raise RequestRefused("ruling", problem=Problem("no_ruling_there", {"entry": order.entry}))
    return CommandResult((Message("would_undo", {"entry": order.entry}),))


def execute_undo(context: CommandContext, order: UndoRuling) -> CommandResult:
    """Hand it to the resolver."""
    preview_undo(context, order)
    return _request_ruling(context, _request(context, "undo", order.reason, order.entry))


# --- going back


def preview_rewind(context: CommandContext, order: RewindGame) -> CommandResult:
    """How far, and what becomes of what was filed since."""
    if order.entry >= context.game.entry:
        raise RequestRefused("ruling", problem=Problem("no_such_entry", {"entry": order.entry}))
    _load_entry(context, order.entry)
    terms = {"entry": order.entry, "last": context.game.entry, "drafts": order.drafts == "with"}
    return CommandResult((Message("would_rewind", terms),))


def execute_rewind(context: CommandContext, order: RewindGame) -> CommandResult:
    """Hand it to the resolver."""
    preview_rewind(context, order)
    return _request_ruling(
        context, _request(context, "rewind", order.reason, order.entry, drafts=order.drafts == "with")
    )


def preview_again(context: CommandContext, order: ReplayEntry | ReplayForward) -> CommandResult:
    """What is told again; the lines must be such as can be read now."""
    _load_entry(context, order.entry, least=2)
    context.preview()
    code = "would_show_again" if isinstance(order, ReplayEntry) else "would_forward"
    return CommandResult((Message(code, {"entry": order.entry, "last": context.game.entry}),))


def _check_readable(context: CommandContext, order: ReplayEntry | ReplayForward) -> None:
    """Raises Refused where a line cannot be read."""
    seen = seat_views.last_view(context.services, context.session, context.game, PUBLIC)
    try:
        rulings.parse_ruling_orders(
            context.services.rules(context.game.rules), seen, context.body, context.user.language
        )
    except ruling_request.UnreadableRuling as error:
        raise RequestRefused("ruling", problem=error.problem, written=error.written) from None


def execute_again(context: CommandContext, order: ReplayEntry) -> CommandResult:
    """The resolver tells them again, and writes what would differ."""
    preview_again(context, order)
    ruling_request.enqueue_ruling(
        context.services, context.session, context.game, _request(context, "again", order.reason, order.entry)
    )
    return CommandResult((Message("again_asked"),))


def execute_forward(context: CommandContext, order: ReplayForward) -> CommandResult:
    """Hand it to the resolver."""
    preview_again(context, order)
    return _request_ruling(context, _request(context, "forward", order.reason, order.entry))


def preview_reroll(context: CommandContext, order: RerollDraw) -> CommandResult:
    """Which draws; nobody can know what comes."""
    _load_entry(context, order.entry, least=2)
    return CommandResult(
        (Message("would_reroll", {"entry": order.entry, "nth": order.nth, "last": context.game.entry}),)
    )


def execute_reroll(context: CommandContext, order: RerollDraw) -> CommandResult:
    """Hand it to the resolver."""
    preview_reroll(context, order)
    return _request_ruling(context, _request(context, "reroll", order.reason, order.entry, order.nth))


# --- what the resolver writes to masters


# --- how they are written

_REASON: Final = text_slot("reason", WORDS("slots.reason"), lead=WORDS("leads.because"), optional=True)
_ENTRY: Final = Slot("entry", "number", WORDS("slots.entry"), low=1, high=999_999)
_WITH: Final = (
    Choice("with", WORDS("choices.drafts.with")),
    Choice("without", WORDS("choices.drafts.without")),
)
_DRAFTS: Final = Slot("drafts", "drafts", WORDS("slots.drafts"), _WITH, optional=True, default="with")
_NTH: Final = Slot(
    "nth", "number", WORDS("slots.draw"), low=1, high=999, optional=True, default=0, lead=WORDS("leads.draw")
)

COMMANDS: Final = (
    CommandSpec(
        "correct",
        single_form(act("correct", CorrectState, text_slot("reason", WORDS("slots.reason")))),
        preview_correct,
        execute_correct,
        dangerous=True,
        needs_second=True,
        body=True,
        ahead=_load_preview,
    ),
    CommandSpec(
        "undo",
        single_form(act("undo", UndoRuling, _ENTRY, _REASON)),
        preview_undo,
        execute_undo,
        dangerous=True,
        needs_second=True,
    ),
    CommandSpec(
        "rewind",
        single_form(act("rewind", RewindGame, _ENTRY, _DRAFTS, _REASON)),
        preview_rewind,
        execute_rewind,
        dangerous=True,
        needs_second=True,
        needs_consent=True,
    ),
    CommandSpec(
        "again",
        single_form(act("again", ReplayEntry, _ENTRY, _REASON)),
        preview_again,
        execute_again,
        body=True,
        ahead=_check_readable,
    ),
    CommandSpec(
        "forward",
        single_form(act("forward", ReplayForward, _ENTRY, _REASON)),
        preview_again,
        execute_forward,
        dangerous=True,
        needs_second=True,
        needs_consent=True,
        body=True,
        ahead=_check_readable,
    ),
    CommandSpec(
        "reroll",
        single_form(act("reroll", RerollDraw, _ENTRY, _NTH, _REASON)),
        preview_reroll,
        execute_reroll,
        dangerous=True,
        needs_second=True,
        needs_consent=True,
    ),
)
