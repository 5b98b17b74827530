"""Games: the table, its seats and who holds them, open questions, and the sealed answers that wait."""

from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.common.states import AnswerState, GameState, RequestState
from pbem.store.models.base import KEY, Base, EnumString, SignedRow


class Game(SignedRow, Base):
    """A table: `rules` names its rules, `title` is what its players call it.

    `state`: see `GameState`.  `entry`: the last journal entry.
    `deadline_hours` None: no deadlines. `schedule`: how deadlines are set, where it is more than that.
    `scheduled_at`: when a resolver must look again though nobody asks. `failed_entry`: the last entry at which many
    missed at once, so that the clock was stopped.  `draw_mixing`: what the luck of its entries is made of (see
    `pbem.archive.entries`).  `compacted_at`: when a game that is over was made smaller.  `version`: see
    `pbem.store.versions`.  Signed is who hosts it, what is played and how, and its state: of a game that is over
    everything is shown.
    """

    __tablename__ = "games"
    __table_args__ = (Index("ix_games_state", "state", "rules", "rules_version"),)
    SIGNED_COLUMNS = ("id", "host_id", "created_at", "rules", "options", "state", "draw_mixing", "seed_digest")
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    rules: Mapped[str] = mapped_column(String(40))
    title: Mapped[str] = mapped_column(String(60))
    options: Mapped[dict[str, Any]]
    state: Mapped[GameState] = mapped_column(EnumString(GameState, 12))
    host_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    entry: Mapped[int] = mapped_column(default=0)
    deadline_hours: Mapped[int | None]
    schedule: Mapped[dict[str, Any]] = mapped_column(default=dict)
    scheduled_at: Mapped[int | None] = mapped_column(index=True)
    failed_entry: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[int]
    started_at: Mapped[int | None]
    ended_at: Mapped[int | None]
    keys: Mapped[bytes | None]
    seed_ciphertext: Mapped[bytes | None]
    holders_checkpoint: Mapped[bytes | None]
    orders_checkpoint: Mapped[bytes | None]
    integrity_warning: Mapped[str | None] = mapped_column(String(120))
    seed_digest: Mapped[str | None] = mapped_column(String(64))
    rules_version: Mapped[str] = mapped_column(String(20))
    draw_mixing: Mapped[int]
    compacted_at: Mapped[int | None]
    resolve_requested_at: Mapped[int | None] = mapped_column(index=True)
    resolve_attempts: Mapped[int] = mapped_column(default=0)
    failure: Mapped[str | None] = mapped_column(String(80))
    version: Mapped[int] = mapped_column(default=0)


class OpenTable(SignedRow, Base):
    """A table that is open to everybody here, since when; one without a row is for those who are invited."""

    __tablename__ = "open_tables"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    opened_at: Mapped[int]


class SeatRow(SignedRow, Base):
    """A seat of a game and who sits there; `seed_words` and `seed_nonce` are what the player put into the deal.

    `visible_from_entry`: the entry at which they took it over; what the seat was told before is not theirs to read.
    `time_bank_ms`: what is left on the clock, in a game with clocks. `excused_misses`: missed turns that are still
    excused.
    `missed`: deadlines missed in a row. `open_since`: since when the seat looks for another player.
    `pause_request`: whether they agree to a pause, or to its end.  `last_order_entry`: where the game stood when their
    orders were last opened.
    """

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "seat"),)
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    invited_email: Mapped[str | None] = mapped_column(String(320), index=True)
    joined_at: Mapped[int | None]
    seed_words: Mapped[str] = mapped_column(String(200), default="")
    seed_nonce: Mapped[bytes | None]
    last_report_entry: Mapped[int] = mapped_column(default=0)
    last_order_entry: Mapped[int | None]
    visible_from_entry: Mapped[int] = mapped_column(default=0)
    time_bank_ms: Mapped[int | None]
    excused_misses: Mapped[int | None]
    missed: Mapped[int] = mapped_column(default=0)
    open_since: Mapped[int | None] = mapped_column(index=True)
    pause_request: Mapped[str] = mapped_column(String(8), default="")


class SeatTenure(SignedRow, Base):
    """Who holds or held a seat, from when to when, and why it ended: `replaced`, `resigned`, `returned`."""

    __tablename__ = "seat_tenures"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    starts_at: Mapped[int]
    ends_at: Mapped[int | None]
    end_reason: Mapped[str] = mapped_column(String(12), default="")


