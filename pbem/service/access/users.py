"""People at the pages: who is signed in, their language and zone, whether emails go out.  Capabilities are hashes.

Their names, too, and the tokens that open nothing any more.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from engine.kernel.languages import DEFAULT, LANGUAGES, Language
from engine.kernel.order_words import find_order_words
from pbem.common.addresses import (
    can_receive_email,
    is_address,
    is_guest,
    is_unverified,
    normalize,
    parse_mail_address,
)
from pbem.common.confusables import find_confusable, has_confusable_word, make_distinct, skeleton
from pbem.common.states import LIVE
from pbem.common.text import has_web_address, to_name
from pbem.crypto import is_token, token_hash
from pbem.crypto.tokens import ALPHABET, LENGTH
from pbem.service.access import permissions
from pbem.service.access.capabilities import create_capability, find_capability, is_valid, revoke_capabilities
from pbem.service.base.services import RequestRefused, Services
from pbem.service.base.wording import spellings
from pbem.store.games import hides_names, lock_game, occupied_seats, sees_one_moment
from pbem.store.models import Capability, Deputy, Game, Master, SeatRow, User
from pbem.store.query_cache import cached as read_once
from pbem.store.upsert import insert_ignore

LONGEST_NAME: Final = 80
_BOT: Final = "bot"
"""Stands behind the names of bots, in brackets, and of nobody else."""
_RESERVED: Final = spellings("names.reserved") | spellings("talk.all") | spellings("talk.master")
"""What messages and emails call those who are no single player."""
_NAMELESS: Final = "Player"


def bot_name(name: str) -> str:
    """Return the display name of a bot."""
    return f"{name} ({_BOT})"


def is_bot_name(name: str) -> bool:
    """Return True if a display name says that it is a bot's."""
    return has_confusable_word(name, _BOT)


def name_from_email(address: str) -> str:
    """Return the default name of a user: the first part of their address."""
    return to_name(address.partition("@")[0].replace(".", " "), LONGEST_NAME)


def name_of_new_user(services: Services, address: str, name: str) -> str:
    """Return the name of a new user: the one they want, or the default one, or one that says nothing of them."""
    for wanted in (to_name(name, LONGEST_NAME), name_from_email(address)):
        with suppress(RequestRefused):
            check_name(services, wanted)
            if wanted:
                return wanted
    return f"{_NAMELESS} {secrets.token_hex(2)}"


def has_chosen_name(user: User) -> bool:
    """Return False if a user's name was made for them."""
    made = user.name == name_from_email(user.email) or re.fullmatch(rf"{_NAMELESS} [0-9a-f]{{4}}", user.name)
    return not made


def check_name(services: Services, name: str) -> None:
    """Raise RequestRefused for a name that others take for a bot's (`name_of_bots`), or that `check_words` refuses."""
    if is_bot_name(name):
        raise RequestRefused("name_of_bots")
    check_words(services, name)


def may_open_tables(services: Services, user_id: int) -> bool:
    """Return True if a user may open tables here: everybody with an account, or on a closed server the operators."""
    if services.sign_up != "closed":
        return True
    with services.db.snapshot() as session:
        user = session.get(User, user_id)
        return user is not None and user.email in services.operator_emails


def check_words(services: Services, name: str) -> None:
    """Raise RequestRefused (`reserved_words`) for a name or title that reads like an order, or stands for everybody.

    Such a name, printed in an email, could be taken for a line of whoever quotes it.
    """
    words = find_order_words(name, services.installed.values()) or find_confusable(name, _RESERVED)
    if words:
        raise RequestRefused("reserved_words", name=name, words=words)


def get_or_create_user(
    services: Services, session: Session, address: str, name: str = "", language: str = DEFAULT, zone: str = ""
) -> User:
    """Return the user of an address, created if there is none, even if two requests come at once.

    `zone`: of a new user; by default the server's. Raises NotAnAddress.
    """
    parsed = parse_mail_address(address)
    of_address = select(User).where(User.email == parsed)
    user = session.scalars(of_address).one_or_none()
    if user is None:
        called, time_zone = name_of_new_user(services, parsed, name), zone or services.time_zone
        new = {"name": called, "language": language, "time_zone": time_zone, "created_at": services.now()}
        insert_ignore(session, User.email, email=parsed, **new)
        user = session.scalars(of_address).one()
    create_unsubscribe_token(services, session, user)
    return user


