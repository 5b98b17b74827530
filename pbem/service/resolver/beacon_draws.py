"""Gates that wait for a round of the public beacon: answers fixed and told first, drawn when the network has signed it.

A person who knows all orders before a gate closes could try orders of a seat of their own until they like the draw.
With the beacon nobody knows the draw when the answers are fixed: the round is signed later, by a network of others.

Also the rounds that are fetched for them.
"""

from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load, serializable
from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.events import Event
from engine.kernel.gates import Gate, parse_closing
from pbem.archive.entries import BEACON, BeaconDraw, CountedAnswer, entry_digest_of
from pbem.archive.replay import START_GATE
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GameState
from pbem.crypto import GameKeys, TamperedError, beacon, seal_entry, unseal_entry
from pbem.crypto.receipts import RoundReceipt
from pbem.narration.facts import Message
from pbem.service.access.permissions import masters_of
from pbem.service.base.calendar import HOUR_MS
from pbem.service.base.services import BackgroundJob, Services
from pbem.service.game.resolver_context import ResolverContext, VerifiedRound
from pbem.service.mail import notifications
from pbem.service.mail.notifications import send_master_prompt
from pbem.store.games import lock_game
from pbem.store.models import Game, PendingDraw

MARGIN_S: Final = 120
"""How much later than the closing of its gate a round is signed: time for the emails that announce it."""
PATIENCE_MS: Final = HOUR_MS
"""A round that has not come so long after it was due may be given up by a master; so may one that is further ahead,
which a clock that had jumped has named."""
KIND: Final = "fixed"


@serializable("pbem.FixedAnswers")
@dataclass(frozen=True)
class FixedAnswers:
    """The answers of a gate that waits: those that count, its round, and what viewers are told of how they came.

    `bare`: a master lets the gate be drawn without the round.
    """

    answers: tuple[CountedAnswer, ...]
    draw: BeaconDraw
    events: tuple[tuple[str, tuple[Event, ...]], ...]
    bare: bool = False


def verified_round(session: Session, game: Game | None) -> VerifiedRound | None:
    """The round that a game waits for, if it is there and its signature fits; on a look, outside of any writing."""
    row = load_waiting(session, game) if game is not None else None
    number, signature = (row.round, row.signature) if row is not None else (0, None)
    if signature is None or not beacon.is_installed() or not beacon.QUICKNET.verify(number, signature):
        return None
    return VerifiedRound(number, signature)


def load_waiting(session: Session, game: Game) -> PendingDraw | None:
    """The gate of a game that waits for its round, if one does."""
    return session.get(PendingDraw, game.id) if game.draw_mixing == BEACON else None


def fix_answers(
    context: ResolverContext,
    gate: str,
    counted: tuple[CountedAnswer, ...],
    told: tuple[tuple[str, tuple[Event, ...]], ...],
) -> None:
    """Fix the answers of a gate, and tell every seat the round that its draws wait for."""
    drawn = _choose_round(
        context.game, max(context.now, context.entry_time()), context.services.random_bytes(32), counted
    )
    _store_wait(context.services, context.session, context.game, context.keys, gate, FixedAnswers(counted, drawn, told))
    for question in context.rows().values():
        question.answers_fixed = question.answers_fixed or parse_closing(question.gate) == gate
    context.has_writes = True
    _announce_round(context.services, context.session, context.game, gate, drawn)


def deal(
    services: Services, session: Session, game: Game, keys: GameKeys, seed: bytes, signed: VerifiedRound | None
) -> BeaconDraw | None:
    """The round that a table's deal is drawn with; None while it waits: the joiners' words are fixed and told first.

    Raises TamperedError where they are not those that were fixed.
    """
    row = load_waiting(session, game)
    if row is None:
        drawn = _choose_round(game, services.now(), services.random_bytes(32), (), seed)
        _store_wait(services, session, game, keys, START_GATE, FixedAnswers((), drawn, ()))
        _announce_round(services, session, game, START_GATE, drawn)
        return None
    fixed = _attach_round(row, _unseal(keys, game, row), signed)
    if fixed is None:
        return None
    if fixed.draw.digest != entry_digest_of(game.id, 1, (), fixed.draw, seed):
        raise TamperedError("deal", "its words are not those that were fixed")
    session.delete(row)
    return fixed.draw


def _choose_round(
    game: Game, now: int, salt: bytes, counted: tuple[CountedAnswer, ...], seed: bytes = b""
) -> BeaconDraw:
    """The round that answers fixed now wait for, and what is told of them; `now`: not before the last entry."""
    chain, at = beacon.QUICKNET, now // 1000
    drawn = BeaconDraw(chain.hash, chain.round_after(at + MARGIN_S), at, salt, "")
    return replace(drawn, digest=entry_digest_of(game.id, game.entry + 1, counted, drawn, seed))


def _store_wait(
    services: Services, session: Session, game: Game, keys: GameKeys, gate: str, fixed: FixedAnswers
) -> None:
    row = PendingDraw(
        game_id=game.id,
        entry=game.entry + 1,
        gate=gate,
        round=fixed.draw.round,
        ciphertext=b"",
        fixed_at=services.now(),
        due_at=beacon.QUICKNET.round_time(fixed.draw.round) * 1000,
        attempts=0,
        is_announced=False,
    )
    _seal(keys, game, row, fixed)
    session.add(row)


def _announce_round(services: Services, session: Session, game: Game, gate: str, drawn: BeaconDraw) -> None:
    number = game.entry + 1
    place = game.id, gate, number, drawn.chain[:8], drawn.round, drawn.at
    receipt = RoundReceipt(*place, drawn.digest, b"").sign(services.resolver_keys.signing)
    terms = {"round": drawn.round, "due": beacon.QUICKNET.round_time(drawn.round), "proof": str(receipt)}
    kind = "deal_round" if gate == START_GATE else "round"
    asks = {} if gate == START_GATE else {"asks": Gate.parse(gate).topic}
    notifications.notify_all_seats(services, session, game, f"b{number}", kind, asks | terms)


