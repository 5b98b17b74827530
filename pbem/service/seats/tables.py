"""Tables: people, games, invitations, and joining, until the last seat is taken."""

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.languages import DEFAULT
from engine.kernel.options import BY_BEACON, DRAWS
from pbem.archive.entries import BEACON, ORDERS
from pbem.common import confusables
from pbem.common.addresses import (
    can_receive_email,
    is_address,
    is_unverified,
    normalize,
)
from pbem.common.states import GATHERING, GameState
from pbem.common.text import has_web_address, to_name, to_one_line
from pbem.crypto import token_hash
from pbem.crypto.tokens import ALPHABET
from pbem.narration.facts import EmailContext, InvitationFacts, JoinedFacts, Links, NoticeFacts, Reader
from pbem.service.access import mail_preferences, users
from pbem.service.access.capabilities import create_capability, is_valid
from pbem.service.access.permissions import Permission, add_master, has_permission
from pbem.service.base import limits
from pbem.service.base.calendar import DeadlinePolicy
from pbem.service.base.services import ParsedEmail, RequestRefused, Services
from pbem.service.base.wording import parse_consent
from pbem.service.mail import assembly
from pbem.service.mail.outbox import enqueue
from pbem.service.seats import lobby
from pbem.service.seats.lobby import JOIN
from pbem.store.erasure import delete_games_and_users
from pbem.store.games import (
    find_seat_of_user,
    load_game,
    load_seat,
    load_seats,
    lock_game,
    occupied_seats,
    reload,
    wants_hidden_names,
)
from pbem.store.models import Bot, Capability, Game, SeatRow, User

INVITED_MS = 30 * 24 * 3_600_000
LONGEST_DEADLINE_H = 90 * 24
LONGEST_TITLE = 60


