"""Tables before they begin: made, opened, invited to, found, joined; and seats of others that look for a player."""

from collections.abc import Sequence

from engine.kernel.rules import Meta
from pbem.service.base.calendar import Schedule
from pbem.service.base.parts import Part
from pbem.service.base.services import Refused
from pbem.service.pages import game_pages
from pbem.service.seats import (
    applications,
    bots,
    forming,
    open_tables,
    rematch,
    spectators,
    substitutes,
    table_links,
    tables,
)
from pbem.web import deadline_form
from pbem.web.api import shapes, shapes_records
from pbem.web.api import shapes_tables as s
from pbem.web.api.acting import done, once, outcome_of, refusal
from pbem.web.api.guard import Call
from pbem.web.api.problems import Trouble


def _part(call: Call) -> Part:
    """The part of a list that is asked for."""
    return Part(call.query(shapes_records.Onward).leave_out)


def rules(call: Call) -> s.RulesList:
    """The games that a table can be made of."""
    return s.RulesList([_title(call, meta) for meta in game_pages.games(call.visit.services)])


def _title(call: Call, meta: Meta) -> s.RulesShape:
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
    phases = [s.Phase(topic.asks, topic.words.printed(language).capitalize()) for topic in meta.topics]
    return s.RulesShape(meta.name, meta.version, meta.title.printed(language), list(meta.seats), options, phases)


# --- making


def create(call: Call) -> shapes.Done:
    """Make a table; you take its first seat."""
    asked, services = call.sent(s.NewTable), call.visit.services
    timing = _timing(call, asked)

    def act() -> str:
        return tables.create(services, call.user, asked.rules, asked.title, asked.players, asked.options, None, timing)

    try:
        game = once(call, "tables", act)
    except Refused as refused:
        raise refusal(call, refused) from None
    return outcome_of(game is not None or None, game)


def _timing(call: Call, asked: s.NewTable) -> Schedule | None:
    """The schedule that was asked for, by the same rules as of the page's form; raises Trouble."""
    meta = next((m for m in game_pages.games(call.visit.services) if m.name == asked.rules), None)
    if meta is None or asked.deadlines is None:
        return None
    given = asked.deadlines
    unknown = sorted(set(given.phases) - {topic.asks for topic in meta.topics})
    if unknown:
        raise Trouble("refused", why=call.visit.say("pace.wrong", field=unknown[0][:80]))
    try:
        return deadline_form.chosen(
            _fields(given), [str(day) for day in given.days], meta, given.hours or None, call.visit.zone
        )
    except deadline_form.Wrong as wrong:
        field = call.visit.say(f"pace.{wrong.name}")
        raise Trouble("refused", why=call.visit.say("pace.wrong", field=field)) from None


def _fields(given: s.Pacing) -> dict[str, str]:
    """As the fields of the page's form are written."""
    plain = {name: str(getattr(given, name)) for name in ("grace", "linger", "spare", "excuses", "misses", "missed")}
    return {
        **plain,
        "clock": given.clock or "",
        "free": " ".join(day.isoformat() for day in given.free),
        "remind": " ".join(map(str, given.remind)),
        "bank": str(given.bank) if given.bank is not None else "",
        **{f"h.{asks}": str(hours) for asks, hours in given.phases.items()},
    }


def invite(call: Call) -> shapes.Done:
    """Invite to the free seats."""
    addresses = call.sent(s.Inviting).addresses
    return done(call, "invite", lambda: tables.invite(call.visit.services, call.game, call.user, addresses))


def publish(call: Call) -> shapes.Done:
    """Open your table to everybody here, or close it again."""
    return done(call, "open", lambda: open_tables.settle(call.visit.services, call.game, call.sent(s.Publishing).open))


def seat_bots(call: Call) -> shapes.Done:
    """Give free seats of your table to bots."""
    asked, services = call.sent(s.SeatingBots), call.visit.services
    return done(call, "bots", lambda: bots.seat(services, call.game, call.user, asked.pace, asked.count))


def make_link(call: Call) -> s.TableLink:
    """Make a link to your table; the one before opens nothing any more."""
    services = call.visit.services
    made = done(call, "link", lambda: table_links.make(services, call.game, call.user))
    return s.TableLink(made.outcome, call.game, table_links.link(services, call.game))


def end_link(call: Call) -> shapes.Done:
    """Revoke the link to your table."""
    return done(call, "end_link", lambda: table_links.end(call.visit.services, call.game, call.user))


def cancel(call: Call) -> shapes.Done:
    """Give up your table before it begins."""
    return done(call, "cancel", lambda: tables.cancel(call.visit.services, call.game, call.user))


