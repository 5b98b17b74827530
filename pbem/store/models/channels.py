"""Webhooks of tables: the channels, what is told there, and how fast they may be written to."""

from typing import Any

from sqlalchemy import ForeignKey, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.common.states import WebhookMessageState, WebhookState
from pbem.store.models.base import KEY, TAG, Base, EnumString, SignedRow


class Webhook(SignedRow, Base):
    """A webhook that a table is linked to.  Only the mailer can read its address; `masked_url` is what others see of
    it.

    `form`: `discord`, `slack` or `plain`. `state`: `on`, or why it is off: `gone` (404), `refused` (401, 403),
    `connection_problem`, `stopped` (by its owner). `last_state`: how the game stood when it was last looked at.
    `remote_message_id`: the newest message there, and `discord_channel`: where the other side says that it lies.
    `failures`: in a row, since
    `failing_since`, the last one `error` at `failed_at`.
    """

    __tablename__ = "webhooks"
    SIGNED_COLUMNS = ("id", "game_id", "created_by", "created_at", "form", "url_ciphertext")
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    created_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created_at: Mapped[int]
    form: Mapped[str] = mapped_column(String(8))
    language: Mapped[str] = mapped_column(TAG)
    url_ciphertext: Mapped[bytes]
    masked_url: Mapped[str] = mapped_column(String(120))
    state: Mapped[WebhookState] = mapped_column(EnumString(WebhookState, 12), index=True)
    last_state: Mapped[dict[str, Any]] = mapped_column(default=dict)
    remote_message_id: Mapped[str] = mapped_column(String(24), default="")
    discord_channel: Mapped[str] = mapped_column(String(24), default="", index=True)
    failures: Mapped[int] = mapped_column(default=0)
    error: Mapped[str] = mapped_column(String(80), default="")
    failing_since: Mapped[int | None]
    failed_at: Mapped[int | None]
    last_success_at: Mapped[int | None]
    claimed_at: Mapped[int | None]


class WebhookMessage(Base):
    """One message to a channel; `key` is what makes it one, however often a task runs.

    `state`: see `WebhookMessageState`. `from_entry`: after which entry its story begins. `remote_message_id`: its
    number at the other side. `digest`: of what it says there. `asked`: the seats that it called on.
    """

    __tablename__ = "webhook_messages"
    __table_args__ = (UniqueConstraint("key"), Index("ix_webhook_messages_waiting", "state", "due_at"))
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    key: Mapped[str] = mapped_column(String(120))
    webhook_id: Mapped[str] = mapped_column(ForeignKey("webhooks.id"), index=True)
    kind: Mapped[str] = mapped_column(String(12))
    from_entry: Mapped[int] = mapped_column(default=0)
    entry: Mapped[int] = mapped_column(default=0)
    terms: Mapped[dict[str, Any]] = mapped_column(default=dict)
    state: Mapped[WebhookMessageState] = mapped_column(EnumString(WebhookMessageState, 8))
    remote_message_id: Mapped[str] = mapped_column(String(24), default="")
    digest: Mapped[str] = mapped_column(String(64), default="")
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str] = mapped_column(String(80), default="")
    created_at: Mapped[int]
    due_at: Mapped[int]
    sent_at: Mapped[int | None]


class WebhookRateLimit(Base):
    """How much the other side still takes, as it said itself: of a channel's route, or (route empty) of a whole host.

    `bucket`: routes of a channel with the same one share what is `remaining` until `resets_at`.
    """

    __tablename__ = "webhook_rate_limits"
    place: Mapped[str] = mapped_column(String(120), primary_key=True)
    route: Mapped[str] = mapped_column(String(8), primary_key=True)
    bucket: Mapped[str] = mapped_column(String(120), default="")
    remaining: Mapped[int] = mapped_column(Integer)
    resets_at: Mapped[int]
