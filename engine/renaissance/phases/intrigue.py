"""Les cartes jaunes, and Florence's privilege: cards played in the player's own turn outside battles (A1)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.kernel.orders import Order, Problem, Question
from engine.kernel.turn_chapters import Refusals
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen, draw_cards, fall_out, no_such_city, privileged, unused
from engine.renaissance.board import Board
from engine.renaissance.catalogue import (
    ARTISTS,
    BANKER,
    DOWRY,
    EMBASSY,
    FORTRESS,
    FREE,
    GARRISON,
    LOOT,
    RAMPART,
    STRENGTH,
)
from engine.renaissance.events import (
    ArtistCame,
    ArtistLured,
    BankerPaid,
    CardPlayed,
    Corrupted,
    EmbassyHeard,
    Married,
    Pillaged,
    Ruined,
)

PROBLEMS: Final = (
    "no_card",  # {card}: not in hand
    "own_city",  # {city}
    "fortress_safe",  # {city}: no die beats its walls
    "pillaged_already",  # {city} (A3)
    "no_marker_left",  # {} (A3)
    "no_walls",  # {city}: no walls to ruin
    "lured_already",  # {}: once a turn
    "not_theirs",  # {city}: free, or the player's own
    "palace_there",  # {city}
    "walls_there",  # {city}: Mariage takes only a garrison without walls
    "attacked_them",  # {seat}: attacked this turn, so no marriage
    "dowry",  # {price, ducats}
    "no_garrison_left",  # {} (A21)
    "no_palace",  # {city}: no own palace there
    "artist_there",  # {city}
    "no_artist_there",  # {city}: no artist of another player
    "no_artist_left",  # {}
    "banker_came",  # {city}: once a turn for each palace (A22)
    "no_privilege",  # {nation}
)
NOTES: Final = (
    "odds",  # {what: pillage, city, wins, of}: the preview presumes a win
    "unforeseen",  # {what: embassy} or {what: artist} or {what: lure}
)


def _play(table: Game, seat: Seat, kind: str) -> None:
    """Show a card and discard it; Spain's privilege replaces Pillards (A26)."""
    free = kind == "pillards" and unused(table.core.options, table.board, seat, "espagne", "pillards")
    card = "" if free else (table.board.copies(seat, (kind,)) or ("",))[0]
    table.emit(CardPlayed(seat=seat, kind=kind, card=card))


def _no_card(board: Board, seat: Seat, kind: str) -> Problem | None:
    return None if kind in board.kinds(seat) else Problem("no_card", {"card": kind})


# --- Pillards


def pillage(table: Game, seat: Seat, order: o.Pillage) -> None:
    """Pillards, A3  Roll a die that must beat the walls; a free city needs none, and terrain does not count."""
    board, city = table.board, table.board.cities[order.city]
    needs = STRENGTH[city.level] + 1
    _play(table, seat, "pillards")
    throw = 0
    if table.trial:
        table.note(Problem("odds", {"what": "pillage", "city": order.city, "wins": min(7 - needs, 6), "of": 6}))
    elif city.level != FREE:
        throw = table.roll(f"pillage/{board.turn}/{board.played}")
    won = table.trial or city.level == FREE or throw >= needs
    table.emit(
        Pillaged(
            seat=seat,
            city=order.city,
            owner=city.owner,
            throw=throw,
            needs=needs,
            won=won,
            ducats=(LOOT[city.level] or 0) if won else 0,
        )
    )


def refuse_pillage(seen: Seen, decision: Question, order: o.Pillage) -> Problem | None:
    """Pillards, A3  Require a free or enemy city that is not marked yet."""
    board, seat = seen.board, decision.seat
    if not unused(seen.core.options, board, seat, "espagne", "pillards"):
        problem = _no_card(board, seat, "pillards")
        if problem is not None:
            return problem
    problem = no_such_city(board, order.city)
    if problem is not None:
        return problem
    city = board.cities[order.city]
    if city.owner == seat:
        return Problem("own_city", {"city": order.city})
    if city.level == FORTRESS:
        return Problem("fortress_safe", {"city": order.city})
    if city.pillaged:
        return Problem("pillaged_already", {"city": order.city})
    return None if board.left("pillage") else Problem("no_marker_left")


# --- Ambassadeur


def embassy(table: Game, seat: Seat, order: o.Embassy) -> None:
    """Ambassadeur  Roll two dice: corruption, poor upkeep or help from abroad."""
    board = table.board
    _play(table, seat, "ambassadeur")
    if table.trial:
        table.note(Problem("unforeseen", {"what": "embassy"}))
        return
    name = f"embassy/{board.turn}/{board.played}"
    dice = (table.roll(f"{name}/1"), table.roll(f"{name}/2"))
    effect = next(effect for low, high, effect in EMBASSY if low <= sum(dice) <= high)
    wanted = {"corruption": order.corrupt, "upkeep": order.ruin}.get(effect, ())
    possible = {"corruption": corruptible, "upkeep": ruinable}.get(effect)
    town = next((c for c in wanted if possible is not None and possible(board, seat, c) is None), "")
    table.emit(EmbassyHeard(seat=seat, dice=dice, effect=effect, city=town))
    if effect == "help":
        draw_cards(table, seat, 2, "embassy")
    elif effect == "corruption" and town:
        _corrupt(table, seat, town, table.roll(f"{name}/corrupt"))
    elif town:
        owner = board.cities[town].owner
        assert owner is not None, "walls have an owner"
        table.emit(Ruined(seat=seat, city=town, owner=owner, level=board.level(town) - 1))


def _corrupt(table: Game, seat: Seat, town: str, throw: int) -> None:
    """Corruption, A17  Roll a die that must beat the walls; buildings stay."""
    loser = table.board.cities[town].owner
    assert loser is not None, "judged before"
    needs = STRENGTH[table.board.level(town)] + 1
    table.emit(Corrupted(seat=seat, city=town, loser=loser, throw=throw, needs=needs, won=throw >= needs))
    fall_out(table, loser)


def corruptible(board: Board, seat: Seat, town: str) -> Problem | None:
    """Corruption  Require an enemy city without a palace and not a fortress."""
    problem = no_such_city(board, town)
    if problem is not None:
        return problem
    city = board.cities[town]
    if city.owner in (None, seat):
        return Problem("not_theirs", {"city": town})
    if city.palace:
        return Problem("palace_there", {"city": town})
    if city.level == FORTRESS:
        return Problem("fortress_safe", {"city": town})
    return None if board.garrisons(seat) else Problem("no_garrison_left")


def ruinable(board: Board, seat: Seat, town: str) -> Problem | None:
    """Mauvais entretien, A18  Require a rampart or castle, which may be the player's own."""
    problem = no_such_city(board, town)
    if problem is not None:
        return problem
    return None if board.level(town) >= RAMPART else Problem("no_walls", {"city": town})


def refuse_embassy(seen: Seen, decision: Question, order: o.Embassy) -> Problem | None:
    """Ambassadeur  Require one possible city among those named; without any named, only help is hoped for."""
    board, seat = seen.board, decision.seat
    problem = _no_card(board, seat, "ambassadeur")
    if problem is not None:
        return problem
    found = [corruptible(board, seat, town) for town in order.corrupt]
    found += [ruinable(board, seat, town) for town in order.ruin]
    return found[0] if found and None not in found else None


# --- Mariage


def marry(table: Game, seat: Seat, order: o.Marry) -> None:
    """Mariage, A4  Pay two ducats to the owner, who cannot refuse, even for the last city."""
    loser = table.board.cities[order.city].owner
    assert loser is not None, "judged before"
    _play(table, seat, "mariage")
    table.emit(Married(seat=seat, city=order.city, loser=loser, paid=DOWRY))
    fall_out(table, loser)


def refuse_marry(seen: Seen, decision: Question, order: o.Marry) -> Problem | None:
    """Mariage  Require a garrison without walls of a player not attacked this turn."""
    board, seat = seen.board, decision.seat
    problem = _no_card(board, seat, "mariage") or no_such_city(board, order.city)
    if problem is not None:
        return problem
    city, power = board.cities[order.city], board.powers[seat]
    if city.owner in (None, seat):
        return Problem("not_theirs", {"city": order.city})
    if city.palace or city.level != GARRISON:
        return Problem("palace_there" if city.palace else "walls_there", {"city": order.city})
    if city.owner in power.attacked:
        return Problem("attacked_them", {"seat": city.owner})
    if power.ducats < DOWRY:
        return Problem("dowry", {"price": DOWRY, "ducats": power.ducats})
    return None if board.garrisons(seat) else Problem("no_garrison_left")