def once_more(call: Call) -> shapes.Done:
    """Ask the people of a game that is over to a new table; you are its host."""
    services = call.visit.services
    try:
        made = once(call, f"{call.game}/rematch", lambda: rematch.begin(services, call.user, call.game))
    except Refused as refused:
        raise refusal(call, refused) from None
    return outcome_of(made is not None or None, made)


# --- finding and joining


def waiting(call: Call) -> s.Forming:
    """A table that has not begun."""
    services = call.visit.services
    found = game_pages.forming(services, call.user, call.game)
    return _forming(call, found, found.free, is_open=open_tables.is_open(services, call.game))


def _forming(call: Call, found: forming.Forming, free: int, *, is_open: bool) -> s.Forming:
    return s.Forming(
        found.game,
        found.meta.name,
        found.meta.title.printed(call.visit.language),
        found.title,
        found.state,
        found.host,
        found.options,
        found.hours,
        found.seed_digest,
        [_guest(chair) for chair in found.chairs],
        free,
        is_open,
    )


def _guest(chair: forming.Chair) -> s.Guest:
    record = s.Reliability(*chair.record) if chair.record is not None else None
    return s.Guest(chair.name or None, chair.invited or None, chair.taken, record, chair.bot)


def accept(call: Call) -> shapes.Done:
    """Take the seat to which you are invited."""
    words = call.sent(s.Accepting).words
    return done(call, "accept", lambda: tables.join_signed_in(call.visit.services, call.user, call.game, words))


def looking(call: Call) -> s.OpenTables:
    """Tables that look for players."""
    found = open_tables.offers(call.visit.services, call.user, _part(call))
    shown = [
        s.OpenTable(_forming(call, one.table, one.free, is_open=True), one.approves, one.asked) for one in found.rows
    ]
    return s.OpenTables(shown, found.onward)


def sit_down(call: Call) -> shapes.Done:
    """Take a free seat of an open table."""
    asked = call.sent(s.Sitting)
    services = call.visit.services
    return done(call, "sit", lambda: open_tables.join(services, call.user, asked.game, asked.words), asked.game)


def ask_no_more(call: Call) -> shapes.Done:
    """Ask no more for a seat of a table whose master decides."""
    game, services = call.sent(s.AtTable).game, call.visit.services
    return done(call, "ask_no_more", lambda: applications.withdraw(services, call.user, game), game)


# --- seats that look for a player


def vacancies(call: Call) -> s.Vacancies:
    """Seats of running games that look for a player."""
    found = substitutes.offers(call.visit.services, _part(call))
    shown = [
        s.Vacancy(one.game, one.rules, _called(call, one.rules), one.title, one.seat, one.player, one.entry)
        for one in found.rows
    ]
    return s.Vacancies(shown, found.onward)


def _called(call: Call, title: str) -> str:
    return call.visit.services.called(title, call.visit.language)


def take(call: Call) -> shapes.Done:
    """Take one of them."""
    asked = call.sent(s.Taking)
    services = call.visit.services
    return done(
        call,
        f"take/{asked.seat}",
        lambda: substitutes.take_over(services, call.user, asked.game, asked.seat),
        asked.game,
    )


def leave(call: Call) -> shapes.Done:
    """Give your seat up: it looks for another player."""
    return done(call, "leave", lambda: substitutes.resign_signed_in(call.visit.services, call.user, call.game))


def give_back(call: Call) -> shapes.Done:
    """Give your seat back to the player who had it first."""
    return done(call, "give_back", lambda: substitutes.give_back(call.visit.services, call.user, call.game))


# --- looking on


def watched_tables(call: Call) -> s.WatchedTables:
    """Where you look on, and where you could."""
    mine, free = spectators.watched_tables(call.visit.services, call.user, _part(call))
    return s.WatchedTables(_watched(call, mine), _watched(call, free.rows), free.onward)


def _watched(call: Call, found: Sequence[spectators.WatchedTable]) -> list[s.WatchedTable]:
    return [s.WatchedTable(one.game, one.rules, _called(call, one.rules), one.title, one.entry) for one in found]


def look_on(call: Call) -> shapes.Done:
    """Look on at a table, or no more."""
    asked, services = call.sent(s.Looking), call.visit.services
    act = spectators.watch if asked.looks else spectators.leave
    return done(call, "watch", lambda: act(services, call.user, asked.game), asked.game, words="watch.refused")


def spectators_of(call: Call) -> s.Spectators:
    """Who looks on at a table."""
    return s.Spectators(call.game, list(spectators.spectators_of(call.visit.services, call.game)))


def let_look(call: Call) -> shapes.Done:
    """Invite a person to watch."""
    address = call.sent(s.Letting).address
    return done(
        call,
        "watchers",
        lambda: spectators.invite(call.visit.services, call.user, call.game, address),
        words="watch.refused",
    )
