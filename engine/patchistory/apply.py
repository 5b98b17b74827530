"""Changes that each event makes to the board: one match for each chapter, no rules, no dice, no questions."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.kernel.events import Event
from engine.kernel.hidden_amounts import HiddenAmount
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.patchistory import events as e
from engine.patchistory.board import Board, Player, Poll, Route, Stake, without
from engine.patchistory.catalogue import BUILDINGS, EQUALITY, LIBERTY, STOCKS, TILES, VOTE, Op, When, kind_of
from engine.patchistory.territory import Placement, built, capital, placed

WASTELAND = "wasteland"
Change = Callable[[Route], Route]


def adopt(board: Board, option: str, value: str) -> None:
    """Change what depends on an option: whether goods are behind screens."""
    if option == "goods":
        for player in board.players.values():
            player.screen(value == "hidden")


def apply(board: Board, event: Event) -> None:
    """Change the board as the event says. Raises TypeError for an unknown event."""
    if not any(chapter(board, event) for chapter in (_course, _auction, _workers, _acts, _conflict, _ending)):
        raise TypeError(f"the board does not know {type(event).__name__}")


def _course(board: Board, event: Event) -> bool:
    """Apply events of set-up and the frame of the game."""
    match event:
        case e.CapitalsDealt(capitals=capitals, side=side):
            for seat, name in capitals.items():
                player = board.players[seat]
                player.capital = name
                player.territory = capital(EQUALITY if side == "equality" else LIBERTY[name])
        case e.BuildingsShuffled(pile=pile):
            board.pile = pile
        case e.CardsShuffled(stack=stack):
            board.stack = stack
        case e.Dealt(seat=seat, pack=pack, cards=cards):
            board.players[seat].pack, board.players[seat].cards = pack, cards
            board.pile, board.stack = board.pile[len(pack) :], board.stack[len(cards) :]
        case e.FirstPlayerChosen(seat=seat):
            board.first = seat
        case e.EraBegan(deck=deck):
            board.gone, board.deck, board.led = (*board.gone, *board.deck), deck, ""
        case e.TurnBegan():
            _begin_turn(board, event)
        case e.PhaseBegan(phase=phase, strides=strides):
            board.phase = phase
            for seat, stride in (strides or {}).items():
                player = board.players[seat]
                player.stride, player.moved, player.travelled = stride, (), ()
        case e.Replied(key=key, answer=answer):
            board.answers[key] = answer
        case e.RepliesUsed(keys=keys):
            board.answers = {key: answer for key, answer in board.answers.items() if key not in keys}
        case _:
            return _routes(board, event)
    return True


def _begin_turn(board: Board, event: e.TurnBegan) -> None:
    board.turn, board.first = event.turn, event.first
    for player in board.players.values():
        player.spent, player.done = 0, frozenset()


def _routes(board: Board, event: Event) -> bool:
    match event:
        case e.RouteLaid(number=number, start=start, end=end, allied=allied):
            board.routes = (*board.routes, Route(number, start, end, allied))
            board.laid = max(board.laid, number)
        case e.RouteGone(number=number):
            board.routes = tuple(route for route in board.routes if route.number != number)
        case _:
            return False
    return True


def _auction(board: Board, event: Event) -> bool:
    """1. Enchères et Placement: apply events."""
    match event:
        case e.Offered(lots=lots):
            if not board.offer:
                board.bids, board.bidder, board.led = {}, None, lots[0].side
            board.offer = (*board.offer, *lots)
            board.deck = board.deck[len(lots) :]
        case e.MoneyLent(seat=seat, culture=culture, money=money):
            board.players[seat].add("culture", -culture)
            board.players[seat].add("money", money)
        case e.BidMade(seat=seat, lot=lot, money=money, raised=raised):
            board.bids[seat], board.bidder = Stake(lot, money), seat
            board.players[seat].add("money", -raised)
        case e.BidsShown(bids=bids):
            for seat, _, money in bids:
                board.players[seat].add("money", -money)
        case e.Waited():
            pass
        case e.TileTaken(seat=seat, lot=lot):
            board.players[seat].won = lot
            board.offer = tuple(other for other in board.offer if other.name != lot.name)
            board.players[seat].sails = False
        case e.TilePlaced():
            _place(board.players[event.seat], event)
        case e.TileDiscarded(seat=seat, tile=tile):
            board.players[seat].won = None
            board.discarded = (*board.discarded, tile)
        case _:
            return False
    return True


def _place(player: Player, event: e.TilePlaced) -> None:
    face = TILES[event.tile].face(event.side)
    player.territory = placed(player.territory, Placement(event.tile, face, event.corner, frozenset(event.under)))
    player.won = None
    rooms = (face.room(letter) for letter in face.rooms)
    player.sails |= any(x.when is When.AUCTION and x.op is Op.FREE_TILE for room in rooms for x in room.effects)


def _workers(board: Board, event: Event) -> bool:
    """Apply events of workers on tiles and routes."""
    match event:
        case e.WorkerSettled(seat=seat, square=square, food=food, points=points):
            player = board.players[seat]
            player.track -= 1
            player.workers = (*player.workers, square)
            _pay(player, points, food=food)
        case e.WorkerMoved(seat=seat, start=start, to=to, cause=cause):
            player = board.players[seat]
            player.workers = (*_without(player.workers, start), to)
            if cause == "movement":
                player.moved = (*player.moved, to)
            elif cause == "shared":
                player.moved = _without(player.moved, start)
        case e.WorkerSent(seat=seat, square=square, number=number, food=food, points=points):
            player = board.players[seat]
            player.workers = _without(player.workers, square)
            _pay(player, points, food=food)
            _walk(board, number, seat, 0)
        case e.WorkerTravelled(seat=seat, number=number, spot=spot):
            _walk(board, number, seat, spot)
            board.players[seat].travelled = (*board.players[seat].travelled, number)
        case e.WorkerRested(seat=seat, number=number):
            _change(board, number, lambda route: replace(route, rests={**route.rests, seat: board.turn}))
            board.players[seat].travelled = (*board.players[seat].travelled, number)
        case e.WorkerCameHome(seat=seat, number=number, square=square):
            _leave(board, number, seat)
            _arrive(board.players[seat], square)
        case e.WorkerSentBack(seat=seat, square=square, number=number):
            _leave(board, number, seat)
            player = board.players[seat]
            player.workers = _without(player.workers, square) if square else player.workers
            player.track += 1
        case _:
            return False
    return True


def _arrive(player: Player, square: str) -> None:
    if square:
        player.workers = (*player.workers, square)
    else:
        player.track += 1


def _without(squares: tuple[str, ...], square: str) -> tuple[str, ...]:
    """Remove one worker from a square."""
    place = squares.index(square)
    return (*squares[:place], *squares[place + 1 :])


def _change(board: Board, number: int, change: Change) -> None:
    board.routes = tuple(change(route) if route.number == number else route for route in board.routes)


def _walk(board: Board, number: int, seat: Seat, spot: int) -> None:
    _change(board, number, lambda route: replace(route, spots={**route.spots, seat: spot}))


def _leave(board: Board, number: int, seat: Seat) -> None:
    """Remove a worker from a route; a war that it was to fight is over."""
    _change(
        board,
        number,
        lambda route: replace(route, spots=_less(route.spots, seat), rests=_less(route.rests, seat), war={}),
    )


def _less(kept: Mapping[Seat, int], seat: Seat) -> Mapping[Seat, int]:
    return {other: n for other, n in kept.items() if other != seat}


def _pay(player: Player, points: int, **goods: int) -> None:
    """Pay the cost of an action; Politics Points are added to those spent."""
    player.spent += points
    for good, n in goods.items():
        player.add(good, -n)


def _acts(board: Board, event: Event) -> bool:
    """2. Diplomatie et Administration: apply events."""
    match event:
        case e.AidOffered(seat=seat, points=points):
            _pay(board.players[seat], points)
        case e.AidAnswered():
            _aid(board, event)
        case e.Threatened(seat=seat, to=to, good=good, paid=paid, points=points):
            _pay(board.players[seat], points, **{good: -paid})
            board.players[to].add(good, -paid)
        case e.AllianceBroken(seat=seat, points=points, votes=votes):
            _pay(board.players[seat], points, vote=-votes)
        case e.Exchanged(seat=seat, good=good, count=count, gained=gained, points=points):
            _pay(board.players[seat], points, **{good: count}, **{name: -n for name, n in gained.items()})
        case e.Honoured(seat=seat, good=good, paid=paid, culture=culture, points=points):
            _pay(board.players[seat], points, **{good: paid}, culture=-culture)
        case e.Campaigned(seat=seat, points=points, votes=votes):
            _pay(board.players[seat], points, vote=-votes)
            _once(board.players[seat], "campaign")
        case e.Gained(seat=seat, symbols=symbols):
            _pay(board.players[seat], 0, **{name: -n for name, n in symbols.items()})
        case _:
            return _constructions(board, event)
    if isinstance(event, e.AidOffered | e.Threatened | e.AllianceBroken):
        _once(board.players[event.seat], "acted")
    return True


def _aid(board: Board, event: e.AidAnswered) -> None:
    giver, taker = board.players[event.seat], board.players[event.to]
    giver.add("culture", event.culture)
    for good in event.goods if event.accepted else ():
        giver.add(good, -1)
        taker.add(good, 1)
    if event.accepted:
        _once(taker, "accepted")


def _once(player: Player, what: str) -> None:
    player.done |= {what}


def _constructions(board: Board, event: Event) -> bool:
    match event:
        case e.RouteBuilt(seat=seat, to=to, number=number, resources=resources, points=points):
            _pay(board.players[seat], points, resource=resources)
            _once(board.players[seat], "route")
            apply(board, e.RouteLaid(number=number, start=seat, end=to, allied=False, cause="construction"))
        case e.Cleared(seat=seat, of=of, square=square, tile=tile, resources=resources, points=points):
            player, other = board.players[seat], board.players[of]
            _pay(player, points, resource=resources)
            player.pack = without(player.pack, tile)
            board.cleared = (*board.cleared, tile)
            other.territory = built(other.territory, square, WASTELAND, cleared=seat == of)
        case e.Built(seat=seat, square=square, tile=tile, resources=resources, points=points):
            player = board.players[seat]
            _pay(player, points, resource=resources)
            player.pack = without(player.pack, Secret(tile, frozenset({seat})))
            board.built = (*board.built, tile)
            player.territory = built(player.territory, square, BUILDINGS[kind_of(tile)].room)
        case e.BuildingDrawn(seat=seat, tile=tile):
            board.pile = board.pile[1:]
            board.players[seat].pack = (*board.players[seat].pack, tile)
        case _:
            return False
    return True


def _conflict(board: Board, event: Event) -> bool:
    """4. Négociation et Guerre: apply events."""
    match event:
        case e.Negotiated():
            pass
        case e.WarDeclared(number=number, roles=roles, paid=paid):
            _change(board, number, lambda route: replace(route, war=roles))
            for seat, n in paid.items():
                board.players[seat].add("resource", -n)
        case e.WarFought():
            _fight(board, event)
        case e.WarCancelled(number=number):
            _change(board, number, lambda route: replace(route, war={}))
        case _:
            return False
    return True


def _fight(board: Board, event: e.WarFought) -> None:
    for seat, goods in event.fuel.items():
        for good, n in goods.items():
            board.players[seat].add(good, -n)
    if event.winner is not None and event.loser is not None:
        board.players[event.winner].add("culture", event.culture + event.taken)
        board.players[event.loser].add("culture", -event.taken)
    _change(board, event.number, lambda route: replace(route, war={}))


def _ending(board: Board, event: Event) -> bool:
    """5. Production, 6. Entretien, 7. Vote: apply events."""
    match event:
        case e.Produced(seat=seat, tiles=tiles, routes=routes):
            for goods in (tiles, routes):
                _pay(board.players[seat], 0, **{name: -n for name, n in goods.items()})
        case e.WorkersFed(seat=seat, food=food, culture=culture):
            _pay(board.players[seat], 0, food=food, culture=culture)
        case e.SpecialsKept(seat=seat, food=food, resources=resources, culture=culture):
            _pay(board.players[seat], 0, food=food, resource=resources, culture=culture)
        case e.CardPut(seat=seat, card=card):
            player = board.players[seat]
            player.cards = without(player.cards, card)
        case e.CardsRevealed(cards=cards, ranks=ranks):
            board.polls = tuple(Poll(card, ranks[card]) for card in cards)
            board.scored = (*board.scored, *cards)
        case e.VotesShown(card=card, votes=votes):
            board.polls = tuple(replace(p, votes=votes) if p.card == card else p for p in board.polls)
            for seat, n in votes.items():
                board.players[seat].add(VOTE, -n)
        case e.CardsDropped():
            pass
        case e.CardScored(culture=culture):
            for seat, n in culture.items():
                board.players[seat].add("culture", n)
        case e.VoteEnded():
            board.polls = ()
            for player in board.players.values():
                if player.counted(VOTE):
                    player.put(VOTE, 0)
        case _:
            return False
    return True


def opened(stock: Mapping[str, int], seat: Seat, hidden: bool) -> dict[str, HiddenAmount]:
    """Return a player's initial goods, public or behind the screen."""
    return {good: Secret(stock[good], frozenset({seat})) if hidden else stock[good] for good in STOCKS}
