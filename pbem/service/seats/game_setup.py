"""What only the resolver does for a game that forms: it promises a seed, and deals from it when the last seat is taken.

Nobody else may make a game's keys and its seed: a table is `new` until then, and its invitations go out after, with the
digest of the seed in them.

Also the rematch: a new table with the players of another.
"""

from contextlib import suppress

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.run import empty_state, set_up
from engine.kernel.viewers import Seat
from pbem.archive.entries import BEACON, draw_entropy_of
from pbem.common.addresses import can_receive_email, is_bot
from pbem.common.states import GameState
from pbem.crypto import (
    create_game_keys,
    hash_seed,
    mix_seed,
    seal_entry,
    unseal_entry,
    unwrap_game_keys,
)
from pbem.service.access import users
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.base.services import RequestRefused, Services
from pbem.service.deadlines.gate_timing import load_schedule
from pbem.service.game import checkpoints
from pbem.service.game.journal import load_game_keys
from pbem.service.game.resolver_context import ResolverContext, VerifiedRound
from pbem.service.resolver import beacon_draws
from pbem.service.resolver.resolution import publish_state, record_entry, resolve_due_gates
from pbem.service.seats import bots, tables
from pbem.store.games import load_seats, occupied_seats
from pbem.store.models import Bot, Game


def create_keys_and_seed(services: Services, session: Session, game: Game) -> None:
    """Make a new table's keys and seed; from here on its seed cannot be changed unnoticed.  Resolver only."""
    own_keys = services.resolver_keys
    wrapped = create_game_keys(own_keys.master, own_keys.signing, game.id)
    opened = unwrap_game_keys(own_keys.master, game.id, wrapped)
    seed = services.random_bytes(32)
    game.keys = wrapped.to_bytes()
    game.seed_ciphertext = seal_entry(opened.position, game.id, 0, "seed", seed)
    game.seed_digest = hash_seed(seed)
    game.state = GameState.OPEN
    tables.send_invitations(services, session, game)
    tables.start_if_full(services, session, game)


def deal_game(services: Services, session: Session, game: Game, signed: VerifiedRound | None = None) -> None:
    """Mix the joiners' words into the promised seed, and start.  Resolver only.

    At a table with the beacon they are fixed and told first; `signed`: the round that it waits for, once it is there.
    """
    game_keys = load_game_keys(services, game)
    rows = load_seats(session, game.id)
    promised = unseal_entry(game_keys.position, game.id, 0, "seed", bytes(game.seed_ciphertext or b""))
    seed = mix_seed(promised, [(s.seat, s.seed_words, s.seed_nonce or b"") for s in rows])
    rules = services.rules(game.rules)
    drawn = beacon_draws.deal(services, session, game, game_keys, seed, signed) if game.draw_mixing == BEACON else None
    if game.draw_mixing == BEACON and drawn is None:
        return
    chance = draw_entropy_of(game.id, 1, [], drawn)
    result = set_up(rules, empty_state(rules, [Seat(s.seat) for s in rows], game.options, seed), chance)
    game.state, game.started_at = GameState.RUNNING, services.now()
    checkpoints.record_holders(session, game_keys, game)
    for user in users.lock_for_statistics(session, [s.user_id for s in rows if s.user_id is not None]):
        user.games_begun += 1
    context = ResolverContext(services, session, game, game_keys, rules, result.position, services.now())
    record_entry(context, "start", result, (), chance, drawn=drawn)
    resolve_due_gates(context)
    if context.game.entry == 1:
        publish_state(context)


def create_rematch(services: Services, user_id: int, game_id: str) -> str:
    """Create a game like a finished one, hosted by one of its players. Return its id. Raises RequestRefused.

    Addresses stay hidden. The seat of a player who accepts no invitation from the host stays free.
    """
    with services.db.snapshot() as session:
        game = session.get(Game, game_id)
        if (
            game is None
            or game.state != GameState.OVER
            or not has_permission(session, game, user_id, services.now(), Permission.SEAT)
        ):
            raise RequestRefused("no_such_offer")
        others = [user for _, user in occupied_seats(session, game_id) if user.id != user_id]
        paces = session.scalars(select(Bot.pace).where(Bot.user_id.in_([u.id for u in others]))).all()
        people = [user.email for user in others if can_receive_email(user.email)]
        title, name, count = game.rules, game.title, len(load_seats(session, game_id))
        meta = services.installed[title].meta if title in services.installed else None
        options = dict(meta.stored_options(game.options)) if meta is not None else {}
        timing = load_schedule(game)
        robots = sum(is_bot(user.email) for user in others)

    def also(session: Session, made: Game) -> None:
        if robots:
            bots.seat_bot(services, session, made, paces[0] if paces else "hour", robots)

    made = tables.create(services, user_id, title, name, count, options, game.deadline_hours, timing, also)
    for address in people:
        with suppress(RequestRefused):  # the reason would tell something of them
            tables.invite(services, made, user_id, [address], again=True)
    return made