def load_ready(context: ResolverContext, row: PendingDraw) -> FixedAnswers | None:
    """The answers of a gate with what they are drawn with; None as long as the round is not there."""
    fixed = _unseal(context.keys, context.game, row)
    return fixed if fixed.bare else _attach_round(row, fixed, context.rounds)


def _attach_round(row: PendingDraw, fixed: FixedAnswers, signed: VerifiedRound | None) -> FixedAnswers | None:
    """The same with its round; None without it.

    What lies there and does not fit is put right, so that the network is asked again.
    """
    if signed is None or signed.number != fixed.draw.round:
        row.round, row.signature = fixed.draw.round, None
        return None
    return replace(fixed, draw=replace(fixed.draw, signature=signed.signature))


def clear(context: ResolverContext, row: PendingDraw) -> None:
    """The gate waits no more."""
    context.session.delete(row)
    for question in context.rows().values():
        question.answers_fixed = False


def cancel_wait(context: ResolverContext, by: str) -> None:
    """Let the gate that waits be drawn without its round, as the master `by` has said; raises CorrectionRefused."""
    row = load_waiting(context.session, context.game)
    fixed = _unseal(context.keys, context.game, row) if row is not None else None
    if row is None or fixed is None or not _is_late(fixed.draw.round, context.now):
        raise CorrectionRefused("moved_on")
    _seal(context.keys, context.game, row, replace(fixed, draw=replace(fixed.draw, by=by), bare=True))


def is_overdue(row: PendingDraw, now: int) -> bool:
    """Return True if a round has not come for so long that a master may give it up."""
    return row.signature is None and _is_late(row.round, now)


def _is_late(number: int, now: int) -> bool:
    return abs(now - beacon.QUICKNET.round_time(number) * 1000) > PATIENCE_MS


def _unseal(keys: GameKeys, game: Game, row: PendingDraw) -> FixedAnswers:
    fixed: FixedAnswers = load(unseal_entry(keys.position, game.id, game.entry + 1, KIND, row.ciphertext))
    return fixed


def _seal(keys: GameKeys, game: Game, row: PendingDraw, fixed: FixedAnswers) -> None:
    row.ciphertext = seal_entry(keys.position, game.id, game.entry + 1, KIND, dump(fixed).encode())


SOONEST_MS: Final = 5_000
LATEST_MS: Final = 300_000
"""How long the network is left alone after it had nothing: at first, and at most."""
MAX_PER_RUN: Final = 20


def fetch_due_rounds(services: Services) -> int:
    """Ask the network for the rounds that are due; returns how many came."""
    came = 0
    for game_id in _list_waiting_games(services):
        with skip_unreadable():
            came += _fetch(services, game_id)
    return came


fetch_rounds_in_background: Final = BackgroundJob("fetch_beacon_rounds", fetch_due_rounds)
"""The same in a thread of its own: emails must not wait for the network."""


def _list_waiting_games(services: Services) -> list[str]:
    """The games whose rounds should be there, or are too far ahead to wait for; what has waited longest first."""
    now = services.now()
    due = or_(PendingDraw.due_at <= now, PendingDraw.due_at > now + PATIENCE_MS)
    late = PendingDraw.signature.is_(None), due
    with services.db.snapshot() as session:
        return list(
            session.scalars(select(PendingDraw.game_id).where(*late).order_by(PendingDraw.due_at).limit(MAX_PER_RUN))
        )


def _fetch(services: Services, game_id: str) -> bool:
    with services.db.snapshot() as session:
        row = session.get(PendingDraw, game_id)
        entry, number = (row.entry, row.round) if row is not None else (0, 0)
    signature = services.fetch_round(number) if number and services.fetch_round is not None else None
    services.fault_point("beacon_draws.fetched")
    if signature is None:
        _postpone(services, game_id, entry)
        return False
    with services.db.transaction() as session:
        its = PendingDraw.game_id == game_id, PendingDraw.entry == entry, PendingDraw.round == number
        session.execute(update(PendingDraw).where(*its).values(signature=signature))
        session.execute(update(Game).where(Game.id == game_id).values(resolve_requested_at=services.now()))
    services.enqueue("resolve_game", game_id)
    return True


def _postpone(services: Services, game_id: str, entry: int) -> None:
    """Ask again later, and tell the masters once that the round does not come.

    In two steps, so that a table that cannot be read is asked for less and less too.
    """
    with services.db.transaction() as session:
        row = session.get(PendingDraw, game_id, with_for_update=True)
        if row is None or row.entry != entry:
            return
        row.due_at = services.now() + min(SOONEST_MS << min(row.attempts, 10), LATEST_MS)
        row.attempts += 1
        if row.is_announced or not is_overdue(row, services.now()):
            return
    _notify_masters(services, game_id, entry)


def _notify_masters(services: Services, game_id: str, entry: int) -> None:
    with services.db.transaction() as session:
        game, row = lock_game(session, game_id), session.get(PendingDraw, game_id)
        if game is None or row is None or row.entry != entry or row.is_announced or game.state != GameState.RUNNING:
            return
        row.is_announced = True
        said = (Message("round_missing", {"round": row.round, "moment": beacon.QUICKNET.round_time(row.round)}),)
        for master in masters_of(session, game):
            send_master_prompt(services, session, game, master, f"round.{row.entry}", said)
    services.enqueue("send_outbound_emails", "")
