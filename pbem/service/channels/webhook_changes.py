"""What channels are told, and when: found by comparing how each game stands with how it stood at the last look.

Nothing is told because a caller said that it happened: a look compares, lays messages out and remembers what it saw, in
one transaction.  So nothing is told twice, nothing is missed, and what happens in quick succession is told at once.
One message opens each phase and is changed while the phase lasts; who is asked later in it is called on by a short one.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from engine.kernel.gates import Gate
from engine.kernel.viewers import Seat
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import BEGUN, READY, GameState, WebhookMessageState, WebhookState
from pbem.crypto import DecryptionError
from pbem.narration.facts import BouncedFacts
from pbem.service.base.services import Services
from pbem.service.base.webhook_ports import STORIES
from pbem.service.deadlines import gate_timing
from pbem.service.mail import assembly
from pbem.service.mail.outbox import enqueue
from pbem.store.games import hides_names, names_of_seats, occupied_seats
from pbem.store.models import Game, Outage, OutboundEmail, QuestionRow, SeatRow, User, Webhook, WebhookMessage

STUCK_MS = 3_600_000
"""An email that no relay has taken for so long does not arrive before a deadline that is near."""

GATHER_MS = 15_000
"""How long small changes of a message are gathered before it is changed."""


@dataclass(frozen=True)
class GameSnapshot:
    """How a game stands, as far as channels are told of it.

    `phase`: what has been asked this turn, but for reactions. `open`: each question asked, and until when. `questions`:
    those that wait for an answer. `due_soon`: at which of its reminders a question is. `holders`: who plays each seat.
    `open_seats`: the seats that look for a player; `unreached`: those who do not get our emails though they owe
    something.
    """

    state: GameState
    entry: int
    phase: tuple[str, ...] = ()
    open: Mapping[str, int | None] = field(default_factory=dict)
    questions: tuple[str, ...] = ()
    due_soon: Mapping[str, int] = field(default_factory=dict)
    holders: Mapping[str, int] = field(default_factory=dict)
    open_seats: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()
    paused: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as the channel's row stores it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "GameSnapshot":
        """Return what `to_json` stored."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
        }
        values["state"] = GameState(values["state"])
        return cls(**values)


# --- how games stand


def enqueue_changes(services: Services) -> int:
    """Lay out what there is to tell to channels; returns at how many something has changed."""
    with services.db.snapshot() as session:
        webhooks = _load_webhooks(services, session)
        changed = [channel.id for channel, snapshot in webhooks if channel.last_state != snapshot.to_json()]
    if not changed:
        return 0
    with services.db.transaction() as session:
        for channel, snapshot in _load_webhooks(services, session, changed):
            with skip_unreadable(), session.begin_nested():
                _enqueue(services, session, channel, snapshot)
                channel.last_state = snapshot.to_json()
    return len(changed)


def _load_webhooks(
    services: Services, session: Session, only: Sequence[str] = ()
) -> list[tuple[Webhook, GameSnapshot]]:
    """Every channel that is on, with how its game stands; each by itself, where one of them is not believed."""
    try:
        return _load_all_webhooks(services, session, only)
    except DecryptionError:
        pairs: list[tuple[Webhook, GameSnapshot]] = []
        for number in only or session.scalars(select(Webhook.id).order_by(Webhook.id)).all():
            with skip_unreadable():
                pairs += _load_all_webhooks(services, session, (number,))
        return pairs


def _load_all_webhooks(services: Services, session: Session, only: Sequence[str]) -> list[tuple[Webhook, GameSnapshot]]:
    """The same, at once. Raises DecryptionError."""
    query = select(Webhook, Game).join(Game, Game.id == Webhook.game_id).where(Webhook.state == WebhookState.ON)
    if only:
        query = query.where(Webhook.id.in_(only)).with_for_update(of=Webhook)
    rows = [(channel, game) for channel, game in session.execute(query.order_by(Webhook.id))]
    snapshots = _load_snapshots(services, session, {game.id: game for _, game in rows}) if rows else {}
    return [(channel, _with_running_questions(snapshots[game.id], channel.last_state)) for channel, game in rows]