def _email_context(services: Services, session: Session, user: User, game: Game, links: Links) -> EmailContext:
    table = assembly.load_table_facts(session, game)
    return EmailContext(Reader(user.name, user.language, user.time_zone), table, links, services.now() // 1000)


# --- tables


def create(
    services: Services,
    host: int | Callable[[Session], int],
    title: str,
    name: str,
    players: int,
    options: Mapping[str, str],
    deadline_hours: int | None = None,
    timing: DeadlinePolicy | None = None,
    also: Callable[[Session, Game], None] = lambda session, game: None,
) -> str:
    """Create a game and seat its host. Return its id. Raises RequestRefused. A resolver then creates its keys.

    `host`: a user, or what creates one in the same transaction; the caller has checked the rate limit.
    `also`: what else is done in the transaction. `timing`: a schedule in place of `deadline_hours`.
    """
    if isinstance(host, int) and not users.may_open_tables(services, host):
        raise RequestRefused("tables_closed")
    if timing is not None and timing.usual is not None:
        deadline_hours = timing.usual.hours
    rules = services.installed.get(title)
    if rules is None:
        raise RequestRefused("no_such_game", title=title)
    if players not in rules.meta.seats:
        raise RequestRefused("no_such_number_of_players", players=players)
    try:
        chosen = rules.meta.chosen(options, players)
    except ValueError:
        raise RequestRefused("no_such_option") from None
    by_beacon = chosen.get(DRAWS.name) == BY_BEACON
    if by_beacon and not services.beacon:
        raise RequestRefused("no_such_option")
    short_name = to_name(name, LONGEST_TITLE)
    if not short_name:
        raise RequestRefused("table_needs_a_name")
    if has_web_address(short_name):
        raise RequestRefused("web_address")
    users.check_words(services, short_name)
    if deadline_hours is not None and not 1 <= deadline_hours <= LONGEST_DEADLINE_H:
        raise RequestRefused("hours", most=LONGEST_DEADLINE_H)
    game_id = "".join(ALPHABET[byte % len(ALPHABET)] for byte in services.random_bytes(12))
    if isinstance(host, int) and limits.is_exceeded(services, "tables", str(host)):
        raise limits.rate_limit_error(services)
    with services.db.transaction() as session:
        now, host_id = services.now(), host if isinstance(host, int) else host(session)
        game = Game(
            id=game_id,
            rules=title,
            title=short_name,
            options=dict(chosen),
            state=GameState.CREATED,
            host_id=host_id,
            entry=0,
            deadline_hours=deadline_hours,
            schedule=timing.to_json() if timing else {},
            created_at=now,
            rules_version=rules.meta.version,
            draw_mixing=BEACON if by_beacon else ORDERS,
            resolve_requested_at=now,
            resolve_attempts=0,
        )
        session.add(game)
        for number in range(players):
            session.add(SeatRow(game_id=game_id, seat=f"s{number + 1}", last_report_entry=0, seed_words=""))
        session.flush()
        add_master(session, game, host_id, now)
        _seat_user(services, load_seats(session, game_id)[0], host_id, "")
        also(session, game)
    services.enqueue("resolve_game", game_id)
    return game_id


def invite(services: Services, game_id: str, host_id: int, addresses: Sequence[str], *, again: bool = False) -> int:
    """Note whom to invite on the free seats; the emails go out once the seed's digest stands.  Returns how many.

    `again`: they are players of an earlier table, whose addresses the host does not know.
    """
    with services.db.snapshot() as session:
        game, _, wanted = _plan_invitations(services, session, load_game(session, game_id), host_id, addresses)
        for address in wanted:
            mail_preferences.check_invitation(services, session, game, session.get_one(User, host_id), address)
    with services.db.transaction() as session:
        game, free, wanted = _plan_invitations(services, session, lock_game(session, game_id), host_id, addresses)
        for row, address in zip_longest(free, wanted):
            row.invited_email = address
            lobby.record_rematch_invitation(session, row, again=again)
        if game.state == GameState.OPEN:
            send_invitations(services, session, game)
    services.enqueue("send_outbound_emails", "")
    return len(wanted)


def _plan_invitations(
    services: Services, session: Session, game: Game | None, host_id: int, addresses: Sequence[str]
) -> tuple[Game, list[SeatRow], list[str]]:
    """The table, its free seats, and who will be invited to them; Raises RequestRefused."""
    game = load_hosted(services, session, game, host_id)
    free = lobby.free_seats(services, session, game)
    wanted = _filter_invitable(session, game, free, addresses)
    if len(wanted) > len(free):
        raise RequestRefused("table_full", free=len(free))
    return game, free, wanted


def load_hosted(services: Services, session: Session, game: Game | None, host_id: int) -> Game:
    """Return a game that has not begun, for its host. Raises RequestRefused."""
    if game is None or not has_permission(session, game, host_id, services.now(), Permission.HOST):
        raise RequestRefused("not_your_table")
    if game.state not in GATHERING:
        raise RequestRefused("table_has_begun")
    return game


def _filter_invitable(session: Session, game: Game, free: Sequence[SeatRow], addresses: Sequence[str]) -> list[str]:
    """The addresses that can be invited, each once, without those that sit here or are invited already."""
    wanted = list(dict.fromkeys(normalize(a) for a in addresses if a.strip()))
    wrong = next((a for a in wanted if not is_address(a)), None)
    if wrong is not None:
        raise RequestRefused("address", address=wrong[:80])
    here = {s.invited_email for s in load_seats(session, game.id) if s not in free}
    here |= {user.email for _, user in occupied_seats(session, game.id)}
    return [a for a in wanted if a not in here]


def send_invitations(services: Services, session: Session, game: Game) -> None:
    """Send an invitation for each invited seat that has none that is valid."""
    host = session.get(User, game.host_id)
    for row in load_seats(session, game.id):
        if row.invited_email is None or row.user_id is not None:
            continue
        if mail_preferences.has_invitation_opt_out(session, row.invited_email):
            row.invited_email = None
            continue
        user = users.get_or_create_user(
            services, session, row.invited_email, language=host.language if host else DEFAULT
        )
        invitations = lobby.load_invitations(session, row)
        if any(is_valid(token_row, services.now()) and token_row.user_id == user.id for token_row in invitations):
            continue
        key = f"{game.id}.{row.seat}.{services.now()}.{len(invitations)}.invitation"
        token = create_capability(
            session,
            JOIN,
            services.now(),
            lasting_ms=INVITED_MS,
            user_id=user.id,
            game_id=game.id,
            seat=row.seat,
        )
        links = Links(
            act=f"{services.public_url}/join/{token}",
            answer=services.reply_address(token),
            page=f"{services.public_url}/games/{game.id}",
            never=mail_preferences.invitation_opt_out_link(services, user),
        )
        facts = InvitationFacts(
            _email_context(services, session, user, game, links),
            host.name if host else "",
            len(load_seats(session, game.id)),
            str(game.seed_digest),
            game.deadline_hours or 0,
            keys_digest=services.verify.digest(),
        )
        enqueue(
            services, session, key=key, kind="invitation", facts=facts, user_id=user.id, game_id=game.id, seat=row.seat
        )


def resend_invitation(services: Services, game_id: str, host_id: int, seat: str) -> None:
    """Send the invitation to a seat once more, with a new link; the one before opens nothing. Raises RequestRefused."""
    with services.db.snapshot() as session:
        game, row = _invited_seat(services, session, load_game(session, game_id), host_id, seat)
        try:
            mail_preferences.check_invitation(
                services, session, game, session.get_one(User, host_id), str(row.invited_email)
            )
        except RequestRefused as refused:
            name = lobby.load_rematch_names(session, game_id).get(seat)
            raise RequestRefused(refused.code, **(refused.terms | ({"address": name} if name else {}))) from None
    with services.db.transaction() as session:
        game, row = _invited_seat(services, session, lock_game(session, game_id), host_id, seat)
        _revoke_invitations(services, session, row)
        if game.state == GameState.OPEN:
            send_invitations(services, session, game)
    services.enqueue("send_outbound_emails", "")


def revoke_invitation(services: Services, game_id: str, host_id: int, seat: str) -> None:
    """Take an invitation back: its link opens nothing, and the seat is free. Raises RequestRefused."""
    with services.db.transaction() as session:
        _, row = _invited_seat(services, session, lock_game(session, game_id), host_id, seat)
        _revoke_invitations(services, session, row)
        row.invited_email = None


def _invited_seat(
    services: Services, session: Session, game: Game | None, host_id: int, seat: str
) -> tuple[Game, SeatRow]:
    hosted = load_hosted(services, session, game, host_id)
    row = load_seat(session, hosted.id, seat)
    if row is None or row.user_id is not None or row.invited_email is None:
        raise RequestRefused("invitation_over")
    return hosted, row


def _revoke_invitations(services: Services, session: Session, row: SeatRow) -> None:
    for invitation in lobby.load_invitations(session, row):
        invitation.revoked_at = invitation.revoked_at or services.now()


def cancel_game(services: Services, game_id: str, host_id: int) -> None:
    """Give up a table that has not begun: who sits there is told, and nothing of it is kept. Raises RequestRefused."""
    with services.db.transaction() as session:
        cancel_game_in(services, session, load_hosted(services, session, lock_game(session, game_id), host_id))
    services.enqueue("send_outbound_emails", "")


def cancel_game_in(services: Services, session: Session, game: Game) -> None:
    """Do the same in a transaction that has locked the game; nothing that was read of it may be used afterwards."""
    game_id, host = game.id, session.get_one(User, game.host_id)
    for row, user in occupied_seats(session, game_id):
        if user.id != host.id and can_receive_email(user.email):
            facts = NoticeFacts(
                _email_context(services, session, user, game, Links()), "cancelled", {"name": host.name}
            )
            key = f"{game_id}.{row.seat}.cancelled"
            enqueue(services, session, key=key, kind="notice", facts=facts, user_id=user.id)
    gone = {user.id for _, user in occupied_seats(session, game_id) if is_unverified(user.email)}
    gone |= set(session.scalars(select(Bot.user_id).where(Bot.game_id == game_id)))
    session.flush()
    delete_games_and_users(session, [game_id], sorted(gone))


def free_seat(row: SeatRow) -> None:
    """Let nobody sit on a seat of a table that has not begun."""
    row.user_id, row.joined_at, row.seed_words, row.seed_nonce = None, None, "", None


def _seat_user(services: Services, row: SeatRow, user_id: int, words: str) -> None:
    row.user_id, row.invited_email, row.joined_at = user_id, None, services.now()
    row.seed_words, row.seed_nonce = to_one_line(words, 200), services.random_bytes(16)


def join(services: Services, token: str, words: str = "", name: str = "", zone: str = "") -> str:
    """Take the seat that an invitation offers; the game's id. `zone`: of the browser. Raises RequestRefused."""
    with services.db.transaction() as session:
        row = session.get(Capability, token_hash(JOIN, token))
        if row is None or row.game_id is None:
            raise RequestRefused("invitation_over")
        game = lock_game(session, row.game_id)
        if game is None:
            raise RequestRefused("invitation_over")
        _take_seat(services, session, game, reload(session, row), words, name)
        if row.user_id is not None:
            users.adopt_zone(services, session, session.get_one(User, row.user_id), zone)
    lobby.enqueue_jobs(services, game.id)
    return game.id


def join_signed_in(services: Services, user_id: int, game_id: str, words: str = "") -> None:
    """Take the seat to which a signed-in person, who hence reads the address, is invited. Raises RequestRefused."""
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        own = Capability.purpose == JOIN, Capability.game_id == game_id, Capability.user_id == user_id
        row = next(
            (row for row in session.scalars(select(Capability).where(*own)) if is_valid(row, services.now())), None
        )
        if game is None or row is None:
            raise RequestRefused("invitation_over")
        _take_seat(services, session, game, row, words, "")
    lobby.enqueue_jobs(services, game_id)


def join_by_letter(services: Services, session: Session, game: Game, row: Capability, letter: ParsedEmail) -> str:
    """Take or decline a seat by an answer to its invitation; the words that follow the yes go into the deal.

    The notice that tells why nothing came of it; empty where something did. Raises RequestRefused (`name_alike`).
    """
    consent = parse_consent(letter.lines)
    if consent.accepts is None:
        return "deputy_unclear"
    if not consent.accepts:
        _decline(services, session, game, row)
        return ""
    try:
        _take_seat(services, session, game, row, consent.words[:200], "")
    except RequestRefused as refused:
        if refused.code == "name_alike":
            raise
        return "invitation_over"
    return ""


def decline_invitations(services: Services, session: Session, game: Game, user: User) -> None:
    """Decline what a person was invited to at a locked table."""
    for seat in load_seats(session, game.id):
        if seat.user_id is None and seat.invited_email == user.email:
            for invitation in lobby.load_invitations(session, seat):
                _decline(services, session, game, invitation)
            seat.invited_email = None


def _decline(services: Services, session: Session, game: Game, row: Capability) -> None:
    """Free the seat for another person, and tell the host."""
    row.revoked_at = row.revoked_at or services.now()
    seat = next((s for s in load_seats(session, game.id) if s.seat == row.seat and s.user_id is None), None)
    guest, host = session.get(User, row.user_id) if row.user_id else None, session.get(User, game.host_id)
    if seat is None or guest is None or host is None or seat.invited_email != guest.email:
        return
    name = lobby.load_rematch_names(session, game.id).get(seat.seat, guest.email)
    seat.invited_email = None
    frame = _email_context(services, session, host, game, Links(page=f"{services.public_url}/games/{game.id}"))
    enqueue(
        services,
        session,
        key=f"{game.id}.{seat.seat}.{guest.id}.declined",
        kind="notice",
        facts=NoticeFacts(frame, "declined", {"name": name}),
        user_id=host.id,
        game_id=game.id,
    )


def _take_seat(services: Services, session: Session, game: Game, row: Capability, words: str, name: str) -> None:
    seat = load_seat(session, game.id, row.seat)
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if seat is None or user is None or not is_valid(row, services.now()) or game.state not in GATHERING:
        raise RequestRefused("invitation_over")
    if seat.user_id is not None:
        if seat.user_id == user.id:
            return
        raise RequestRefused("invitation_over")
    if find_seat_of_user(session, game.id, user.id) is not None:
        raise RequestRefused("already_seated")
    _rename_user(services, session, game, user, to_name(name, users.LONGEST_NAME))
    take_seat(services, session, game, seat, user, words)
    row.used_at = services.now()


def _rename_user(services: Services, session: Session, game: Game, user: User, name: str) -> None:
    """Call a person as they wish, here and at their other tables; a name that shows nothing changes nothing."""
    if not confusables.skeleton(name) or name == user.name:
        return
    if has_web_address(name):
        raise RequestRefused("web_address")
    users.rename_user(services, session, user, name, coming_to=game)


def take_seat(services: Services, session: Session, game: Game, seat: SeatRow, user: User, words: str) -> None:
    """Give a free seat to a person and welcome them; with the last seat the game begins. Raises RequestRefused."""
    users.make_unique_name(session, game, user)
    _seat_user(services, seat, user.id, words)
    _enqueue_welcome(services, session, game, seat, user)
    start_if_full(services, session, game)


def pass_seat(services: Services, session: Session, game: Game, seat: SeatRow, user: User) -> None:
    """Give a seat before the game begins to another person; of the guest who held it nothing stays.

    Raises RequestRefused (`name_alike`) before anything is done.
    """
    guest = session.get_one(User, seat.user_id)
    users.make_unique_name(session, game, user, leaving=seat.seat)
    seat.user_id = user.id
    session.flush()
    delete_games_and_users(session, [], [guest.id])
    session.expunge(guest)  # its row is gone, which the session cannot know
    _enqueue_welcome(services, session, game, seat, user)


def _enqueue_welcome(services: Services, session: Session, game: Game, seat: SeatRow, user: User) -> None:
    rows = load_seats(session, game.id)
    present = tuple(n for s in rows if s.user_id is not None and (n := _name_of(session, s.user_id)))
    missing = sum(1 for s in rows if s.user_id is None)
    frame = _email_context(services, session, user, game, Links(page=f"{services.public_url}/games/{game.id}"))
    enqueue(
        services,
        session,
        key=f"{game.id}.{seat.seat}.joined",
        kind="joined",
        facts=JoinedFacts(frame, present, missing),
        user_id=user.id,
        game_id=game.id,
        seat=None if wants_hidden_names(game) else seat.seat,  # which is drawn later
    )


def _name_of(session: Session, user_id: int) -> str:
    user = session.get(User, user_id)
    return user.name if user is not None else ""


def start_if_full(services: Services, session: Session, game: Game) -> None:
    """Let the game begin if every seat is taken."""
    if game.state == GameState.OPEN and all(s.user_id is not None for s in load_seats(session, game.id)):
        if wants_hidden_names(game):
            _draw_seats(services, session, game)
        game.state = GameState.DEALING
        lobby.reject_applications(services, session, game)
        game.resolve_requested_at = services.now()


def _draw_seats(services: Services, session: Session, game: Game) -> None:
    """Let nobody know who sits where, not even the host. What each put into the deal goes along."""
    rows = load_seats(session, game.id)
    people = [(row.user_id, row.joined_at, row.seed_words, row.seed_nonce) for row in rows]
    people.sort(key=lambda _: services.random_bytes(16))
    for row, person in zip(rows, people, strict=True):
        row.user_id, row.joined_at, row.seed_words, row.seed_nonce = person
