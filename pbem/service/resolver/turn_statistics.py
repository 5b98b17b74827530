"""The public figures of a game, turn by turn: gathered once for each entry that is shown, read for a page of charts.

Gathering costs the same however long a game has lasted: it writes the row of the turn under way and reads no other.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.catalogues import Words
from engine.kernel.charts import HasStatistics, Numbers
from engine.kernel.position import Position
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC
from pbem.common.states import BEGUN, GameState
from pbem.crypto import ViewContext, seal_view, unseal_view
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.game.resolver_context import ResolverContext
from pbem.store.games import load_game
from pbem.store.models import Game, TurnStatistics
from pbem.store.query_cache import cached, replace_cached

KIND: Final = "figures"


@dataclass(frozen=True)
class Series:
    """How the figures of a game went: for each turn and figure what each seat had.

    `turn`: the game's word for one. `view`: what everybody sees now.
    """

    rules: HasStatistics
    turn: Words
    entry: int
    view: View
    turns: Mapping[int, Mapping[str, Numbers]]


def record_turn(context: ResolverContext) -> None:
    """Keep the figures of the turn under way as everybody sees them now."""
    save(context.services, context.session, context.game, context.game.entry, context.position)


def record_finished_turn(context: ResolverContext, after: Position[Any]) -> None:
    """A turn that ends while nobody is shown the game, as play goes on at once, has its last figures too."""
    if context.game.entry and context.rules.turn(context.position) != context.rules.turn(after):
        record_turn(context)


_TURN = select(TurnStatistics).where(
    TurnStatistics.game_id == bindparam("game"), TurnStatistics.turn == bindparam("turn")
)


def save(services: Services, session: Session, game: Game, entry: int, position: Position[Any]) -> None:
    """Keep the figures of a position, as those of its turn after this entry."""
    rules = services.rules(game.rules)
    turn = rules.turn(position)
    if not isinstance(rules, HasStatistics) or turn < 1:
        return
    counted = rules.count(_load_view(rules, redact(position, PUBLIC)))
    keys, context = services.resolver_keys, ViewContext(game.id, turn, PUBLIC, KIND)
    sealed = seal_view(keys.view, keys.signing, context, json.dumps(counted).encode(), compress=True)
    asked = {"game": game.id, "turn": turn}
    row = cached(session, TurnStatistics, (game.id, turn), lambda: session.scalar(_TURN, asked))
    if row is None:
        row = TurnStatistics(game_id=game.id, turn=turn, entry=entry, ciphertext=sealed)
        replace_cached(session, TurnStatistics, (game.id, turn), row, added=[row])
    else:
        row.entry, row.ciphertext = entry, sealed


def _load_view(rules: Rules[Any], seen: Position[Any]) -> View:
    with seen_by(PUBLIC):
        return rules.present_view(seen, PUBLIC)


def load_series(services: Services, game_id: str) -> Series | None:
    """The figures of a game that is under way, over, or here to be looked at; None for one that counts nothing."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None or game.state not in (*BEGUN, GameState.ARCHIVED) or not game.entry:
            return None
        rules = services.rules(game.rules)
        if not isinstance(rules, HasStatistics):
            return None
        view = _load_view(rules, seat_views.last_view(services, session, game, PUBLIC))
        return Series(rules, rules.meta.turn, game.entry, view, _load_turns(services, session, game_id))


def _load_turns(services: Services, session: Session, game_id: str) -> Mapping[int, Mapping[str, Numbers]]:
    """The rows of the course that was not given up: those up to the turn that was written last."""
    rows = session.scalars(
        select(TurnStatistics).where(TurnStatistics.game_id == game_id).order_by(TurnStatistics.turn)
    ).all()
    now = max(rows, key=lambda row: row.entry).turn if rows else 0
    return {row.turn: _unseal(services, row) for row in rows if row.turn <= now}


def _unseal(services: Services, row: TurnStatistics) -> Mapping[str, Numbers]:
    keys = services.view_keys
    context = ViewContext(row.game_id, row.turn, PUBLIC, KIND)
    counted: Mapping[str, Numbers] = json.loads(unseal_view(keys.view, keys.verify, context, row.ciphertext))
    return counted