class QuestionRow(Base):
    """An open question: who is asked, since which entry, until when, and whether an answer lies here.

    `closes_at`: the deadline and its grace. `state`: see `AnswerState`. `pace_request`: `wait` (not before the
    deadline) or
    `ready` (no need to wait for second thoughts). `grace_used`: a missed deadline of it was excused. `paused_ms`: how
    much of its time was given back. `resolve_now`: the game master closes it now, deadline or not. `answers_fixed`: its
    answer is fixed and waits for a round of the beacon, so that it is open no more. `remind_at`: when it is to be
    looked at for a reminder; None: none comes any more. `is_reaction`, `is_choice`: how long it may wait (`Pace`);
    neither: a turn.
    """

    __tablename__ = "questions"
    __table_args__ = (UniqueConstraint("game_id", "gate", "seat"),)
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    gate: Mapped[str] = mapped_column(String(80))
    seat: Mapped[str] = mapped_column(String(8))
    topic: Mapped[str] = mapped_column(String(40))
    is_blocking: Mapped[bool]
    is_reaction: Mapped[bool]
    is_choice: Mapped[bool] = mapped_column(default=False)
    opening_entry: Mapped[int]
    opened_at: Mapped[int]
    due_at: Mapped[int | None]
    closes_at: Mapped[int | None] = mapped_column(index=True)
    remind_at: Mapped[int | None] = mapped_column(index=True)
    answered_at: Mapped[int | None]
    state: Mapped[AnswerState] = mapped_column(EnumString(AnswerState, 16), default=AnswerState.UNANSWERED)
    pace_request: Mapped[str] = mapped_column(String(8), default="")
    grace_used: Mapped[bool] = mapped_column(default=False)
    paused_ms: Mapped[int] = mapped_column(default=0)
    resolve_now: Mapped[bool] = mapped_column(default=False)
    answers_fixed: Mapped[bool] = mapped_column(default=False)


class PendingDraw(Base):
    """A gate whose answers are fixed and told, and whose draws wait for a round of the public beacon.

    `ciphertext` holds the answers; a resolver goes by it alone.  `round` and `signature` are in the clear, as the
    network has them.  `due_at`: when the network is asked, or asked again after so many `attempts`.  `is_announced`:
    the masters know that the round does not come.
    """

    __tablename__ = "pending_draws"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    entry: Mapped[int]
    gate: Mapped[str] = mapped_column(String(80))
    round: Mapped[int]
    signature: Mapped[bytes | None]
    ciphertext: Mapped[bytes]
    fixed_at: Mapped[int]
    due_at: Mapped[int] = mapped_column(index=True)
    attempts: Mapped[int] = mapped_column(default=0)
    is_announced: Mapped[bool] = mapped_column(default=False)


class SealedOrdersRow(Base):
    """A sealed set of orders (`orders`), advance orders for a phase to come (`advance`),
    reaction orders of a turn (`reaction`), or standing orders for a missed question (`standing`).

    The newest of a place counts, unless it has ended: `end_signature` is signed by who took its withdrawal in (a
    receipt), or by a resolver that found that it cannot stand any more.  `is_current` is a mark for
    who cannot read it; a resolver does not go by it.
    """

    __tablename__ = "sealed_orders"
    __table_args__ = (
        UniqueConstraint("game_id", "gate", "seat", "kind", "revision"),
        Index("ix_sealed_orders_place", "game_id", "seat", "kind"),
    )
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    gate: Mapped[str] = mapped_column(String(80))
    opening_entry: Mapped[int]
    seat: Mapped[str] = mapped_column(String(8))
    kind: Mapped[str] = mapped_column(String(8))
    revision: Mapped[int]
    ciphertext: Mapped[bytes]
    commitment: Mapped[str] = mapped_column(String(64))
    is_current: Mapped[bool]
    created_at: Mapped[int]
    end_signature: Mapped[bytes | None]


class OrderRevision(Base):
    """How many orders a seat has filed in a place: a number is never used twice, whatever becomes of the orders."""

    __tablename__ = "order_revisions"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    gate: Mapped[str] = mapped_column(String(80), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    revision: Mapped[int]


class ResolverRequest(SignedRow, Base):
    """Something that only a resolver can do for a seat: read back, withdraw an unopened set, complete a receipt.

    `state`: `asked`, `done`.  `request` and `answer` are sealed to who may read them.
    """

    __tablename__ = "resolver_requests"
    SIGNED_COLUMNS = ("id", "kind", "game_id", "seat", "request")
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str | None] = mapped_column(String(8))
    state: Mapped[RequestState] = mapped_column(EnumString(RequestState, 8), index=True)
    request: Mapped[bytes]
    answer: Mapped[bytes | None]
    created_at: Mapped[int]
    done_at: Mapped[int | None]
