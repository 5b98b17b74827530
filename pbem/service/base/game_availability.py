"""Which tables have their game here, in a version that goes on with them; the others are held."""

from sqlalchemy import ColumnElement, and_, false, or_

from pbem.common.states import LIVE, GameState
from pbem.service.base.services import Services
from pbem.store.models import Game

INSTALLED = "installed"
"""The cause of a stretch of time in which a table is held, and of the letter that says it goes on."""

SUSPENDED = "held"
"""The letter that says that a table is held."""


def missing_rules(services: Services, game: Game) -> str:
    """What a table lacks to be played, as a clause; empty where it lacks nothing, or is over."""
    if game.state not in LIVE:
        return ""
    rules = services.installed.get(game.rules)
    if rules is None:
        return f"{game.rules} is not installed"
    if game.rules_version not in rules.meta.plays:
        return f"it is played by version {game.rules_version} of {game.rules}, and {rules.meta.version} is installed"
    return ""


def rules_state(services: Services, game: Game) -> GameState:
    """The state of a table as it is shown."""
    return GameState.HELD if missing_rules(services, game) else game.state


def is_installed(services: Services) -> ColumnElement[bool]:
    """Tables that are not held, as a condition of a query."""
    return or_(Game.state.not_in(LIVE), _installed_filter(services))


def not_installed_filter(services: Services) -> ColumnElement[bool]:
    """Tables that are held, or are to be, likewise."""
    return and_(Game.state.in_(LIVE), ~_installed_filter(services))


def _installed_filter(services: Services) -> ColumnElement[bool]:
    here = (
        and_(Game.rules == title, Game.rules_version.in_(rules.meta.plays))
        for title, rules in services.installed.items()
    )
    return or_(false(), *here)
