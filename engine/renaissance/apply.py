"""Changes that each event makes to the board: one match, no rules, no dice."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from engine.kernel.events import Event
from engine.kernel.secrets import Mask, Secret
from engine.kernel.viewers import GM, PUBLIC, Seat
from engine.renaissance import events as e
from engine.renaissance.board import HELD, Battle, Board, City, Laid, Offer, Power
from engine.renaissance.catalogue import FORTRESS, HIRED_FREE, PROVINCES, RAMPART, SCENARIOS

T = TypeVar("T")


def apply(board: Board, event: Event) -> None:
    """Change `board` as `event` says. Raises TypeError for an event of another game."""
    match event:
        case e.DeckMade():
            board.deck, board.discard = event.deck, ()
            if event.cause == "turn":
                for power in board.powers.values():
                    power.hand, power.shown, power.aside = (), (), ()
        case e.TableSet():
            board.scenario = event.scenario
            board.closed = frozenset(town for name in event.closed for town in PROVINCES[name].cities)
        case e.NationTaken():
            _nation(board, event)
        case e.OrderDrawn():
            board.order = event.order
        case e.Founded():
            _founded(board, event)
        case e.GarrisonPlaced() | e.Settled():
            _change(board, event.city, owner=event.seat, level=HELD.level)
            if isinstance(event, e.Settled):
                power = board.powers[event.seat]
                power.settled = (*power.settled, (event.origin, event.city))
        case e.TurnBegan():
            _fresh_turn(board, event.turn)
        case e.PhaseBegan():
            board.phase = event.phase
        case e.Returned():
            _change(board, event.city, owner=event.seat, level=max(board.level(event.city), HELD.level))
            board.powers[event.seat].eliminated = False
            board.powers[event.seat].ducats += event.ducats
            _lapse(board, event.city)
        case e.StateSet():
            board.state = event.state
        case e.StanceTaken():
            board.powers[event.seat].stance = event.side
        case e.CardsDrawn():
            power = board.powers[event.seat]
            board.deck = board.deck[len(event.cards) :]
            power.hand, power.ducats, power.bought = (*power.hand, *event.cards), power.ducats + event.ducats, 0
        case e.CardsBought():
            _pay(board, event.seat, event.paid)
            board.powers[event.seat].bought = event.count
        case e.Built():
            _built(board, event)
        case e.CampaignBegan():
            board.acting = event.seat
        case e.CampaignEnded():
            power = board.powers[event.seat]
            power.shown, power.aside, board.acting = (*power.shown, *power.aside), (), None
        case e.CardPlayed():
            board.played += 1
            if event.card:
                _from_hand(board.powers[event.seat], event.card)
                board.discard = (*board.discard, event.card)
            else:
                _used(board.powers[event.seat], event.kind)
        case e.AttackAnnounced():
            _announced(board, event.battle)
        case e.CondottiereOffered():
            _fight(board, lambda b: replace(b, offers=(*b.offers, (event.seat, event.to))))
        case e.CondottiereHired():
            _hired(board, event)
        case e.DefenceLaid():
            for card in event.cards:
                _from_hand(board.powers[event.seat], card.held)
            laid = tuple(Laid(card) for card in event.cards)
            _fight(board, lambda b: replace(b, defence=(*b.defence, *laid), offers=(), ready=True))
        case e.CardsShown():
            _reveal(board, event)
        case e.HirePresumed():
            _pay(board, event.seat, event.ducats)
            if event.free:
                _used(board.powers[event.seat], "condottiere")
        case e.RedCancelled():
            _cancelled(board, event)
        case e.TroopLost():
            if event.card:
                _mark(board, event.card, gone="lost")
        case e.CondottiereThrown():
            value = int(event.face) if event.face.isdecimal() else None
            _mark(board, event.card, value=value, gone="routed" if event.face == "rout" else "")
            _fight(board, lambda b: replace(b, throws=event.throw))
        case e.CondottiereTurned():
            _turned(board, event)
        case e.SignLaid():
            _mark(board, event.card, doubled=True)
            _from_hand(board.powers[event.seat], event.sign)
            board.discard = (*board.discard, event.sign)
            _fight(board, lambda b: replace(b, signs=(*b.signs, event.seat)))
        case e.BattleDecided():
            _fight(board, lambda b: replace(b, won_by=event.won_by))
        case e.CardsSaved():
            _saved(board, event)
        case e.BattleEnded():
            _battle_ended(board, event)
        case e.Pillaged():
            if event.won:
                board.powers[event.seat].ducats += event.ducats
                _change(board, event.city, pillaged=True)
        case e.Corrupted():
            if event.won:
                _taken(board, event.seat, event.city)
        case e.Ruined():
            _change(board, event.city, level=event.level)
        case e.Married():
            _pay(board, event.seat, event.paid, to=event.loser)
            power = board.powers[event.seat]
            power.married = (*power.married, event.loser)
            _taken(board, event.seat, event.city)
        case e.ArtistCame():
            _artist(board, event)
        case e.BankerPaid():
            board.powers[event.seat].ducats += event.ducats
            board.bankers = (*board.bankers, event.city)
        case e.ArtistLured():
            _used(board.powers[event.seat], "lure")
            if event.won:
                _change(board, event.origin, artist="")
                _change(board, event.city, artist=event.artist)
        case e.Eliminated():
            board.powers[event.seat].eliminated = True
            board.offers = tuple(offer for offer in board.offers if offer.seat != event.seat)
        case e.PointsScored():
            power = board.powers[event.seat]
            power.points = (*power.points, len(event.provinces) + len(event.artists))
        case e.IncomeTaken():
            board.powers[event.seat].ducats += event.ducats + event.bonus
        case e.MarkersLifted():
            for town in event.cities:
                _change(board, town, pillaged=False)
        case e.Gave():
            _pay(board, event.seat, event.ducats, to=event.to)
        case e.SwapOffered():
            board.offers = (*board.offers, Offer(event.seat, event.gives, event.wants))
        case e.SwapRecalled():
            board.offers = tuple(o for o in board.offers if o != Offer(event.seat, event.gives, event.wants))
        case e.Swapped():
            _swapped(board, event)
        case e.EmbassyHeard():
            pass
        case _:
            raise TypeError(f"{type(event).__name__} is no event of this game")


def _change(board: Board, town: str, **what: object) -> None:
    board.cities[town] = replace(board.cities[town], **what)  # type: ignore[arg-type]


def _pay(board: Board, seat: Seat, ducats: int, to: Seat | None = None) -> None:
    """Pay ducats to another player, or to the bank."""
    board.powers[seat].ducats -= ducats
    if to is not None:
        board.powers[to].ducats += ducats


def _used(power: Power, privilege: str) -> None:
    power.used = power.used | {privilege}


def _from_hand(power: Power, card: object) -> None:
    """Remove a card from a hand, if it is not the card of Milan's privilege, which is in no hand.

    For a viewer who does not know the hand, one of the unknown cards is removed.
    """
    if card in power.shown:
        power.shown = tuple(c for c in power.shown if c != card)
    elif card != HIRED_FREE:
        known = (next((c for c in power.hand if c.held == held), None) for held in (card, Mask.UNKNOWN))
        power.hand = _without(power.hand, next((c for c in known if c is not None), None))


def _without(things: tuple[T, ...], gone: T | None) -> tuple[T, ...]:
    """Return the things without one of them; equal ones stay."""
    place = things.index(gone) if gone is not None else len(things)
    return (*things[:place], *things[place + 1 :])


def _nation(board: Board, event: e.NationTaken) -> None:
    start = next(s for s in SCENARIOS[board.scenario].starts if s.nation == event.nation)
    power = board.powers[event.seat]
    power.nation, power.seas, power.starts, power.ramparts = event.nation, start.seas, start.fixed, 1
    power.palaces = int(SCENARIOS[board.scenario].palace)


def _founded(board: Board, event: e.Founded) -> None:
    power = board.powers[event.seat]
    power.starts = event.cities
    for town in event.cities:
        level = RAMPART if town == event.rampart else HELD.level
        board.cities[town] = City(event.seat, level, palace=town == event.palace)
    power.ramparts, power.palaces = 0, 0


def _fresh_turn(board: Board, turn: int) -> None:
    """Reset the state that applies to one turn only."""
    board.turn, board.battles, board.played = turn, 0, 0
    board.fallen, board.bankers, board.offers = (), (), ()
    for town, city in board.cities.items():
        if city.swapped:
            _change(board, town, swapped=False)
    for power in board.powers.values():
        power.stance, power.settled, power.used, power.bribes, power.bought = "", (), frozenset(), 0, 0
        power.origins = power.targets = power.beaten = power.taken = ()
        power.attacked = power.married = ()


def _built(board: Board, event: e.Built) -> None:
    _pay(board, event.seat, event.paid)
    if event.what == "palace":
        _change(board, event.city, palace=True)
    else:
        _change(board, event.city, level=RAMPART if event.what == "rampart" else FORTRESS)


# --- battles


def _fight(board: Board, change: Callable[[Battle], Battle]) -> None:
    if board.battle is not None:
        board.battle = change(board.battle)


def _announced(board: Board, battle: Battle) -> None:
    power = board.powers[battle.attacker]
    board.battle, board.battles = battle, battle.number
    power.targets = (*power.targets, battle.city)
    power.attacked = (*power.attacked, battle.defender)
    power.origins = (*power.origins, battle.origin) if battle.origin else power.origins
    for laid in battle.attack:
        _from_hand(power, laid.card.held)


def _hired(board: Board, event: e.CondottiereHired) -> None:
    _pay(board, event.seat, event.paid, to=event.seller)
    _from_hand(board.powers[event.seller], event.card.held)
    back = event.back
    if back is not None:
        power = board.powers[event.seat]
        power.hand = (*power.hand, back)
    _fight(board, lambda b: _with_hired(b, event))


def _with_hired(battle: Battle, event: e.CondottiereHired) -> Battle:
    offers = list(battle.offers)
    offers.remove((event.seller, event.seat))
    mine, back = battle.side(event.seat), event.back
    replaced = None if back is None else next(laid for laid in mine if laid.card.held in (back.held, Mask.UNKNOWN))
    kept = _without(mine, replaced)
    laid = (*kept, Laid(event.card, hired=True))
    if event.seat == battle.attacker:
        return replace(battle, attack=laid, offers=tuple(offers))
    return replace(battle, defence=laid, offers=tuple(offers))


def _reveal(board: Board, event: e.CardsShown) -> None:
    for seat, ducats in event.paid.items():
        _pay(board, seat, ducats)
    everybody = frozenset({*board.powers, Seat(PUBLIC), Seat(GM)})
    if HIRED_FREE in (*event.attack, *event.defence):
        seat = event.attacker if HIRED_FREE in event.attack else event.defender
        _used(board.powers[seat], "condottiere")

    def face_up(side: tuple[Laid, ...], cards: tuple[str, ...]) -> tuple[Laid, ...]:
        gone = ("unpaid" if card in event.unpaid else "" for card in cards)
        shown = zip(side, cards, gone, strict=True)
        return tuple(replace(laid, card=Secret(card, everybody), gone=how) for laid, card, how in shown)

    _fight(
        board,
        lambda b: replace(
            b, dice=event.dice, attack=face_up(b.attack, event.attack), defence=face_up(b.defence, event.defence)
        ),
    )


def _mark(board: Board, card: str, **what: object) -> None:
    """Change the state of a card on the table."""

    def marked(laid: Laid) -> Laid:
        return replace(laid, **what) if laid.card.held == card else laid  # type: ignore[arg-type]

    _fight(board, lambda b: replace(b, attack=tuple(map(marked, b.attack)), defence=tuple(map(marked, b.defence))))


def _cancelled(board: Board, event: e.RedCancelled) -> None:
    _mark(board, event.attack, gone="cancelled")
    if event.from_hand:
        _from_hand(board.powers[event.seat], event.defence)
        board.discard = (*board.discard, event.defence)
    else:
        _mark(board, event.defence, gone="cancelled")


def _turned(board: Board, event: e.CondottiereTurned) -> None:
    _pay(board, event.seat, event.paid)
    board.powers[event.seat].bribes += event.paid
    battle = board.battle
    if battle is None:
        return
    moved = next(laid for laid in battle.side(event.loser) if laid.card.held == event.card)
    left = tuple(laid for laid in battle.side(event.loser) if laid is not moved)
    gained = (*battle.side(event.seat), replace(moved, hired=True, value=None))
    attack, defence = (gained, left) if event.seat == battle.attacker else (left, gained)
    board.battle = replace(battle, attack=attack, defence=defence)


def _saved(board: Board, event: e.CardsSaved) -> None:
    power = board.powers[event.seat]
    for card in event.retreats:
        _from_hand(power, card)
    board.discard = (*board.discard, *event.retreats)
    if event.free:
        _used(power, "retraite")
    _fight(board, lambda b: replace(b, saved=(*b.saved, *event.cards)))


def _battle_ended(board: Board, event: e.BattleEnded) -> None:
    """End a battle: the attacker's kept cards are set aside; the defender's return to the hand, seen by all."""
    attacker, defender = board.powers[event.attacker], board.powers[event.defender]
    board.battle = None
    attacker.aside = (*attacker.aside, *event.aside)
    defender.shown = (*defender.shown, *event.back)
    board.discard = (*board.discard, *event.discarded)
    if event.captured:
        board.fallen = (*board.fallen, event.city)
        _taken(board, event.attacker, event.city)
    else:
        attacker.beaten = (*attacker.beaten, event.city)


def _taken(board: Board, seat: Seat, town: str) -> None:
    """Give a city taken in a combat turn to its new owner, and remove offers to swap it."""
    _change(board, town, owner=seat)
    power = board.powers[seat]
    power.taken = (*power.taken, town)
    _lapse(board, town)


def _lapse(board: Board, town: str) -> None:
    """Remove all offers of a swap with a city."""
    board.offers = tuple(o for o in board.offers if town not in (o.gives, o.wants))


# --- palaces and swaps


def _artist(board: Board, event: e.ArtistCame) -> None:
    if event.burnt:
        _change(board, event.city, palace=False)
        return
    board.supply = tuple(artist for artist in board.supply if artist != event.artist)
    _change(board, event.city, artist=event.artist)


def _swapped(board: Board, event: e.Swapped) -> None:
    _change(board, event.gives, owner=event.to, swapped=True)
    _change(board, event.wants, owner=event.seat, swapped=True)
    both = {event.gives, event.wants}
    board.offers = tuple(o for o in board.offers if both.isdisjoint((o.gives, o.wants)))