def create_guest(
    services: Services, session: Session, domain: str, name: str, language: Language, zone: str = ""
) -> User:
    """Create a user without a mailbox. `domain`: says of which kind. `zone`: of their browser, if it is known here."""
    address = f"{secrets.token_hex(12)}@{domain}"
    now, time_zone = services.now(), zone if is_zone(zone) else services.time_zone
    user = User(email=address, name=name, language=language, time_zone=time_zone, created_at=now)
    session.add(user)
    session.flush()
    return user


def get_or_create_invitee(services: Services, session: Session, person: User, address: str) -> User:
    """Return the user of an address whom another user invites, created if there is none. Raises RequestRefused."""
    if not is_address(address):
        raise RequestRefused("address", address=normalize(address)[:80])
    return get_or_create_user(services, session, address, language=person.language)


def names_in_game(session: Session, game: Game, leaving: str = "") -> dict[int, str]:
    """Return the names in a game by user number, without the player of the seat that is `leaving`."""
    people = [user for row, user in occupied_seats(session, game.id) if row.seat != leaving]
    here = Deputy.game_id == game.id, Deputy.ended_at.is_(None), Deputy.agreed_at.is_not(None)
    deputies = session.scalars(select(Deputy).where(*here, Deputy.seat != leaving)).all()
    people += [*permissions.masters_of(session, game), *(session.get_one(User, row.user_id) for row in deputies)]
    return {user.id: user.name for user in people}


def check_unique_name(session: Session, game: Game, user: User, leaving: str = "") -> None:
    """Raise RequestRefused (`name_alike`) where a name of a user's choice is confusable with another in a game."""
    others = _other_names(session, game, user, leaving)
    if has_chosen_name(user):
        _raise_taken(user.name, game, others, others)


def make_unique_name(session: Session, game: Game, user: User, leaving: str = "") -> None:
    """Give a user who joins a game a unique name: one that was made for them gets a number.

    Raises RequestRefused (`name_alike`) for a name of their choice.
    """
    check_unique_name(session, game, user, leaving)
    others = _other_names(session, game, user, leaving)
    if find_confusable(user.name, others) is not None:
        near = [
            other
            for game_nearby in _games_of(session, user, lock=False)
            for other in _other_names(session, game_nearby, user)
        ]
        user.name = make_distinct(user.name, [*others, *near], LONGEST_NAME)


def rename_user(services: Services, session: Session, user: User, name: str, coming_to: Game | None = None) -> None:
    """Call a person otherwise, everywhere.

    `coming_to`: a locked table at which they are about to sit. Raises RequestRefused where the name would be taken for
    another's there, or at a table of theirs (`name_alike`), or where `check_name` refuses it.
    """
    check_name(services, name)
    tables = [coming_to] if coming_to is not None else []
    tables += _games_of(session, user, lock=coming_to is None)
    names_by_game = [(game, _other_names(session, game, user)) for game in tables]
    everybody = [other for _, others in names_by_game for other in others]
    for game, others in names_by_game:
        _raise_taken(name, game, others, everybody)
    user.name = name


def _raise_taken(name: str, game: Game, others: Collection[str], everybody: Collection[str]) -> None:
    other = find_confusable(name, others)
    if other is not None:
        would = make_distinct(name, everybody, LONGEST_NAME)
        raise RequestRefused("name_alike", name=name, other=other, table=game.title, would=would)


def _other_names(session: Session, game: Game, user: User, leaving: str = "") -> list[str]:
    """Where names are hidden they can be mistaken for no others, and a refusal would tell who is there."""
    if hides_names(game):
        return []
    return [name for number, name in names_in_game(session, game, leaving).items() if number != user.id]


