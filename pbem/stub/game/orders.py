"""Every order and its form; a form takes its words from `words/<language>.toml`."""

from collections.abc import Mapping

from engine.kernel.catalogues import load_catalogue
from engine.kernel.forms import Form
from engine.kernel.orders import Order
from engine.kernel.phrasebook import number
from pbem.stub.game.board import STONES

WORDS = load_catalogue(__package__)


class Offer(Order, saved="stub.Offer"):
    """Offer stones."""

    stones: int


FORMS: Mapping[str, tuple[Form, ...]] = {
    "offer": (
        Form(
            WORDS("orders.offer.keyword"),
            Offer,
            (number("stones", WORDS("figures.stones"), 0, STONES),),
            about=WORDS("orders.offer.about"),
        ),
    ),
}
"""The forms by topic."""