def _load_snapshots(services: Services, session: Session, games: Mapping[str, Game]) -> dict[str, GameSnapshot]:
    """How games stand now; as many statements for a hundred of them as for one."""
    questions: dict[str, list[QuestionRow]] = {game_id: [] for game_id in games}
    rows = select(QuestionRow).where(QuestionRow.game_id.in_(games), QuestionRow.is_blocking).order_by(QuestionRow.id)
    for row in session.scalars(rows):
        questions[row.game_id].append(row)
    people: dict[str, list[SeatRow]] = {game_id: [] for game_id in games}
    for seat in session.scalars(select(SeatRow).where(SeatRow.game_id.in_(games)).order_by(SeatRow.id)):
        people[seat.game_id].append(seat)
    lost, paused = _undelivered(session, games, services.now()), load_paused(session, games)
    return {
        game_id: _load_snapshot(game, questions[game_id], people[game_id], lost, game_id in paused, services.now())
        for game_id, game in games.items()
    }


def _load_snapshot(
    game: Game,
    rows: Sequence[QuestionRow],
    people: Sequence[SeatRow],
    lost: Mapping[tuple[str, str], int],
    paused: bool,
    now: int,
) -> GameSnapshot:
    waiting = [row for row in rows if row.answered_at is None and not row.answers_fixed]
    late = (row.seat for row in waiting if row.due_at is not None and lost.get((game.id, row.seat), 0) >= row.opened_at)
    return GameSnapshot(
        game.state,
        game.entry,
        _phase(rows),
        {question_key(row): row.due_at for row in rows},
        tuple(question_key(row) for row in waiting),
        {question_key(row): distance for row in waiting if (distance := _reminder_step(row, game, now))},
        {row.seat: int(row.user_id) for row in people if row.user_id is not None},
        tuple(row.seat for row in people if row.open_since is not None),
        tuple(dict.fromkeys(late)),
        paused,
    )


def _with_running_questions(snapshot: GameSnapshot, seen: Mapping[str, Any]) -> GameSnapshot:
    """What was asked in a turn before belongs to its phases still: to be asked it again begins none."""
    previous = seen.get("phase", ())
    turns = [Gate.parse(key).turn or 0 for key in snapshot.phase]
    still_open = {key for key in previous if not turns or (Gate.parse(key).turn or 0) == max(turns)}
    return replace(snapshot, phase=tuple(sorted(still_open.union(snapshot.phase))))


def question_key(row: QuestionRow) -> str:
    """Return the key of a question: its gate and seat."""
    return f"{row.gate}|{row.seat}"


def seat_of_key(key: str) -> str:
    """Return the seat of a question's key."""
    return key.rpartition("|")[2]


def gate_of_key(key: str) -> Gate:
    """Return the gate of a question's key."""
    return Gate.parse(key.rpartition("|")[0])


def topic_of_key(key: str) -> str:
    """Return the topic of a question's key."""
    return gate_of_key(key).topic


def _reminder_step(row: QuestionRow, game: Game, now: int) -> int:
    """At which of its reminders a question is; 0 before the first."""
    return gate_timing.reminder_step(row, game, now) if row.due_at is not None and row.due_at > now else 0


def _phase(rows: Iterable[QuestionRow]) -> tuple[str, ...]:
    """What is asked, with its turn; a reaction interrupts a phase and is none."""
    return tuple(sorted({str(Gate(row.topic, Gate.parse(row.gate).turn or 0)) for row in rows if not row.is_reaction}))


def load_paused(session: Session, games: Iterable[str]) -> set[str]:
    """Return which of these games are paused by a person."""
    lasting = Outage.cause == "pause", Outage.game_id.in_(games), ~Outage.is_compensated, Outage.ended_at.is_(None)
    return {game_id for game_id in session.scalars(select(Outage.game_id).where(*lasting)) if game_id is not None}


def _undelivered(session: Session, games: Iterable[str], now: int) -> dict[tuple[str, str], int]:
    """Seats whose emails come back (since when), or have not left us for long (now).

    A player who has shown up since then knows where they are awaited, though their address may fail still.
    """
    stuck = select(OutboundEmail.game_id, OutboundEmail.seat).where(
        OutboundEmail.state.in_(READY), OutboundEmail.created_at < now - STUCK_MS, OutboundEmail.game_id.in_(games)
    )
    here = SeatRow.game_id.in_(games)
    refused = select(SeatRow.game_id, SeatRow.seat, User.bounced_at).join(User, User.id == SeatRow.user_id)
    resumed = select(Outage.id).where(
        Outage.cause == "bounce", Outage.user_id == User.id, Outage.ended_at >= User.bounced_at
    )
    back = select(SeatRow.game_id, SeatRow.seat).join(
        Outage, (Outage.user_id == SeatRow.user_id) & (Outage.game_id == SeatRow.game_id)
    )
    refused = refused.where(here, User.bounced_at > 0, ~resumed.exists())
    bounced = {(game, seat): int(moment or 0) for game, seat, moment in session.execute(refused)}
    lasting = Outage.cause == "bounce", Outage.ended_at.is_(None)
    late = (*session.execute(back.where(here, *lasting)), *session.execute(stuck))
    return bounced | {(str(game), str(seat)): now for game, seat in late}


# --- what is told of a change


@dataclass
class GameDiff:
    """One channel whose game has changed."""

    services: Services
    session: Session
    channel: Webhook
    was: GameSnapshot
    now: GameSnapshot

    def add(self, kind: str, mark: str, since: int = 0, **terms: Any) -> None:
        """Lay one message out, once under its mark."""
        key = f"{self.channel.id}.{kind}.{self.now.entry}.{hashlib.sha256(mark.encode()).hexdigest()[:20]}"
        if self.session.scalar(select(WebhookMessage.id).where(WebhookMessage.key == key)) is None:
            self.session.add(
                WebhookMessage(
                    key=key,
                    webhook_id=self.channel.id,
                    kind=kind,
                    from_entry=since,
                    entry=self.now.entry,
                    terms=terms,
                    state=WebhookMessageState.QUEUED,
                    created_at=self.services.now(),
                    due_at=self.services.now(),
                )
            )

    def find_story(self) -> WebhookMessage | None:
        """Return the newest message that shows the state of the game, if there is one."""
        stories = WebhookMessage.kind.in_(STORIES), WebhookMessage.state != WebhookMessageState.SKIPPED
        found = select(WebhookMessage).where(WebhookMessage.webhook_id == self.channel.id, *stories)
        return self.session.scalars(found.order_by(WebhookMessage.id.desc()).limit(1)).first()


def _enqueue(services: Services, session: Session, channel: Webhook, now: GameSnapshot) -> None:
    """What has changed, as messages."""
    if not channel.last_state:
        first = GameDiff(services, session, channel, now, now)
        first.add("hello", str(services.now()), now.entry, **_question_topics(now))
        return
    diff = GameDiff(services, session, channel, GameSnapshot.from_json(channel.last_state), now)
    if now.state not in BEGUN:
        return
    if _add_opened(diff):
        return
    _add_time_changes(diff)
    _add_seat_changes(diff)
    newly = [key for key in now.questions if key not in diff.was.open]
    if newly:
        diff.add("asked", " ".join(newly), only=newly)
    was = diff.was
    if (now.entry, now.questions, now.open, now.paused) != (was.entry, was.questions, was.open, was.paused):
        _add_change(diff, closed=False)


def _add_opened(diff: GameDiff) -> bool:
    """A game that begins or ends, or another phase: a message of its own, and the one before is finished."""
    was, now = diff.was, diff.now
    if now.state == GameState.OVER and was.state != GameState.OVER:
        kind = "over"
    elif now.state == GameState.RUNNING and was.state != GameState.RUNNING:
        kind = "started"
    elif now.state == GameState.RUNNING and set(now.phase) - set(was.phase) and now.entry != was.entry:
        kind = "phase"
    else:
        return False
    last = diff.find_story()
    since = last.entry if last is not None else was.entry
    _add_change(diff, closed=True)
    diff.add(kind, "", since, **_question_topics(now))
    return True


