"""The tables.

Times are whole milliseconds since 1970, UTC.  Every column whose name ends in `_sealed` holds what the vault made;
the store cannot read it.  Nothing that a player wrote lies here in the clear but his name and address.
"""

from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, Integer, LargeBinary, MetaData, String, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """All tables; constraints have names, so that migrations can change them."""

    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: BigInteger, dict[str, Any]: JSON, bytes: LargeBinary}


_KEY = Integer().with_variant(BigInteger(), "postgresql")
"""SQLite numbers rows by itself only where the key is a plain INTEGER."""


class User(Base):
    """A person, known by the address of record."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    address: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    language: Mapped[str] = mapped_column(String(2))
    zone: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[int]
    muted_at: Mapped[int | None]
    bounced_at: Mapped[int | None]


class Game(Base):
    """A table: `title` names the rules, `name` is what the players call it.

    `state`: `new` (its keys are still to be made), `forming`, `starting`, `running`, `over`. `entry`: the last
    journal entry. `deadline_hours` None: no deadlines.
    """

    __tablename__ = "games"
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    title: Mapped[str] = mapped_column(String(40))
    name: Mapped[str] = mapped_column(String(60))
    options: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(String(12), index=True)
    host_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entry: Mapped[int] = mapped_column(default=0)
    deadline_hours: Mapped[int | None]
    created_at: Mapped[int]
    started_at: Mapped[int | None]
    ended_at: Mapped[int | None]
    keys: Mapped[bytes | None]
    seed_sealed: Mapped[bytes | None]
    seed_digest: Mapped[str | None] = mapped_column(String(64))
    rules_version: Mapped[str] = mapped_column(String(20))
    play_wanted: Mapped[int | None] = mapped_column(index=True)
    play_tries: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(String(80))


class SeatRow(Base):
    """A seat of a game and who sits there; `words` and `nonce` are what he put into the deal."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "seat"),)
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    invited: Mapped[str | None] = mapped_column(String(320))
    joined_at: Mapped[int | None]
    words: Mapped[str] = mapped_column(String(200), default="")
    nonce: Mapped[bytes | None]
    reported_entry: Mapped[int] = mapped_column(default=0)


class TokenRow(Base):
    """A capability: only its hash lies here.  A reply token is for one seat and the questions of one entry."""

    __tablename__ = "tokens"
    hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    purpose: Mapped[str] = mapped_column(String(12))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str | None] = mapped_column(String(8))
    entry: Mapped[int | None]
    made_at: Mapped[int]
    expires_at: Mapped[int | None]
    used_at: Mapped[int | None]
    revoked_at: Mapped[int | None]


class DecisionRow(Base):
    """An open question: who is asked, since which entry, until when, and whether an answer lies here."""

    __tablename__ = "decisions"
    __table_args__ = (UniqueConstraint("game_id", "gate", "seat"),)
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    gate: Mapped[str] = mapped_column(String(80))
    seat: Mapped[str] = mapped_column(String(8))
    asks: Mapped[str] = mapped_column(String(40))
    blocking: Mapped[bool]
    reaction: Mapped[bool]
    opening_entry: Mapped[int]
    opened_at: Mapped[int]
    due_at: Mapped[int | None] = mapped_column(index=True)
    answered_at: Mapped[int | None]


class BallotRow(Base):
    """A sealed set of orders (`orders`), one filed for a phase to come (`ahead`), or riders of a turn (`rider`).

    `rank` orders what lies in one place: the newest counts.  `letter`: the letter or form that brought it.
    """

    __tablename__ = "ballots"
    __table_args__ = (
        UniqueConstraint("game_id", "gate", "seat", "kind", "revision"),
        Index("ix_ballots_place", "game_id", "seat", "kind"),
    )
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    gate: Mapped[str] = mapped_column(String(80))
    opening_entry: Mapped[int]
    seat: Mapped[str] = mapped_column(String(8))
    kind: Mapped[str] = mapped_column(String(8))
    revision: Mapped[int]
    sealed: Mapped[bytes]
    commitment: Mapped[str] = mapped_column(String(64))
    standing: Mapped[bool]
    made_at: Mapped[int]


class RevisionRow(Base):
    """How many ballots a seat has filed in a place: a number is never used twice, whatever becomes of the ballots."""

    __tablename__ = "revisions"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    gate: Mapped[str] = mapped_column(String(80), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    revision: Mapped[int]


class EntryRow(Base):
    """A journal entry: what everybody may have of it, its link in the chain, and the rest under the game's own key."""

    __tablename__ = "journal"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    gate: Mapped[str] = mapped_column(String(80))
    made_at: Mapped[int]
    public: Mapped[bytes]
    link: Mapped[bytes]
    entry_sealed: Mapped[bytes]
    position_sealed: Mapped[bytes]
    salts_sealed: Mapped[bytes]


class ViewRow(Base):
    """What one viewer may have of an entry: `kind` is `view` (the redacted position) or `events`."""

    __tablename__ = "views"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    viewer: Mapped[str] = mapped_column(String(8), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True)
    sealed: Mapped[bytes]


class LetterIn(Base):
    """A letter taken in.  `state`: `stored`, `done`, `shunted`.  Its bytes are gone once it is done."""

    __tablename__ = "letters_in"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    received_at: Mapped[int]
    recipient: Mapped[str] = mapped_column(String(320))
    null_sender: Mapped[bool]
    size: Mapped[int]
    state: Mapped[str] = mapped_column(String(8), index=True)
    content_sealed: Mapped[bytes]
    fingerprint: Mapped[str | None] = mapped_column(String(64), unique=True)
    tries: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None] = mapped_column(String(80))
    claimed_at: Mapped[int | None]


class LetterOut(Base):
    """A letter to go out.

    `key` is what makes it one letter however often a task runs: last entry, seat, kind; or the letter answered.
    `state`: `draft` (facts only), `wire` (rendered), `sent`, `failed`, and `waits` (a play worker must complete it).
    """

    __tablename__ = "letters_out"
    key: Mapped[str] = mapped_column(String(120), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str | None] = mapped_column(String(8))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    entry: Mapped[int | None]
    since: Mapped[int | None]
    state: Mapped[str] = mapped_column(String(8), index=True)
    content_sealed: Mapped[bytes]
    made_at: Mapped[int]
    due_at: Mapped[int]
    sent_at: Mapped[int | None]
    claimed_at: Mapped[int | None]
    tries: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None] = mapped_column(String(80))


class Command(Base):
    """Something that only a play worker can do for a seat: read back, withdraw an unopened set, complete a receipt.

    `state`: `asked`, `done`.  `request` and `answer` are sealed to who may read them.
    """

    __tablename__ = "commands"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str | None] = mapped_column(String(8))
    state: Mapped[str] = mapped_column(String(8), index=True)
    request: Mapped[bytes]
    answer: Mapped[bytes | None]
    made_at: Mapped[int]
    done_at: Mapped[int | None]


class Hit(Base):
    """How often somebody knocked within an hour: letters, sign-in links.  `who` is a hash."""

    __tablename__ = "hits"
    who: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    hour: Mapped[int] = mapped_column(primary_key=True)
    count: Mapped[int]
