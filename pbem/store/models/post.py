"""Letters in and out, and the pictures that go along with them."""

from sqlalchemy import ForeignKey, Index, LargeBinary, String, text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.common.states import ImageState, InboundState, OutboundState
from pbem.store.models.base import KEY, TAG, Base, EnumString, SignedRow


def _of_its_letter(key: str) -> ForeignKey:
    """A letter and its contents are written in any order, and go together."""
    return ForeignKey(key, ondelete="CASCADE", deferrable=True, initially="DEFERRED")


class DailyKey(SignedRow, Base):
    """The public half of a key pair of the mailers that lives a day; letters are sealed to the newest.

    When no letter waits any more that was sealed to it, its row is deleted and then the private half destroyed.
    `restored_at`: when a copy of the database had been put back last (0: never); after another, it is not used.
    """

    __tablename__ = "daily_keys"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    public_key: Mapped[bytes]
    created_at: Mapped[int]
    restored_at: Mapped[int]


class InboundEmail(Base):
    """An email taken in; `state`: see `InboundState`. Its bytes are deleted once it is processed.

    The address it was sent to is sealed with its bytes.  `size`: rounded up, as the bytes are filled up.
    `payer`: a digest of who sent it, whose turn it takes: a seat, an account, or a stranger's network.  `due_at`: when
    it may be read: later for one that failed, or whose sender's emails took too much work.
    `no_reply_reason`: why it got no answer, if it got none.
    """

    __tablename__ = "inbound_emails"
    __table_args__ = (Index("ix_inbound_emails_turns", "state", "payer", "received_at"),)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    received_at: Mapped[int]
    null_sender: Mapped[bool]
    size: Mapped[int]
    state: Mapped[InboundState] = mapped_column(EnumString(InboundState, 12))
    payer: Mapped[str] = mapped_column(String(32), default="")
    due_at: Mapped[int]
    fingerprint: Mapped[str | None] = mapped_column(String(64), unique=True)
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None] = mapped_column(String(80))
    no_reply_reason: Mapped[str | None] = mapped_column(String(32))


class InboundEmailBody(Base):
    """The bytes of a letter that waits to be read, or was put aside: sealed to the mailers, or to the resolvers.

    `daily_key_id`: the mailers' key that they are sealed to; none of one put aside, which is sealed to the resolvers.
    """

    __tablename__ = "inbound_email_bodies"
    email_key: Mapped[str] = mapped_column(_of_its_letter("inbound_emails.id"), primary_key=True)
    content_ciphertext: Mapped[bytes]
    daily_key_id: Mapped[int | None] = mapped_column(ForeignKey("daily_keys.id"), index=True)


_WENT = text("sent_at IS NOT NULL")


class OutboundEmail(SignedRow, Base):
    """A letter to go out.

    `key` is what makes it one letter however often a task runs: last entry, seat, kind; or the letter answered.
    `state`: see `OutboundState`.  `error`: why it is not sent, as a code or a class of error.  `server_reply`: what the
    relay or a later mail server said, without addresses.  `address_hash`: of the address that the relay took it for.
    """

    __tablename__ = "outbound_emails"
    __table_args__ = (Index("ix_outbound_emails_sent_at", "sent_at", sqlite_where=_WENT, postgresql_where=_WENT),)
    SIGNED_COLUMNS = ("key", "kind", "game_id", "seat", "user_id", "entry", "from_entry", "created_at")
    key: Mapped[str] = mapped_column(String(120), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str | None] = mapped_column(String(8))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    entry: Mapped[int | None]
    from_entry: Mapped[int | None]
    state: Mapped[OutboundState] = mapped_column(EnumString(OutboundState, 12), index=True)
    created_at: Mapped[int]
    due_at: Mapped[int]
    sent_at: Mapped[int | None]
    claimed_at: Mapped[int | None]
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None] = mapped_column(String(80))
    server_reply: Mapped[str | None] = mapped_column(String(200))
    address_hash: Mapped[bytes | None] = mapped_column(LargeBinary(32))


class OutboundEmailBody(Base):
    """What is in a letter that is not sent yet: its facts or its finished bytes, sealed to who goes on with it.

    `daily_key_id`: the mailers' key that it is sealed to while it is queued or rendered; none while it waits for
    the resolver.
    """

    __tablename__ = "outbound_email_bodies"
    email_key: Mapped[str] = mapped_column(_of_its_letter("outbound_emails.key"), primary_key=True)
    content_ciphertext: Mapped[bytes]
    daily_key_id: Mapped[int | None] = mapped_column(ForeignKey("daily_keys.id"), index=True)


class PrintedEmail(Base):
    """What the newest letter of a kind said that is answered to a token, to know its lines when they come back quoted.

    `token_hash`: of the token in its reply address.  The content is sealed to who may read the view of its seat.
    """

    __tablename__ = "printed_emails"
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    email_key: Mapped[str] = mapped_column(_of_its_letter("outbound_emails.key"), index=True)
    content_ciphertext: Mapped[bytes]


class BoardImage(Base):
    """The board as one viewer saw it after an entry, as PNG, for one language; made once for all its readers.

    `from_entry`: what has changed from this entry on is marked; 0: nothing is.  `state`: see `ImageState`.
    `ciphertext`: sealed to the mailers, which send it and alone read it; empty until it is made.  A row goes with the
    last letter that waits for it.
    """

    __tablename__ = "board_images"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    viewer: Mapped[str] = mapped_column(String(8), primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True)
    from_entry: Mapped[int] = mapped_column(primary_key=True)
    language: Mapped[str] = mapped_column(TAG, primary_key=True)
    state: Mapped[ImageState] = mapped_column(EnumString(ImageState, 8), index=True)
    requested_at: Mapped[int]
    claimed_at: Mapped[int | None]
    error: Mapped[str] = mapped_column(String(80), default="")
    ciphertext: Mapped[bytes] = mapped_column(default=b"")