def _games_of(session: Session, user: User, *, lock: bool) -> list[Game]:
    """The games that are not over at which a person is; locked in one order, so that nobody waits for another."""
    ids = set(session.scalars(select(SeatRow.game_id).where(SeatRow.user_id == user.id)))
    ids |= set(session.scalars(select(Game.id).where(Game.host_id == user.id)))
    ids |= set(session.scalars(select(Master.game_id).where(Master.user_id == user.id)))
    ids |= set(session.scalars(select(Deputy.game_id).where(Deputy.user_id == user.id, Deputy.ended_at.is_(None))))
    games = [lock_game(session, game_id) if lock else session.get(Game, game_id) for game_id in sorted(ids)]
    return [
        game for game in games if game is not None and game.state in LIVE and user.id in names_in_game(session, game)
    ]


T = TypeVar("T")
SESSION, MUTE, FORM = "session", "mute", "form"
SESSION_MS = 30 * 24 * 3_600_000
BOUNCED_MS = 7 * 24 * 3_600_000
"""How long the pages say that emails to a person came back."""


@dataclass(frozen=True)
class Person:
    """A person who is signed in.  `has_bounced`: emails to them have come back lately."""

    id: int
    address: str
    name: str
    language: str
    zone: str
    muted: bool
    has_bounced: bool = False

    @property
    def email_verified(self) -> bool:
        """Return True if they came by an email to their address; without it they play at one table, and nothing else.

        Nobody is ever signed in as the owner of an address that they only named.
        """
        return can_receive_email(self.address)

    @property
    def is_guest(self) -> bool:
        """Return True if they have nothing here but a practice table."""
        return is_guest(self.address)

    @property
    def is_unverified(self) -> bool:
        """Return True if they have a seat by a table's link, and nothing else until they verify an address."""
        return is_unverified(self.address)


def to_user(user: User, now: int = 0) -> Person:
    """Return a user as the pages know them. `now`: without it, bounced emails are not mentioned."""
    lately = user.bounced_at is not None and now - user.bounced_at < BOUNCED_MS and now > 0
    return Person(user.id, user.email, user.name, user.language, user.time_zone, user.muted_at is not None, lately)


# --- sessions of the pages


def open_session(services: Services, user_id: int, zone: str = "") -> str:
    """Begin a session; what is returned is for the visitor's cookie alone. `zone`: of the browser."""
    with services.db.transaction() as session:
        adopt_zone(services, session, session.get_one(User, user_id), zone)
        return create_capability(session, SESSION, services.now(), lasting_ms=SESSION_MS, user_id=user_id)


def adopt_zone(services: Services, session: Session, user: User, zone: str) -> None:
    """Let a user who comes for the first time, and has chosen no time zone yet, read in that of their browser."""
    if not is_zone(zone) or user.time_zone != services.time_zone:
        return
    before = Capability.purpose == SESSION, Capability.user_id == user.id
    if session.scalar(select(Capability.hash).where(*before).limit(1)) is None:
        user.time_zone = zone


_OPENED = select(Capability, User).join(User, Capability.user_id == User.id).where(Capability.hash == bindparam("hash"))


def user_of_session(services: Services, token: str) -> Person | None:
    """Return the user of a session, while it lasts."""
    if not is_token(token):
        return None
    with services.db.snapshot() as session:
        row = session.execute(_OPENED, {"hash": token_hash(SESSION, token)}).one_or_none()
        if row is None or not is_valid(row[0], services.now()):
            return None
        return to_user(row[1], services.now())


def close_session(services: Services, token: str) -> None:
    """End a session; a copy of its cookie opens nothing from here on."""
    with services.db.transaction() as session:
        revoke_capabilities(session, services.now(), Capability.hash == token_hash(SESSION, token))


# --- how one reads


def set_language(services: Services, user_id: int, language: str) -> None:
    """Set the language of a user's pages and emails; an unknown one changes nothing."""
    if language in LANGUAGES:
        with services.db.transaction() as session:
            session.get_one(User, user_id).language = language


