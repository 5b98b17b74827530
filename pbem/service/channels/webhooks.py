"""The webhooks of a table: added and removed by who keeps it, with their health; their addresses only post can read."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from engine.kernel.languages import LANGUAGES
from pbem.service.access.permissions import Who, may
from pbem.service.base import limits
from pbem.service.base.services import NotOurs, Services
from pbem.service.base.webhook_ports import FORMS, WebhookPort
from pbem.states import BulletinState, ChannelState
from pbem.store.games import locked
from pbem.store.models import Allowance, Bulletin, Channel, Game
from pbem.vault import LetterContext, open_letter, seal_letter

MOST = 4
"""Channels of one table."""

ADDRESS = "channel"


class NoChannel(Exception):
    """What was asked of a channel cannot be done; `code` says why.

    `malformed`, `https`, `port`, `inside`, `discord`: the address; `most`, `too_many`: there are enough; `not_yours`.
    """

    def __init__(self, code: str) -> None:
        """`code` names the reason."""
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Health:
    """A channel as its owner sees it; moments in seconds.

    `state`: as in the store. `waiting`: messages that did not go out yet. `until`: the other side bade us wait so long.
    """

    id: str
    form: str
    language: str
    shown: str
    state: ChannelState
    failures: int
    error: str
    failed: int | None
    worked: int | None
    waiting: int
    until: int | None


def add(services: Services, user_id: int, game_id: str, form: str, language: str, address: str) -> str:
    """Link a table to a channel; returns the channel's number.  Raises NoChannel.

    What the address is, nobody reads again but post.
    """
    outlet, keys, address = outlet_of(services), services.accepting, address.strip()
    if form not in FORMS or language not in LANGUAGES:
        raise NoChannel("malformed")
    if why := outlet.refused(form, address):
        raise NoChannel(why)
    number, often = secrets.token_hex(16), limits.over(services, "channels", str(user_id))
    sealed = seal_letter(keys.post, keys.signing, LetterContext(number, ADDRESS), address.encode())
    with services.db.writing() as session:
        game = _kept(services, session, user_id, game_id)
        if often:
            raise NoChannel("too_many")
        known = session.scalar(select(func.count()).select_from(Channel).where(Channel.game_id == game.id)) or 0
        if known >= MOST:
            raise NoChannel("most")
        session.add(
            Channel(
                id=number,
                game_id=game.id,
                made_by=user_id,
                made_at=services.now(),
                form=form,
                language=language,
                address_sealed=sealed,
                shown=outlet.masked(address),
                state=ChannelState.ON,
            )
        )
    services.wake("announce", "")
    return number


def _kept(services: Services, session: Session, user_id: int, game_id: str) -> Game:
    """The table, locked, if this person keeps it."""
    game = locked(session, game_id)
    if game is None or not may(session, game, user_id, services.now(), Who.HOST):
        raise NoChannel("not_yours")
    return game


def _theirs(services: Services, session: Session, user_id: int, game_id: str, channel_id: str) -> Channel:
    _kept(services, session, user_id, game_id)
    channel = session.get(Channel, channel_id, with_for_update=True)
    if channel is None or channel.game_id != game_id:
        raise NoChannel("not_yours")
    return channel


def remove(services: Services, user_id: int, game_id: str, channel_id: str) -> None:
    """End the link; address and messages are forgotten.  Raises NoChannel."""
    with services.db.writing() as session:
        channel = _theirs(services, session, user_id, game_id, channel_id)
        session.execute(delete(Bulletin).where(Bulletin.channel_id == channel.id))
        session.execute(delete(Allowance).where(Allowance.place == channel.id))
        session.delete(channel)


def switch(services: Services, user_id: int, game_id: str, channel_id: str, *, on: bool) -> None:
    """Stop a channel for a while, or try it again after it was switched off.  Raises NoChannel.

    What happened in between is not told there any more: it begins with where the game stands.
    """
    with services.db.writing() as session:
        channel = _theirs(services, session, user_id, game_id, channel_id)
        if on and channel.state != ChannelState.ON:
            channel.state, channel.seen, channel.anchor = ChannelState.ON, {}, ""
            channel.failures, channel.failing_at = 0, None
        elif not on and channel.state == ChannelState.ON:
            channel.state = ChannelState.STOPPED
        drop(session, channel)
    services.wake("announce", "")


def drop(session: Session, channel: Channel) -> None:
    """Whatever still waits to be told there is not told any more."""
    waiting = select(Bulletin).where(
        Bulletin.channel_id == channel.id,
        Bulletin.state.in_((BulletinState.WANTED, BulletinState.TRYING, BulletinState.EDIT)),
    )
    for bulletin in session.scalars(waiting):
        bulletin.state = BulletinState.DROPPED if bulletin.state != BulletinState.EDIT else BulletinState.DONE


def listed(services: Services, game_id: str) -> Sequence[Health]:
    """The channels of a table, in the order in which they were added."""
    with services.db.reading() as session:
        rows = session.scalars(select(Channel).where(Channel.game_id == game_id).order_by(Channel.made_at, Channel.id))
        return tuple(_health(services, session, row) for row in rows)


def _health(services: Services, session: Session, row: Channel) -> Health:
    waiting = (
        select(func.count())
        .select_from(Bulletin)
        .where(Bulletin.channel_id == row.id, Bulletin.state.in_((BulletinState.WANTED, BulletinState.TRYING)))
    )
    held = select(func.max(Allowance.until)).where(Allowance.place == row.id, Allowance.spare <= 0)
    until = session.scalar(held) or 0
    return Health(
        row.id,
        row.form,
        row.language,
        row.shown,
        row.state,
        row.failures,
        row.error,
        _seconds(row.failed_at),
        _seconds(row.worked_at),
        session.scalar(waiting) or 0,
        _seconds(until) if until > services.now() else None,
    )


def _seconds(moment: int | None) -> int | None:
    return moment // 1000 if moment is not None else None


def address_of(services: Services, channel: Channel) -> str:
    """Where a channel's messages go; post only."""
    keys = services.posting
    context = LetterContext(channel.id, ADDRESS)
    return open_letter(keys.opening, keys.verify, context, channel.address_sealed, ("web", "post")).content.decode()


def outlet_of(services: Services) -> WebhookPort:
    """The way to webhooks; raises NotOurs in a process that has none."""
    if services.webhook_port is None:
        raise NotOurs("this process writes to no webhooks")
    return services.webhook_port
