"""What is declared of the game fits what its chapters do."""

from dataclasses import fields
from typing import Any

import pytest

from engine.age_of_renaissance import orders
from engine.age_of_renaissance.chapters import CHAPTERS
from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.languages import Language
from engine.kernel.orders import Order
from tests.engine.age_of_renaissance.build import YELLOW, game, refused

ORDERS = sorted(cls.__name__ for cls in Order.__subclasses__() if cls.__module__ == orders.__name__)
RULINGS = {
    "civil_war_order": ("chosen", "civil_war"),
    "rebellion": ("capitals", "others"),
    "war_bonus": ("one", "each"),
    "pair_cost": ("20", "10"),
    "tiers": ("purchase", "phase"),
    "withheld": ("turn_2", "turn_3"),
    "marco_polo": ("turn", "hereafter"),
    "cash": ("public", "piled"),
    "tied_rank": ("chosen", "first"),
    "prerequisites": ("public", "printed"),
}


@pytest.mark.parametrize("name", sorted(RULINGS))
def test_where_two_readings_exist_the_numbered_ruling_is_the_default(name: str) -> None:
    """R8, R12, R15, R19, R21, R25, R28, R33, R38  Each second reading is a named option, never the default."""
    option = next(option for option in META.options if option.name == name)
    assert (option.default, tuple(option.values)) == (RULINGS[name][0], RULINGS[name])


def test_all_three_epochs_are_played_unless_fewer_are_agreed() -> None:
    """§11  A game may be limited to epoch 1, or 1 and 2."""
    option = next(option for option in META.options if option.name == "epochs")
    assert tuple(option.values) == ("1-3", "1-2", "1")


@pytest.mark.parametrize("asks", sorted(CHAPTERS.answers))
def test_an_order_of_another_question_is_refused(asks: str) -> None:
    """No question takes an order that is not its own, whatever the state of the game."""
    for order in ORDERS:
        made = _made(order)
        if type(made) not in CHAPTERS.answers[asks]:
            problem = refused(game(), YELLOW, asks, made)
            assert problem is not None
            assert problem.code == "not_here"


def _made(name: str) -> Order:
    """An order of this kind, with slots of no meaning."""
    values = {"str": "x", "int": 1, "bool": False, "tuple[str, ...]": ("x",)}
    cls: Any = getattr(orders, name)
    slots = {f.name: values[f.type if isinstance(f.type, str) else _written(f.type)] for f in fields(cls)}
    made: Order = cls(**slots)
    return made


def _written(kind: Any) -> str:
    return str(kind) if "[" in str(kind) else str(kind.__name__)


@pytest.mark.parametrize(("language", "said"), [("fr", "carte reconstituée"), ("en", "reconstructed map")])
def test_the_picture_says_that_its_map_is_reconstructed(language: Language, said: str) -> None:
    """The picture itself says that its map is not the printed one."""
    assert said in RULES.draw(RULES.present_view(game(), YELLOW), language)
