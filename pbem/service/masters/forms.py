"""The slots that several acts share, with the names of this table's seats and questions."""

from collections.abc import Callable, Sequence

from engine.kernel.catalogues import Words
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.orders import Order
from engine.kernel.spelling import fold_tokens
from pbem.service.base.wording import WORDS
from pbem.service.masters.registry import CommandContext
from pbem.store.games import load_seats, occupied_seats
from pbem.store.models import SeatRow


def seat_names(context: CommandContext) -> dict[str, str]:
    """The name of each seat: its player's where no two share it, else its id."""
    players = {row.seat: user.name for row, user in occupied_seats(context.session, context.game.id)}
    spelt = [fold_tokens(name) for name in players.values()]
    found = {}
    for row in load_seats(context.session, context.game.id):
        name = players.get(row.seat, "")
        found[row.seat] = name if fold_tokens(name) and spelt.count(fold_tokens(name)) == 1 else row.seat
    return found


def seat_slot(context: CommandContext, *, optional: bool = False, lead: Words | None = None) -> Slot:
    """A seat of this table: by its player's name, or its number (`s2`, `seat 2`)."""
    choices = tuple(Choice(seat, _name_spellings(name, seat)) for seat, name in seat_names(context).items())
    return Slot("seat", "seat", WORDS("slots.seat"), choices, optional=optional, default="", lead=lead)


def _name_spellings(name: str, seat: str) -> Words:
    place = seat.removeprefix("s")
    return Words.same(*dict.fromkeys((name, seat))) | WORDS("choices.seat").formatted(number=place)


def text_slot(name: str, title: Words, *, lead: Words | None = None, optional: bool = False) -> Slot:
    """Free words up to the end of the line."""
    return Slot(name, "text", title, text=True, lead=lead, optional=optional, default="")


def single_form(form: Form) -> Callable[[CommandContext], Sequence[Form]]:
    """An act that is written alike at every table."""
    return lambda context: (form,)


def act(name: str, order: type[Order], *slots: Slot) -> Form:
    """How an act is written, in the words that the catalogue has for it below `masters`."""
    return Form(WORDS(f"masters.{name}.keyword"), order, slots, about=WORDS(f"masters.{name}.about"))


def of_seat(name: str, order: type[Order]) -> Callable[[CommandContext], Sequence[Form]]:
    """An act that names a seat and nothing else."""
    return lambda context: (act(name, order, seat_slot(context)),)


def seat_row(context: CommandContext, seat: str) -> SeatRow:
    """The row of a seat that was named by its choice."""
    return next(row for row in load_seats(context.session, context.game.id) if row.seat == seat)
