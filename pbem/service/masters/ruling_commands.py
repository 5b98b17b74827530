"""Commands that rule: correct the state, undo a ruling, rewind, replay, reroll. The resolver executes them."""

from typing import Any, ClassVar, Final

from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.forms import Choice, Slot
from engine.kernel.orders import Problem
from engine.kernel.viewers import PUBLIC
from pbem.archive.replay import CORRECTION
from pbem.common.text import to_one_line
from pbem.narration.facts import Message
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.game import seat_views
from pbem.service.masters import ruling_request, rulings
from pbem.service.masters.registry import (
    Command,
    CommandContext,
    CommandResult,
    Decision,
    seat_names,
    text_slot,
)
from pbem.service.masters.ruling_request import RulingPreview, RulingRequest, UnreadableRuling
from pbem.store.models import JournalEntry

LONGEST_REASON: Final = 300


_REASON: Final = text_slot("reason", WORDS("slots.reason"), lead=WORDS("leads.because"), optional=True)
_ENTRY: Final = Slot("entry", "number", WORDS("slots.entry"), low=1, high=999_999)
_DRAFTS: Final = Slot(
    "drafts",
    "drafts",
    WORDS("slots.drafts"),
    (Choice("with", WORDS("choices.drafts.with")), Choice("without", WORDS("choices.drafts.without"))),
    optional=True,
    default="with",
)
_NTH: Final = Slot(
    "nth", "number", WORDS("slots.draw"), low=1, high=999, optional=True, default=0, lead=WORDS("leads.draw")
)


def _enqueue(context: CommandContext, kind: str, reason: str, **details: Any) -> RulingRequest:
    """Send a ruling to the resolver; `details`: its other fields."""
    short = to_one_line(reason, LONGEST_REASON).rstrip(" .")
    ruling = RulingRequest(kind, context.user.id, context.author, short, context.game.entry, context.body, **details)
    ruling_request.enqueue_ruling(context.services, context.session, context.game, ruling)
    return ruling


def _enqueued(ruling: RulingRequest) -> CommandResult:
    return CommandResult((Message("ruling_asked"),), notified=True, reason=ruling.reason)


def _check_entry(context: CommandContext, entry: int, first: int = 1) -> None:
    """Raise RequestRefused unless the game has an entry of this number, from `first` on."""
    if not first <= entry <= context.game.entry:
        raise RequestRefused("ruling", problem=Problem("no_such_entry", {"entry": entry}))


# --- corrections


class CorrectState(Command):
    """Put something right: the lines that follow say what."""

    name = "correct"
    slots = (text_slot("reason", WORDS("slots.reason")),)
    dangerous = True
    needs_second = True
    has_body = True
    reason: str

    def prepare(self, context: CommandContext) -> RulingPreview:
        """Work out what the lines would change."""
        try:
            return rulings.preview_ruling(
                context.services, context.session, context.game, context.body, context.user.language
            )
        except UnreadableRuling as error:
            raise RequestRefused("ruling", problem=error.problem, written=error.written) from None
        except CorrectionRefused as error:
            raise RequestRefused("ruling", problem=error.problem) from None

    def decide(self, context: CommandContext) -> Decision:
        """Show the public difference, and of each other seat only that something private changes."""
        if not self.reason.strip():
            raise RequestRefused("reason_wanted")
        preview: RulingPreview = context.preview()
        names = tuple(seat_names(context)[seat] for seat in preview.private)
        messages = (Message("private_too", {"names": names}),) if names else ()
        return Decision(messages, lambda: _enqueued(_enqueue(context, self.name, self.reason)), preview.events)


