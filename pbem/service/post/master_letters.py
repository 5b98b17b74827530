"""Letters to a table's masters, each with an address that reads their lines."""

from dataclasses import replace
from typing import Final

from sqlalchemy.orm import Session

from pbem.narration.facts import Frame, MasterFacts, Reader, Said
from pbem.service.access import inviting
from pbem.service.base.services import Services
from pbem.service.game import frames
from pbem.service.post.outbox import draft
from pbem.store.models import Game, LetterOut, TokenRow, User
from pbem.vault import new_token, token_hash

MASTER: Final = "master"
"""The purpose of a reply address whose letters are lines of this language."""


def new_address(services: Services, session: Session, game: Game, user: User) -> str:
    """A capability to write lines of this language, for one person at one table."""
    token = new_token()
    session.add(
        TokenRow(
            hash=token_hash(MASTER, token), purpose=MASTER, user_id=user.id, game_id=game.id, made_at=services.now()
        )
    )
    return token


def frame_of(services: Services, session: Session, game: Game, user: User, token: str, seat: str = "") -> Frame:
    """The frame of a letter to a master: without a seat, even where they play."""
    frame = frames.frame_of(services, session, game, seat, user, token, services.now())
    return replace(
        frame,
        reader=Reader(user.name, user.language, user.zone),
        links=replace(frame.links, page=f"{services.public_url}/games/{game.id}/master", leave=""),
    )


def call(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    mark: str,
    said: tuple[Said, ...],
    *,
    unasked: bool = False,
) -> None:
    """A letter to a person who may write lines of this language, with an address to write them to, once.

    `unasked`: they may never have heard of us, and can end such letters.
    """
    key = f"{game.id}.{user.id}.{mark}.master"
    if session.get(LetterOut, key) is not None:
        return
    token = new_address(services, session, game, user)
    frame = frame_of(services, session, game, user, token)
    if unasked:
        frame = replace(frame, links=replace(frame.links, mute="", never=inviting.link(services, user)))
    facts = MasterFacts(frame, lead=said)
    draft(
        services,
        session,
        key=key,
        kind="master",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )
