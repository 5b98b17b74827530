"""Tables before they begin: made, opened, invited to, found, joined; and seats of others that look for a player."""

from collections.abc import Sequence

from engine.kernel.rules import Meta
from pbem.service.base.calendar import DeadlinePolicy
from pbem.service.base.database_access import PageWindow
from pbem.service.base.services import RequestRefused
from pbem.service.pages import game_pages
from pbem.service.seats import (
    bots,
    game_setup,
    lobby,
    open_tables,
    spectators,
    substitutes,
    tables,
)
from pbem.web import deadline_form
from pbem.web.api import shapes, shapes_records
from pbem.web.api import shapes_tables as s
from pbem.web.api.acting import execute, execute_once, to_outcome, to_problem
from pbem.web.api.guard import ApiRequest
from pbem.web.api.problems import ApiProblem


def _page(call: ApiRequest) -> PageWindow:
    """The part of a list that is asked for."""
    return PageWindow(call.query(shapes_records.PageQuery).leave_out)


def list_game_types(call: ApiRequest) -> s.RulesList:
    """The games that a table can be made of."""
    return s.RulesList([_to_rules_shape(call, meta) for meta in game_pages.list_games(call.visit.services)])


def _to_rules_shape(call: ApiRequest, meta: Meta) -> s.RulesShape:
    language = call.visit.language
    options = [
        s.Option(
            option.name,
            option.title.printed(language),
            option.default,
            [s.OptionChoice(value, words.printed(language)) for value, words in option.values.items()],
        )
        for option in meta.options
    ]
    phases = [s.Phase(topic.key, topic.words.printed(language).capitalize()) for topic in meta.topics]
    return s.RulesShape(meta.name, meta.version, meta.title.printed(language), list(meta.seats), options, phases)


# --- making


def create_game(call: ApiRequest) -> shapes.ActionResult:
    """Make a table; you take its first seat."""
    asked, services = call.sent(s.NewTable), call.visit.services
    timing = _parse_deadlines(call, asked)

    def act() -> str:
        return tables.create(services, call.user, asked.rules, asked.title, asked.players, asked.options, None, timing)

    try:
        game = execute_once(call, act)
    except RequestRefused as refused:
        raise to_problem(call, refused) from None
    return to_outcome(game is not None or None, game)


def _parse_deadlines(call: ApiRequest, asked: s.NewTable) -> DeadlinePolicy | None:
    """The schedule that was asked for, by the same rules as of the page's form; raises ApiProblem."""
    meta = next((m for m in game_pages.list_games(call.visit.services) if m.name == asked.rules), None)
    if meta is None or asked.deadlines is None:
        return None
    given = asked.deadlines
    unknown = sorted(set(given.phases) - {topic.key for topic in meta.topics})
    if unknown:
        raise ApiProblem("refused", why=call.visit.translate("deadline_form.wrong", field=unknown[0][:80]))
    try:
        return deadline_form.parse(
            _deadline_fields(given), [str(day) for day in given.days], meta, given.hours or None, call.visit.zone
        )
    except deadline_form.FieldError as wrong:
        field = call.visit.translate(f"deadline_form.{wrong.name}")
        raise ApiProblem("refused", why=call.visit.translate("deadline_form.wrong", field=field)) from None


def _deadline_fields(given: s.DeadlineSettings) -> dict[str, str]:
    """As the fields of the page's form are written."""
    plain = {
        name: str(getattr(given, name))
        for name in ("grace", "linger", "delay_hours", "excused_misses", "max_misses", "on_missed")
    }
    return {
        **plain,
        "clock": given.clock or "",
        "free": " ".join(day.isoformat() for day in given.free),
        "reminder_hours": " ".join(map(str, given.reminder_hours)),
        "time_bank": str(given.time_bank) if given.time_bank is not None else "",
        **{f"h.{asks}": str(hours) for asks, hours in given.phases.items()},
    }


def send_invitations(call: ApiRequest) -> shapes.ActionResult:
    """Invite to the free seats."""
    addresses = call.sent(s.InvitationRequest).addresses
    return execute(call, lambda: tables.invite(call.visit.services, call.game, call.user, addresses))


def set_open(call: ApiRequest) -> shapes.ActionResult:
    """Open your table to everybody here, or close it again."""
    return execute(call, lambda: open_tables.set_open(call.visit.services, call.game, call.sent(s.PublishRequest).open))


def seat_bots(call: ApiRequest) -> shapes.ActionResult:
    """Give free seats of your table to bots."""
    asked, services = call.sent(s.BotsRequest), call.visit.services
    return execute(call, lambda: bots.seat_bots(services, call.game, call.user, asked.pace, asked.count))


def create_link(call: ApiRequest) -> s.TableLink:
    """Make a link to your table; the one before opens nothing any more."""
    services = call.visit.services
    made = execute(call, lambda: open_tables.create_link(services, call.game, call.user))
    return s.TableLink(made.outcome, call.game, open_tables.get_link(services, call.game))


def revoke_link(call: ApiRequest) -> shapes.ActionResult:
    """Revoke the link to your table."""
    return execute(call, lambda: open_tables.revoke_link(call.visit.services, call.game, call.user))


def cancel_game(call: ApiRequest) -> shapes.ActionResult:
    """Give up your table before it begins."""
    return execute(call, lambda: tables.cancel_game(call.visit.services, call.game, call.user))