def update_profile(services: Services, user_id: int, *, name: str, zone: str) -> bool:
    """Change how one is called and in which zone deadlines are told; False, and no change, if either cannot stand.

    Raises RequestRefused (`name_alike`) for a name that is taken for another's at one of their tables, or where
    `check_name` refuses it.
    """
    wanted = to_name(name, LONGEST_NAME)
    if not skeleton(wanted) or has_web_address(wanted) or not is_zone(zone):
        return False
    with services.db.transaction() as session:
        user = session.get_one(User, user_id)
        if wanted != user.name:
            rename_user(services, session, user, wanted)
        user.time_zone = zone
    return True


def is_zone(zone: str) -> bool:
    """Return True if this names a time zone that is known here."""
    try:
        return bool(zone) and len(zone) <= 64 and ZoneInfo(zone).key == zone
    except (KeyError, ValueError, OSError):
        return False


# --- emails, or none


def set_muted(services: Services, user_id: int, on: bool) -> None:
    """Stop the emails of all tables to a person, or let them go again."""
    with services.db.transaction() as session:
        session.get_one(User, user_id).muted_at = services.now() if on else None


def create_unsubscribe_token(services: Services, session: Session, user: User) -> None:
    """Create the capability to stop a user's emails, once.

    Every email to them has it, so it is stored, encrypted under the view key.
    """
    if user.unsubscribe_token_ciphertext is not None:
        return
    token = create_capability(session, MUTE, services.now(), user_id=user.id)
    user.unsubscribe_token_ciphertext = services.view_keys.view.encrypt(MUTE, str(user.id).encode(), token.encode())


def load_unsubscribe_token(services: Services, user: User) -> str:
    """Load the token of `create_unsubscribe_token`; empty if there is none yet."""
    if user.unsubscribe_token_ciphertext is None:
        return ""
    return services.view_keys.view.decrypt(MUTE, str(user.id).encode(), user.unsubscribe_token_ciphertext).decode()


def user_of_unsubscribe_token(services: Services, token: str) -> Person | None:
    """Return the user whose emails a link would stop."""
    with services.db.snapshot() as session:
        row = find_capability(session, MUTE, token, services.now())
        user = session.get(User, row.user_id) if row is not None and row.user_id else None
        return to_user(user) if user is not None else None


# --- a form acts once


def form_id(*parts: str) -> str:
    """Return the id of the form that a request stands for: equal parts make the same form."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest)[:LENGTH]


def claim_form(services: Services, form: str) -> bool:
    """Return True if this form is sent for the first time; a second sending of the same one gets False.

    It is one statement, so that of two sendings at the same moment one gets True, on PostgreSQL as well.
    """
    if not is_token(form):
        return False
    with services.db.transaction() as session:
        return insert_ignore(
            session, Capability.hash, hash=token_hash(FORM, form), purpose=FORM, created_at=services.now()
        )


def run_once_per_form(services: Services, form: str, act: Callable[[], T]) -> T | None:
    """Do something for the first sending of a form; None for a second one.  Where it fails the form is as unsent."""
    if not claim_form(services, form):
        return None
    try:
        return act()
    except Exception:
        with services.db.transaction() as session:
            session.execute(delete(Capability).where(Capability.hash == token_hash(FORM, form)))
        raise


# --- how reliable a person is


_COUNTED = (
    select(User)
    .where(User.id.in_(bindparam("users", expanding=True)))
    .order_by(User.id)
    .with_for_update()
    .execution_options(populate_existing=True)
)


def lock_for_statistics(session: Session, users: Sequence[int]) -> Sequence[User]:
    """People of whom something is counted: locked until the transaction ends, and as they stand now."""
    asked = tuple(sorted(users))
    if sees_one_moment(session):
        return [session.get_one(User, number) for number in asked]  # who sits in a game was read with it
    return read_once(session, User, asked, lambda: session.scalars(_COUNTED, {"users": asked}).all())


def reliability(user: User) -> tuple[int, int, int, int]:
    """Return the turns asked of a user, those on time, games begun, games finished."""
    return user.turns_asked, user.turns_on_time, user.games_begun, user.games_finished
