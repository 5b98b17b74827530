"""What only play does for a table that forms: it promises a seed, and deals from it when the last seat is taken.

Nobody else may make a game's keys and its seed: a table is `new` until then, and its invitations go out after, with the
digest of the seed in them.
"""

from sqlalchemy.orm import Session

from engine.kernel.names import Seat
from engine.kernel.run import begin, blank
from pbem.archive.entries import BEACON, luck_of
from pbem.service.access import people
from pbem.service.base.services import Services
from pbem.service.game import holders
from pbem.service.game.journal import game_keys
from pbem.service.game.visit import Signed, Visit
from pbem.service.play import rounds
from pbem.service.play.resolution import enter, go_on, publish
from pbem.service.seats import tables
from pbem.states import GameState
from pbem.store.games import seats
from pbem.store.models import Game
from pbem.vault import mix_seed, new_game_keys, open_entry, open_game_keys, seal_entry, seed_digest


def prepare(services: Services, session: Session, game: Game) -> None:
    """Make a new table's keys and seed; from here on its seed cannot be changed unnoticed.  Play only."""
    keys = services.playing
    wrapped = new_game_keys(keys.master, keys.signing, game.id)
    opened = open_game_keys(keys.master, game.id, wrapped)
    seed = services.chance(32)
    game.keys = wrapped.to_bytes()
    game.seed_sealed = seal_entry(opened.position, game.id, 0, "seed", seed)
    game.seed_digest = seed_digest(seed)
    game.state = GameState.FORMING
    tables.send_invitations(services, session, game)
    tables.begin_if_full(services, session, game)


def deal(services: Services, session: Session, game: Game, signed: Signed | None = None) -> None:
    """Mix the joiners' words into the promised seed, and start.  Play only.

    At a table with the beacon they are fixed and told first; `signed`: the round that it waits for, once it is there.
    """
    keys = game_keys(services, game)
    rows = seats(session, game.id)
    promised = open_entry(keys.position, game.id, 0, "seed", bytes(game.seed_sealed or b""))
    seed = mix_seed(promised, [(s.seat, s.words, s.nonce or b"") for s in rows])
    rules = services.rules(game.rules)
    drawn = rounds.deal(services, session, game, keys, seed, signed) if game.mixing == BEACON else None
    if game.mixing == BEACON and drawn is None:
        return
    chance = luck_of(game.id, 1, [], drawn)
    made = begin(rules, blank(rules, [Seat(s.seat) for s in rows], game.options, seed), chance)
    game.state, game.started_at = GameState.RUNNING, services.now()
    holders.note(session, keys, game)
    for user in people.counted(session, [s.user_id for s in rows if s.user_id is not None]):
        user.games_begun += 1
    at = Visit(services, session, game, keys, rules, made.position, services.now())
    enter(at, "start", made, (), chance, drawn=drawn)
    go_on(at)
    if at.game.entry == 1:
        publish(at)