def _question_topics(now: GameSnapshot) -> dict[str, Any]:
    """What is asked, and in which turn: a message keeps that when it is past."""
    turns = [gate_of_key(key).turn or 0 for key in now.open]
    return {"asks": list(dict.fromkeys(map(topic_of_key, now.open))), "turn": max(turns, default=0)}


def _add_change(diff: GameDiff, *, closed: bool) -> None:
    """The newest message is to be changed; one that did not go out yet will say it all anyhow."""
    last = diff.find_story()
    if last is None:
        return
    if closed:
        last.terms = {**last.terms, "closed": True}
    else:
        last.entry, last.terms = diff.now.entry, {**last.terms, **_question_topics(diff.now)}
    if last.state == WebhookMessageState.SENT:
        last.state, last.attempts = WebhookMessageState.EDITING, 0
        last.due_at = diff.services.now() + (0 if closed else GATHER_MS)


def _add_time_changes(diff: GameDiff) -> None:
    """Deadlines that moved, a pause, a deadline that comes near."""
    was, now = diff.was, diff.now
    if was.paused != now.paused:
        kind = "paused" if now.paused else "resumed"
        diff.add(kind, str(diff.services.now()))
        return
    befores, afters = list[int](), list[int]()
    for key in now.questions:
        before, after = was.open.get(key), now.open[key]
        if before and after and before != after:
            befores.append(before)
            afters.append(after)
    if befores and min(befores) != min(afters):
        terms = {"before": min(befores) // 1000, "after": min(afters) // 1000}
        diff.add("moved", f"{min(befores)} {min(afters)}", **terms)
    closer = [key for key, distance in now.due_soon.items() if was.due_soon.get(key) != distance and key in was.open]
    if closer and not now.paused:
        diff.add("reminder", " ".join(f"{key} {now.due_soon[key]} {now.open[key]}" for key in closer))


def _add_seat_changes(diff: GameDiff) -> None:
    """Who sits where, and whose emails do not arrive."""
    was, now = diff.was, diff.now
    game = diff.session.get_one(Game, diff.channel.game_id)
    names = names_of_seats(diff.session, game)
    for seat in (seat for seat in now.open_seats if seat not in was.open_seats):
        diff.add("offered", f"{seat} {diff.services.now()}", name=names.get(seat, seat))
    for seat in (seat for seat in now.holders if now.holders[seat] != was.holders.get(seat) and seat in was.holders):
        former = diff.session.get(User, was.holders[seat])
        before = names[seat] if hides_names(game) else former.name if former else ""
        diff.add("taken", f"{seat} {diff.services.now()}", before=before, name=names[seat])
    for seat in (seat for seat in now.unreached if seat not in was.unreached):
        diff.add(
            "undelivered", seat, only=[m for m in now.questions if seat_of_key(m) == seat], name=names.get(seat, "")
        )
    for seat in (seat for seat in was.unreached if seat not in now.unreached):
        _explain(diff, seat)


def _explain(diff: GameDiff, seat: str) -> None:
    """Emails may arrive again: the first thing that one says is why its reader was called on in a channel."""
    services, session = diff.services, diff.session
    game = session.get_one(Game, diff.channel.game_id)
    row = next((row for row in occupied_seats(session, game.id) if row[0].seat == seat), None)
    if row is None or diff.was.holders.get(seat) != row[1].id:
        return
    user = row[1]
    token = assembly.create_reply_token(session, game.id, seat, game.entry, services.now())
    frame = assembly.build_context(services, session, game, Seat(seat), user, token, services.now())
    since = (user.bounced_at or services.now()) // 1000
    enqueue(
        services,
        session,
        key=f"{game.id}.{seat}.{game.entry}.bounced",
        kind="bounced",
        facts=BouncedFacts(frame, since, "discord" if diff.channel.form == "discord" else "page"),
        user_id=user.id,
        game_id=game.id,
        seat=seat,
        entry=game.entry,
    )


def retry_now(session: Session, channel_id: str, now: int) -> None:
    """Have all that waits for a channel tried at once."""
    waiting = (
        WebhookMessage.webhook_id == channel_id,
        WebhookMessage.state.in_((WebhookMessageState.QUEUED, WebhookMessageState.EDITING)),
    )
    session.execute(update(WebhookMessage).where(*waiting).values(due_at=now))
