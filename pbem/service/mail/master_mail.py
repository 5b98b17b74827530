"""Letters to a table's masters, each with an address that reads their lines."""

from dataclasses import replace
from typing import Final

from sqlalchemy.orm import Session

from pbem.crypto import new_token, token_hash
from pbem.narration.facts import EmailContext, MasterFacts, Message, Reader
from pbem.service.access import invitation_policy
from pbem.service.base.services import Services
from pbem.service.game import email_context
from pbem.service.mail.outbox import enqueue
from pbem.store.models import Capability, Game, OutboundEmail, User

MASTER: Final = "master"
"""The purpose of a reply address whose letters are lines of this language."""


def create_command_address(services: Services, session: Session, game: Game, user: User) -> str:
    """A capability to write lines of this language, for one person at one table."""
    token = new_token()
    session.add(
        Capability(
            hash=token_hash(MASTER, token), purpose=MASTER, user_id=user.id, game_id=game.id, made_at=services.now()
        )
    )
    return token


def build_context(
    services: Services, session: Session, game: Game, user: User, token: str, seat: str = ""
) -> EmailContext:
    """The frame of a letter to a master: without a seat, even where they play."""
    frame = email_context.build_context(services, session, game, seat, user, token, services.now())
    return replace(
        frame,
        reader=Reader(user.name, user.language, user.zone),
        links=replace(frame.links, page=f"{services.public_url}/games/{game.id}/master", leave=""),
    )


def send_prompt(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    mark: str,
    said: tuple[Message, ...],
    *,
    unasked: bool = False,
) -> None:
    """A letter to a person who may write lines of this language, with an address to write them to, once.

    `unasked`: they may never have heard of us, and can end such letters.
    """
    key = f"{game.id}.{user.id}.{mark}.master"
    if session.get(OutboundEmail, key) is not None:
        return
    token = create_command_address(services, session, game, user)
    frame = build_context(services, session, game, user, token)
    if unasked:
        frame = replace(
            frame, links=replace(frame.links, mute="", never=invitation_policy.opt_out_link(services, user))
        )
    facts = MasterFacts(frame, lead=said)
    enqueue(
        services,
        session,
        key=key,
        kind="master",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )
