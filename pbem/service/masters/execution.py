"""Rulings that wait, each carried out by itself in the game's visit.

Also a master's inspection of what is hidden.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.apply import PatchRefused
from engine.kernel.codec import load
from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.gates import Gate
from engine.kernel.orders import Problem
from engine.kernel.position import Position
from engine.kernel.secrets import Hidden, Sealed, Secret, seen_by, truth
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.replay import CORRECTION
from pbem.common.states import GameState, RequestState
from pbem.crypto import CryptoError, EmailContext, GameKeys, open_quarantined
from pbem.narration.facts import MasterFacts, Message, ReportFacts, StoredOrders
from pbem.service.access.permissions import is_master
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.game.journal import load_entry, load_state
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.mail import assembly
from pbem.service.mail.notifications import master_context
from pbem.service.mail.outbox import enqueue
from pbem.service.masters import rewinds, rulings
from pbem.service.masters.ruling_request import (
    BARE,
    RULING,
    RulingRequest,
    UnreadableRuling,
    discard_unverified,
    list_pending,
    send_discarded,
    send_refusal,
)
from pbem.service.resolver import beacon_draws, resolution
from pbem.store.models import Game, JournalEntry, ResolverRequest, User
from pbem.store.optimistic import require_lock
from pbem.store.query_cache import clear, clear_models
from pbem.store.row_signatures import split_verified


def execute_pending(services: Services, session: Session, game: Game) -> bool:
    """Execute the pending rulings, each by itself; a refusal is emailed to its master. Return False if there are none.

    While a gate waits for its beacon round, only giving up that round is executed.
    """
    numbers = [number for number, kind in list_pending(session, game) if kind == RULING]
    if not numbers:
        return False
    require_lock(session)
    clear_models(session, {ResolverRequest})  # for whoever asks after this what waits then
    commands, unverified = split_verified(session, ResolverRequest, numbers)
    discard_unverified(services, session, unverified)
    for command in commands:
        ruling = _verify_request(services, command)
        if ruling is not None and ruling.kind != BARE and beacon_draws.load_waiting(session, game) is not None:
            continue
        command.state, command.done_at, command.request = RequestState.DONE, services.now(), b""
        if ruling is None:
            continue
        if not is_master(session, game, ruling.user):
            send_discarded(services, session, game, ruling, command.id)
            continue
        try:
            with session.begin_nested():
                _execute(services, session, game, ruling, command.id)
        except (UnreadableRuling, CorrectionRefused) as error:
            _record_refusal(services, session, game, ruling, command.id, error.problem)
        except (PatchRefused, Hidden):
            _record_refusal(services, session, game, ruling, command.id, Problem("no_such_value"))
        except Exception as error:  # noqa: BLE001 - a ruling that the rules stumble over must not stop its game
            game.failure = f"a ruling: {type(error).__name__}"[:80]
            _record_refusal(services, session, game, ruling, command.id, Problem("ruling_failed"))
    return True


def _verify_request(services: Services, command: ResolverRequest) -> RulingRequest | None:
    """What was asked for; None for a request that none of our processes signed."""
    own = services.resolver_keys
    try:
        inside = open_quarantined(own.opening, own.verify, EmailContext(command.id, RULING), command.request)
    except CryptoError:
        return None
    ruling: RulingRequest = load(inside.content)
    return ruling


def _execute(services: Services, session: Session, game: Game, ruling: RulingRequest, number: str) -> None:
    """Carry a ruling out, unless an entry says that this was done. Raises CorrectionRefused.

    One that was asked for more than a day ago may have been withheld: its master is asked whether it is still meant.
    """
    if game.state != GameState.RUNNING:
        raise CorrectionRefused("moved_on")
    context = resolution.open_context(services, session, game, services.now())
    context.command = number
    if _was_executed(context, ruling.expected_entry):
        return
    if services.now() - ruling.at > DAY_MS:
        raise CorrectionRefused("ruling_late")
    carry: Mapping[str, Callable[[ResolverContext, RulingRequest], None]] = {
        "correct": rulings.apply_correction,
        "undo": rulings.revert_ruling,
        "rewind": rewinds.apply_rewind,
        "forward": rewinds.replay_forward,
        "reroll": rewinds.reroll,
        "again": rewinds.send_replay_preview,
        BARE: lambda context, ruling: beacon_draws.cancel_wait(context, ruling.author),
    }
    carry[ruling.kind](context, ruling)


def _was_executed(context: ResolverContext, stood: int) -> bool:
    """Return True if an entry is of this ruling. Raises CorrectionRefused where the game has gone on otherwise.

    The sealed records are looked at: what stands beside them in the database may be written by anybody there.
    """
    for number in range(stood + 1, context.game.entry + 1):
        record = load_entry(context.session, context.keys, context.game, number)
        if record.command == context.command:
            return True
        if record.gate != CORRECTION:
            raise CorrectionRefused("moved_on")
    return False


def _record_refusal(
    services: Services, session: Session, game: Game, ruling: RulingRequest, dedup_key: str, problem: Problem
) -> None:
    """The master is told why; nobody else is told anything."""
    clear(session)
    send_refusal(services, session, game, ruling, dedup_key, problem)


KIND: Final = "open"
"""The kind of command by which a resolver looks where only it can."""

MAX_HIDDEN: Final = 40
"""So many entries of a turn are looked at."""


def execute_inspection(
    services: Services, session: Session, game: Game, game_keys: GameKeys, command: ResolverRequest
) -> None:
    """Email the master who asked what they inspect; resolver only.

    A request older than a day is ignored: its row may have been inserted again.
    """
    number, subject, dedup_key, *moments = command.request.decode().split(" ")
    user = session.get(User, int(number))
    old = not moments or abs(services.now() - int(moments[0])) > DAY_MS
    if user is None or old or not is_master(session, game, user.id):
        return
    position = load_state(session, game_keys, game)
    facts: MasterFacts | ReportFacts
    if subject == "deck":
        message = Message("opened_deck", {"hidden": tuple(hidden_cards(position.board).items())})
        facts = MasterFacts(master_context(services, session, game, user, ""), lead=(message,))
    else:
        facts = _collect_opened_orders(services, session, game, game_keys, user, str(command.seat), position)
    enqueue(
        services,
        session,
        key=f"{game.id}.{user.id}.{dedup_key}.opened",
        kind="opened",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


def hidden_cards(board: Any) -> Mapping[str, tuple[str, ...]]:
    """Return the cards that nobody knows, in their order, by the path to them.

    Sealed orders are not among them.
    """
    cards: dict[str, tuple[str, ...]] = {}
    with truth():
        for path, leaf in _walk_secrets(board, ""):
            if isinstance(leaf, Secret) and not leaf.known_to and isinstance(leaf.held, str):
                cards[path] = (*cards.get(path, ()), str(leaf.held))
    return cards


def has_sealed_values(thing: Any) -> bool:
    """Return True if anything in it is sealed."""
    return any(isinstance(leaf, Sealed) for _, leaf in _walk_secrets(thing, ""))


def _walk_secrets(thing: Any, path: str) -> Iterator[tuple[str, Secret[Any] | Sealed[Any]]]:
    """Yield every secret and sealed value, with the path to it."""
    if isinstance(thing, Secret | Sealed):
        yield path, thing
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from _walk_secrets(value, f"{path} {key}" if isinstance(value, tuple) else path)
    elif isinstance(thing, tuple | list):
        for value in thing:
            yield from _walk_secrets(value, path)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from _walk_secrets(getattr(thing, field.name), f"{path} {field.name}".strip())


def _collect_opened_orders(
    services: Services,
    session: Session,
    game: Game,
    game_keys: GameKeys,
    user: User,
    seat: str,
    position: Position[Any],
) -> MasterFacts | ReportFacts:
    """The sets of one seat that were opened in this turn and are carried out."""
    frame = master_context(services, session, game, user, "")
    if has_sealed_values(position.core.agenda) or has_sealed_values(position.board):
        return MasterFacts(frame, lead=(Message("opened_not_yet"),))
    rules = services.rules(game.rules)
    with seen_by(PUBLIC):
        turn = rules.turn(seat_views.last_view(services, session, game, PUBLIC))
    rows = session.execute(select(JournalEntry.number, JournalEntry.gate).where(JournalEntry.game_id == game.id))
    numbers = [number for number, gate in rows if Gate.parse(gate).turn in (turn, turn - 1)]
    orders = tuple(
        StoredOrders(gate.topic, answer.orders, record.created_at // 1000, gate.turn, number=gate.number)
        for record in (load_entry(session, game_keys, game, number) for number in numbers[-MAX_HIDDEN:])
        for answer in record.counted
        if answer.seat == seat and answer.orders
        for gate in (Gate.parse(answer.question or record.gate),)
    )
    names = {Seat(row): name for row, name in frame.table.names.items()}
    if not orders:
        return MasterFacts(frame, lead=(Message("opened_nothing", {"name": names.get(Seat(seat), seat)}),))
    email = assembly.build_context(services, session, game, seat, user, "", services.now())
    email = replace(email, links=replace(email.links, leave="", mute=""))
    return ReportFacts(email, seat_views.last_view(services, session, game, PUBLIC), stored_orders=orders)