class UndoRuling(Command):
    """Take a ruling back."""

    name = "undo"
    slots = (_ENTRY, _REASON)
    dangerous = True
    needs_second = True
    entry: int
    reason: str = ""

    def decide(self, context: CommandContext) -> Decision:
        """Revert the ruling, if the entry is one; whether play has moved on, the resolver checks."""
        _check_entry(context, self.entry)
        row = context.session.get(JournalEntry, (context.game.id, self.entry))
        if row is None or row.gate != CORRECTION:
            raise RequestRefused("ruling", problem=Problem("no_ruling_there", {"entry": self.entry}))
        return Decision(
            (Message("would_undo", {"entry": self.entry}),),
            lambda: _enqueued(_enqueue(context, self.name, self.reason, entry=self.entry)),
        )


# --- rewinds and replays


class RewindGame(Command):
    """Go back to after an entry."""

    name = "rewind"
    slots = (_ENTRY, _DRAFTS, _REASON)
    dangerous = True
    needs_second = True
    needs_consent = True
    entry: int
    drafts: str = "with"
    reason: str = ""

    def decide(self, context: CommandContext) -> Decision:
        """Go on from an earlier entry; orders filed since come back as drafts, or not."""
        if self.entry >= context.game.entry:
            raise RequestRefused("ruling", problem=Problem("no_such_entry", {"entry": self.entry}))
        _check_entry(context, self.entry)
        drafts = self.drafts == "with"
        terms = {"entry": self.entry, "last": context.game.entry, "drafts": drafts}
        return Decision(
            (Message("would_rewind", terms),),
            lambda: _enqueued(_enqueue(context, self.name, self.reason, entry=self.entry, drafts=drafts)),
        )


class _Replay(Command):
    """Replay the entries from one on, under the corrections of the lines that follow."""

    slots = (_ENTRY, _REASON)
    has_body = True
    preview: ClassVar[str]
    entry: int
    reason: str = ""

    def prepare(self, context: CommandContext) -> None:
        """Check that the lines can be read now."""
        view = seat_views.last_view(context.services, context.session, context.game, PUBLIC)
        rules = context.services.rules(context.game.rules)
        try:
            rulings.parse_ruling_orders(rules, view, context.body, context.user.language)
        except UnreadableRuling as error:
            raise RequestRefused("ruling", problem=error.problem, written=error.written) from None

    def decide(self, context: CommandContext) -> Decision:
        """Have the resolver replay the entries."""
        _check_entry(context, self.entry, first=2)
        context.preview()
        messages = (Message(self.preview, {"entry": self.entry, "last": context.game.entry}),)
        return Decision(messages, lambda: self.result(_enqueue(context, self.name, self.reason, entry=self.entry)))

    def result(self, ruling: RulingRequest) -> CommandResult:
        """Return what its author is told once the resolver has it."""
        return _enqueued(ruling)


class ReplayEntry(_Replay):
    """Tell the entries again from one on, under the corrections that follow; only shown.

    What would have come of it hangs on orders and cards that nobody saw.
    """

    name = "again"
    preview = "would_show_again"
    needs_consent = True

    def result(self, ruling: RulingRequest) -> CommandResult:
        """Return that the differences will come by email."""
        return CommandResult((Message("again_asked"),))


class ReplayForward(_Replay):
    """The same, and make it so."""

    name = "forward"
    preview = "would_forward"
    dangerous = True
    needs_second = True
    needs_consent = True


class RerollDraw(Command):
    """Make a draw of an entry anew, or all of them."""

    name = "reroll"
    slots = (_ENTRY, _NTH, _REASON)
    dangerous = True
    needs_second = True
    needs_consent = True
    entry: int
    nth: int = 0
    reason: str = ""

    def decide(self, context: CommandContext) -> Decision:
        """Have the resolver draw again and replay the entries since; nobody can know the result."""
        _check_entry(context, self.entry, first=2)
        terms = {"entry": self.entry, "nth": self.nth, "last": context.game.entry}
        return Decision(
            (Message("would_reroll", terms),),
            lambda: _enqueued(_enqueue(context, self.name, self.reason, entry=self.entry, nth=self.nth)),
        )


COMMANDS: Final = (CorrectState, UndoRuling, RewindGame, ReplayEntry, ReplayForward, RerollDraw)