def create_rematch(call: ApiRequest) -> shapes.ActionResult:
    """Ask the people of a game that is over to a new table; you are its host."""
    services = call.visit.services
    try:
        made = execute_once(call, lambda: game_setup.create_rematch(services, call.user, call.game))
    except RequestRefused as refused:
        raise to_problem(call, refused) from None
    return to_outcome(made is not None or None, made)


# --- finding and joining


def get_lobby(call: ApiRequest) -> s.Lobby:
    """A table that has not begun."""
    services = call.visit.services
    found = game_pages.load_lobby_page(services, call.user, call.game)
    return _to_lobby(call, found, found.free_seats, is_open=open_tables.is_open(services, call.game))


def _to_lobby(call: ApiRequest, found: lobby.Lobby, free: int, *, is_open: bool) -> s.Lobby:
    return s.Lobby(
        found.game,
        found.meta.name,
        found.meta.title.printed(call.visit.language),
        found.title,
        found.state,
        found.host,
        found.options,
        found.hours,
        found.seed_digest,
        [_to_seat(chair) for chair in found.seats],
        free,
        is_open,
    )


def _to_seat(chair: lobby.LobbySeat) -> s.LobbySeat:
    record = s.Reliability(*chair.record) if chair.record is not None else None
    return s.LobbySeat(chair.name or None, chair.invited_email or None, chair.is_taken, record, chair.is_bot)


def accept_invitation(call: ApiRequest) -> shapes.ActionResult:
    """Take the seat to which you are invited."""
    words = call.sent(s.AcceptRequest).words
    return execute(call, lambda: tables.join_signed_in(call.visit.services, call.user, call.game, words))


def list_open_tables(call: ApiRequest) -> s.OpenTables:
    """Tables that look for players."""
    found = open_tables.list_open(call.visit.services, call.user, _page(call))
    shown = [
        s.OpenTable(_to_lobby(call, one.table, one.free, is_open=True), one.approves, one.asked) for one in found.rows
    ]
    return s.OpenTables(shown, found.next_offset)


def join_open_table(call: ApiRequest) -> shapes.ActionResult:
    """Take a free seat of an open table."""
    asked = call.sent(s.JoinRequest)
    services = call.visit.services
    return execute(
        call,
        lambda: open_tables.join_table(services, call.user, asked.game, asked.words),
        asked.game,
    )


def withdraw_application(call: ApiRequest) -> shapes.ActionResult:
    """Withdraw your application for a seat; raises ApiProblem if there is none."""
    game, services = call.at["table"], call.visit.services

    def act() -> None:
        if not lobby.withdraw_application(services, call.user, game):
            raise ApiProblem("not_found")

    return execute(call, act, game)


# --- seats that look for a player


def list_open_seats(call: ApiRequest) -> s.OpenSeats:
    """Seats of running games that look for a player."""
    found = substitutes.list_open_seats(call.visit.services, _page(call))
    shown = [
        s.OpenSeat(one.game, one.rules, _rules_title(call, one.rules), one.title, one.seat, one.player, one.entry)
        for one in found.rows
    ]
    return s.OpenSeats(shown, found.next_offset)


def _rules_title(call: ApiRequest, title: str) -> str:
    return call.visit.services.game_title(title, call.visit.language)


def take_seat(call: ApiRequest) -> shapes.ActionResult:
    """Take one of them."""
    asked = call.sent(s.TakeSeatRequest)
    services = call.visit.services
    return execute(
        call,
        lambda: substitutes.take_over(services, call.user, asked.game, asked.seat),
        asked.game,
        about=asked.seat,
    )


def resign_seat(call: ApiRequest) -> shapes.ActionResult:
    """Give your seat up: it looks for another player."""
    return execute(call, lambda: substitutes.offer_own_seat(call.visit.services, call.user, call.game))


def return_seat(call: ApiRequest) -> shapes.ActionResult:
    """Give your seat back to the player who had it first."""
    return execute(call, lambda: substitutes.return_seat(call.visit.services, call.user, call.game))


# --- looking on


def list_followed_games(call: ApiRequest) -> s.FollowedGames:
    """Where you look on, and where you could."""
    mine, free = spectators.list_followed(call.visit.services, call.user, _page(call))
    return s.FollowedGames(_to_followed(call, mine), _to_followed(call, free.rows), free.next_offset)


def _to_followed(call: ApiRequest, found: Sequence[spectators.FollowedGame]) -> list[s.FollowedGame]:
    return [s.FollowedGame(one.game, one.rules, _rules_title(call, one.rules), one.title, one.entry) for one in found]


def follow_game(call: ApiRequest) -> shapes.ActionResult:
    """Look on at a table, or no more."""
    asked, services = call.sent(s.FollowRequest), call.visit.services
    act = spectators.follow if asked.looks else spectators.unfollow
    return execute(call, lambda: act(services, call.user, asked.game), asked.game, words="spectating.refused")


def list_spectators(call: ApiRequest) -> s.Spectators:
    """Who looks on at a table."""
    return s.Spectators(call.game, list(spectators.load_spectators(call.visit.services, call.game)))


def invite_spectator(call: ApiRequest) -> shapes.ActionResult:
    """Invite a person to watch."""
    address = call.sent(s.SpectatorInvitation).address
    return execute(
        call,
        lambda: spectators.invite(call.visit.services, call.user, call.game, address),
        words="spectating.refused",
    )
