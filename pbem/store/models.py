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
    mute_sealed: Mapped[bytes | None]
    turns: Mapped[int] = mapped_column(default=0)
    turns_on_time: Mapped[int] = mapped_column(default=0)
    games_begun: Mapped[int] = mapped_column(default=0)
    games_finished: Mapped[int] = mapped_column(default=0)


class Game(Base):
    """A table: `title` names the rules, `name` is what the players call it.

    `state`: `new` (its keys are still to be made), `forming`, `starting`, `running`, `over`;
    `moved` (handed over to another server), `archived` (brought here to be looked at). `entry`: the last journal entry.
    `deadline_hours` None: no deadlines. `schedule`: how deadlines are set, where it is more than that.
    `look_at`: when a play worker must look again though nobody asks. `halted_entry`: the last entry at which many
    missed at once, so that the clock was stopped.
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
    schedule: Mapped[dict[str, Any]] = mapped_column(default=dict)
    look_at: Mapped[int | None] = mapped_column(index=True)
    halted_entry: Mapped[int] = mapped_column(default=0)
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
    """A seat of a game and who sits there; `words` and `nonce` are what he put into the deal.

    `known_from`: the entry at which he took it over; what the seat was told before is not his to read.
    `bank_ms`: what is left on his clock, in a game with clocks. `excuses`: missed turns that are still excused.
    `missed`: deadlines missed in a row. `offered_at`: since when the seat looks for another player.
    `wants`: whether he agrees to a pause, or to its end.  `ordered_entry`: where the game stood when orders of his were
    last opened.
    """

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
    ordered_entry: Mapped[int | None]
    known_from: Mapped[int] = mapped_column(default=0)
    bank_ms: Mapped[int | None]
    excuses: Mapped[int | None]
    missed: Mapped[int] = mapped_column(default=0)
    offered_at: Mapped[int | None]
    wants: Mapped[str] = mapped_column(String(8), default="")


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
    """An open question: who is asked, since which entry, until when, and whether an answer lies here.

    `closes_at`: the deadline and its grace. `state`: see `answer_state`. `stance`: `wait` (not before the deadline) or
    `ready` (no need to wait for second thoughts). `excused`: a missed deadline of it was excused. `lost_ms`: how much
    of its time was given back. `forced`: the game master closes it now, deadline or not.
    """

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
    closes_at: Mapped[int | None] = mapped_column(index=True)
    answered_at: Mapped[int | None]
    state: Mapped[str] = mapped_column(String(10), default="none")
    stance: Mapped[str] = mapped_column(String(8), default="")
    excused: Mapped[bool] = mapped_column(default=False)
    lost_ms: Mapped[int] = mapped_column(default=0)
    forced: Mapped[bool] = mapped_column(default=False)


class Holding(Base):
    """Who holds or held a seat, from when to when, and why it ended: `replaced`, `resigned`, `returned`."""

    __tablename__ = "holdings"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    since: Mapped[int]
    until: Mapped[int | None]
    why: Mapped[str] = mapped_column(String(12), default="")


class Absence(Base):
    """Somebody announced that he is away; it never moves a deadline that runs already."""

    __tablename__ = "absences"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    since: Mapped[int]
    until: Mapped[int]
    made_at: Mapped[int]


class Beat(Base):
    """A sign of life: `tick` (the clock was looked at), `probe` (a letter to ourselves came back).

    And `restored`: a copy of the database was put back.
    """

    __tablename__ = "beats"
    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    at: Mapped[int]


class Outage(Base):
    """A stretch of time that players lost, of one game or player if it names one.

    `cause`: `stopped` (the server), `jumped` (its clock), `inbound` (letters did not come in), `bounce` (his did not
    go out), `halt` (many missed at once), `pause`. Until it is `given` back no deadline that it touches passes.
    """

    __tablename__ = "outages"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    cause: Mapped[str] = mapped_column(String(10))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    began_at: Mapped[int]
    ended_at: Mapped[int | None]
    given: Mapped[bool] = mapped_column(default=False, index=True)
    who: Mapped[str] = mapped_column(String(80), default="")


class GivenBack(Base):
    """The log of time given back: what was lost of a question's time, and what its deadline was and is."""

    __tablename__ = "given_back"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    outage_id: Mapped[int] = mapped_column(ForeignKey("outages.id"), index=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    gate: Mapped[str] = mapped_column(String(80))
    seat: Mapped[str] = mapped_column(String(8))
    lost_ms: Mapped[int]
    before: Mapped[int]
    after: Mapped[int]
    made_at: Mapped[int]


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


# The tables of further topics lie beside this file; whoever knows these tables knows them all.
import pbem.store.models_channels  # noqa: E402
import pbem.store.models_lists  # noqa: E402
import pbem.store.models_master  # noqa: E402
import pbem.store.models_pictures  # noqa: E402
import pbem.store.models_programs  # noqa: E402
import pbem.store.models_talk  # noqa: E402, F401