# --- Artiste ou Banquier, and Florence


def patronise(table: Game, seat: Seat, order: o.Patronise) -> None:
    """Artiste  Draw an artist blindly; Savonarole burns the palace and returns to the supply (A24)."""
    board = table.board
    _play(table, seat, "artiste_banquier")
    if table.trial:
        table.note(Problem("unforeseen", {"what": "artist"}))
        peaceful = next((a for a in board.supply if not ARTISTS[a].burns), board.supply[0])
        table.emit(ArtistCame(seat=seat, city=order.city, artist=peaceful, burnt=False))
        return
    drawn = board.supply[table.roll(f"artist/{board.turn}/{board.played}", len(board.supply)) - 1]
    table.emit(ArtistCame(seat=seat, city=order.city, artist=drawn, burnt=ARTISTS[drawn].burns))


def refuse_patronise(seen: Seen, decision: Question, order: o.Patronise) -> Problem | None:
    """Artiste  Require an own palace without an artist."""
    board, seat = seen.board, decision.seat
    problem = _no_card(board, seat, "artiste_banquier") or _no_palace(board, seat, order.city)
    if problem is not None:
        return problem
    if board.cities[order.city].artist:
        return Problem("artist_there", {"city": order.city})
    return None if board.supply else Problem("no_artist_left")


def bank(table: Game, seat: Seat, order: o.Bank) -> None:
    """Banquier  Pay five ducats."""
    _play(table, seat, "artiste_banquier")
    table.emit(BankerPaid(seat=seat, city=order.city, ducats=BANKER))


def refuse_bank(seen: Seen, decision: Question, order: o.Bank) -> Problem | None:
    """Banquier, A22  Require an own palace that no banker served this turn."""
    board, seat = seen.board, decision.seat
    problem = _no_card(board, seat, "artiste_banquier") or _no_palace(board, seat, order.city)
    if problem is not None:
        return problem
    return Problem("banker_came", {"city": order.city}) if order.city in board.bankers else None


def _no_palace(board: Board, seat: Seat, town: str) -> Problem | None:
    problem = no_such_city(board, town)
    if problem is not None:
        return problem
    city = board.cities[town]
    return None if city.owner == seat and city.palace else Problem("no_palace", {"city": town})


def lure(table: Game, seat: Seat, order: o.Lure) -> None:
    """A31  Roll for another player's artist: on 5 or 6 it moves to a free palace of Florence, once a turn."""
    board = table.board
    city = board.cities[order.origin]
    assert city.owner is not None, "judged before"
    if table.trial:
        table.note(Problem("unforeseen", {"what": "lure"}))
    throw = 6 if table.trial else table.roll(f"lure/{board.turn}")
    table.emit(
        ArtistLured(
            seat=seat,
            origin=order.origin,
            city=order.city,
            loser=city.owner,
            artist=city.artist,
            throw=throw,
            won=throw >= LURED,
        )
    )


def refuse_lure(seen: Seen, decision: Question, order: o.Lure) -> Problem | None:
    """A31  Require another player's artist and a free own palace."""
    board, seat = seen.board, decision.seat
    if not privileged(seen.core.options, board, seat, "florence"):
        return Problem("no_privilege", {"nation": "florence"}, lasting=True)
    if "lure" in board.powers[seat].used:
        return Problem("lured_already", lasting=True)
    problem = no_such_city(board, order.origin) or _no_palace(board, seat, order.city)
    if problem is not None:
        return problem
    if board.cities[order.city].artist:
        return Problem("artist_there", {"city": order.city})
    there = board.cities[order.origin]
    found = there.artist and there.owner != seat
    return None if found else Problem("no_artist_there", {"city": order.origin})


LURED: Final = 5

ACTS: Final[Mapping[type[Order], Callable[[Game, Seat, Any], None]]] = {
    o.Pillage: pillage,
    o.Embassy: embassy,
    o.Marry: marry,
    o.Patronise: patronise,
    o.Bank: bank,
    o.Lure: lure,
}
REFUSALS: Final[Refusals] = {
    o.Pillage: refuse_pillage,
    o.Embassy: refuse_embassy,
    o.Marry: refuse_marry,
    o.Patronise: refuse_patronise,
    o.Bank: refuse_bank,
    o.Lure: refuse_lure,
}
