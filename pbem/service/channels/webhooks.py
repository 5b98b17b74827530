"""The webhooks of a game: added and removed by its host, with their health; the mailer alone reads addresses."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from engine.kernel.languages import LANGUAGES
from pbem.common.states import WebhookMessageState, WebhookState
from pbem.crypto import EmailContext, seal_email, unseal_email
from pbem.service.access.permissions import Permission, has_permission
from pbem.service.base import limits
from pbem.service.base.services import MissingKeyError, Services
from pbem.service.base.webhook_ports import FORMS, WebhookPort
from pbem.store.games import lock_game
from pbem.store.models import Game, Webhook, WebhookMessage, WebhookRateLimit

MAX_WEBHOOKS = 4
"""Channels of one table."""

ADDRESS = "channel"
RETENTION_MS: Final = 30 * 24 * 3_600_000


class InvalidWebhook(Exception):
    """What was asked of a channel cannot be done; `code` says why.

    `malformed`, `https`, `port`, `inside`, `discord`: the address; `most`, `too_many`: there are enough; `not_yours`.
    """

    def __init__(self, code: str) -> None:
        """`code` names the reason."""
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class WebhookHealth:
    """A channel as its owner sees it; moments in seconds.

    `state`: as in the store. `waiting`: messages that did not go out yet. `limited_until`: the other side bade us wait
    so long.
    """

    id: str
    form: str
    language: str
    shown: str
    state: WebhookState
    failures: int
    error: str
    failing_since: int | None
    last_success: int | None
    waiting: int
    limited_until: int | None


def add_webhook(services: Services, user_id: int, game_id: str, form: str, language: str, address: str) -> str:
    """Link a table to a channel; returns the channel's number.  Raises InvalidWebhook.

    What the address is, nobody reads again but the mailer.
    """
    outlet, role_keys, address = port_of(services), services.order_keys, address.strip()
    if form not in FORMS or language not in LANGUAGES:
        raise InvalidWebhook("malformed")
    if reason := outlet.refusal_of(form, address):
        raise InvalidWebhook(reason)
    number, often = secrets.token_hex(16), limits.is_exceeded(services, "channels", str(user_id))
    sealed = seal_email(role_keys.mailer, role_keys.signing, EmailContext(number, ADDRESS), address.encode())
    with services.db.transaction() as session:
        game = _lock_own_game(services, session, user_id, game_id)
        if often:
            raise InvalidWebhook("too_many")
        count = session.scalar(select(func.count()).select_from(Webhook).where(Webhook.game_id == game.id)) or 0
        if count >= MAX_WEBHOOKS:
            raise InvalidWebhook("most")
        session.add(
            Webhook(
                id=number,
                game_id=game.id,
                created_by=user_id,
                created_at=services.now(),
                form=form,
                language=language,
                url_ciphertext=sealed,
                masked_url=outlet.redact(address),
                state=WebhookState.ON,
            )
        )
    services.enqueue("send_webhooks", "")
    return number


def _lock_own_game(services: Services, session: Session, user_id: int, game_id: str) -> Game:
    """The table, locked, if this person keeps it."""
    game = lock_game(session, game_id)
    if game is None or not has_permission(session, game, user_id, services.now(), Permission.HOST):
        raise InvalidWebhook("not_yours")
    return game


def _load_own(services: Services, session: Session, user_id: int, game_id: str, channel_id: str) -> Webhook:
    _lock_own_game(services, session, user_id, game_id)
    channel = session.get(Webhook, channel_id, with_for_update=True)
    if channel is None or channel.game_id != game_id:
        raise InvalidWebhook("not_yours")
    return channel


def remove_webhook(services: Services, user_id: int, game_id: str, channel_id: str) -> None:
    """End the link; address and messages are forgotten.  Raises InvalidWebhook."""
    with services.db.transaction() as session:
        channel = _load_own(services, session, user_id, game_id, channel_id)
        session.execute(delete(WebhookMessage).where(WebhookMessage.webhook_id == channel.id))
        session.execute(delete(WebhookRateLimit).where(WebhookRateLimit.place == channel.id))
        session.delete(channel)


def set_enabled(services: Services, user_id: int, game_id: str, channel_id: str, *, on: bool) -> None:
    """Stop a channel for a while, or try it again after it was switched off.  Raises InvalidWebhook.

    What happened in between is not told there any more: it begins with where the game stands.
    """
    with services.db.transaction() as session:
        channel = _load_own(services, session, user_id, game_id, channel_id)
        if on and channel.state != WebhookState.ON:
            channel.state, channel.last_state, channel.remote_message_id = WebhookState.ON, {}, ""
            channel.failures, channel.failing_since = 0, None
        elif not on and channel.state == WebhookState.ON:
            channel.state = WebhookState.STOPPED
        delete_waiting(session, channel)
    services.enqueue("send_webhooks", "")


def delete_waiting(session: Session, channel: Webhook) -> None:
    """Drop the messages that still wait for a channel."""
    waiting = select(WebhookMessage).where(
        WebhookMessage.webhook_id == channel.id,
        WebhookMessage.state.in_(
            (WebhookMessageState.QUEUED, WebhookMessageState.SENDING, WebhookMessageState.EDITING)
        ),
    )
    for bulletin in session.scalars(waiting):
        bulletin.state = (
            WebhookMessageState.SKIPPED if bulletin.state != WebhookMessageState.EDITING else WebhookMessageState.SENT
        )


def list_webhooks(services: Services, game_id: str) -> Sequence[WebhookHealth]:
    """List the webhooks of a game, in the order in which they were added."""
    with services.db.snapshot() as session:
        rows = session.scalars(
            select(Webhook).where(Webhook.game_id == game_id).order_by(Webhook.created_at, Webhook.id)
        )
        return tuple(_to_health(services, session, row) for row in rows)


def _to_health(services: Services, session: Session, row: Webhook) -> WebhookHealth:
    waiting = (
        select(func.count())
        .select_from(WebhookMessage)
        .where(
            WebhookMessage.webhook_id == row.id,
            WebhookMessage.state.in_((WebhookMessageState.QUEUED, WebhookMessageState.SENDING)),
        )
    )
    query = select(func.max(WebhookRateLimit.resets_at)).where(
        WebhookRateLimit.place == row.id, WebhookRateLimit.remaining <= 0
    )
    until = session.scalar(query) or 0
    return WebhookHealth(
        row.id,
        row.form,
        row.language,
        row.masked_url,
        row.state,
        row.failures,
        row.error,
        _seconds(row.failed_at),
        _seconds(row.last_success_at),
        session.scalar(waiting) or 0,
        _seconds(until) if until > services.now() else None,
    )


def _seconds(moment: int | None) -> int | None:
    return moment // 1000 if moment is not None else None


def unseal_address(services: Services, channel: Webhook) -> str:
    """Return the address of a webhook; mailer only."""
    role_keys = services.mailer_keys
    context = EmailContext(channel.id, ADDRESS)
    return unseal_email(
        role_keys.opening, role_keys.verify, context, channel.url_ciphertext, ("web", "mailer")
    ).content.decode()


def port_of(services: Services) -> WebhookPort:
    """Return the client for webhooks. Raises MissingKeyError in a process that has none."""
    if services.webhook_port is None:
        raise MissingKeyError("this process writes to no webhooks")
    return services.webhook_port


def load_health(services: Services) -> list[dict[str, Any]]:
    """List all webhooks for the operator: game, form, state, failures, last error."""
    with services.db.snapshot() as session:
        every = select(Webhook, Game.title).join(Game, Game.id == Webhook.game_id).order_by(Webhook.created_at)
        return [
            {
                "game": c.game_id,
                "table": name,
                "form": c.form,
                "shown": c.masked_url,
                "state": c.state.value,
                "failures": c.failures,
                "error": c.error,
            }
            for c, name in session.execute(every)
        ]


def delete_old_messages(services: Services) -> None:
    """Forget messages that were sent long ago, and limits that are over."""
    now = services.now()
    with services.db.transaction() as session:
        old = (
            WebhookMessage.state.in_(
                (WebhookMessageState.SENT, WebhookMessageState.FAILED, WebhookMessageState.SKIPPED)
            ),
            WebhookMessage.created_at < now - RETENTION_MS,
        )
        session.execute(delete(WebhookMessage).where(*old))
        session.execute(delete(WebhookRateLimit).where(WebhookRateLimit.resets_at < now - RETENTION_MS))
