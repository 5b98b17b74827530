"""Changes that each event makes to the board: one match, no rules, no dice."""

from dataclasses import replace

from engine.age_of_renaissance import events as e
from engine.age_of_renaissance.atlas import LEVELS, Hull, Ship
from engine.age_of_renaissance.board import NEW, NOTHING, OLD, Board, Leader, Phase, Piece, Power, War
from engine.age_of_renaissance.catalogue import CARDS, LEADER_BOXES, Kind
from engine.kernel.events import Event
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat


def apply(board: Board, event: Event) -> None:
    """Change `board` as `event` says. Raises TypeError for an event of another game."""
    match event:
        case e.PileMade():
            _pile_made(board, event)
        case e.Dealt():
            board.deck = board.deck[len(event.cards) :]
            board.powers[event.seat].hand = event.cards
        case e.Kept():
            board.powers[event.seat].hand = event.kept
            board.deck = (*board.deck, Secret(event.back.held))
        case e.BidMade():
            board.powers[event.seat].gain(-event.ducats)
        case e.TieRolled() | e.CardsKept():
            pass
        case e.CapitalTaken():
            power = board.powers[event.seat]
            power.capital, power.chosen = event.capital, event.chosen
            _marker(board, event.seat, event.capital, OLD)
        case e.TurnBegan():
            board.turn, board.this_turn, board.banned, board.civil_war = event.turn, (), "", ()
            for power in board.powers.values():
                _fresh_turn(power)
        case e.PhaseBegan():
            board.phase, board.cards_bought = event.phase, 0
            if event.phase is Phase.PURCHASES:
                for power in board.powers.values():
                    power.stabilised = False
        case e.LastTurnCame():
            board.last_turn = event.reason
        case e.TokensBought():
            power = board.powers[event.seat]
            power.gain(-event.paid)
            power.written = power.cash
            _pool(power, event.taken)
        case e.OrderSet():
            board.order = tuple(seat for seat, _ in event.slots)
            for seat, slot in event.slots:
                board.powers[seat].slot = slot
            if event.cause == "Q" and event.seat is not None:
                board.powers[event.seat].swapped = True
        case e.Replied():
            board.answers[event.key] = event.answer
        case e.RepliesUsed():
            for key in event.keys:
                board.answers.pop(key, None)
        case e.CardDrawn():
            _card_drawn(board, event)
        case e.CardDiscarded():
            _from_hand(board, event.seat, event.card)
            _put_away(board, event.card, event.removed)
            board.powers[event.seat].discarded = True
        case e.CardPlayed():
            _card_played(board, event)
        case e.CardsExchanged():
            _exchanged(board, event)
        case e.Paid():
            board.powers[event.seat].gain(-event.ducats)
        case e.Received() | e.CommodityPaid() | e.Refunded():
            board.powers[event.seat].gain(event.ducats)
        case e.IncomeTaken():
            board.powers[event.seat].gain(event.base + event.middle + event.bank)
        case e.MiseryMoved():
            board.powers[event.seat].misery = event.after
        case e.Eliminated():
            _eliminated(board, event)
        case e.MarketRolled():
            for good in event.goods:
                _market(board, good, event.shift)
        case e.MarketMoved():
            _market(board, event.good, event.by)
            if event.seat is not None:
                board.powers[event.seat].gain(-event.ducats)
        case e.MarkerReduced():
            _reduced(board, event)
        case e.PiecesRemoved():
            _clear(board, event.seat, event.province)
        case e.MarkerPlaced():
            _arrive(board, event.seat, event.province, "token" if event.token else "marker")
        case e.WarRolled():
            _war_rolled(board, event)
        case e.WarOver():
            board.wars = tuple(w for w in board.wars if not _same(w, event.attacker, event.defender))
        case e.CessionLapsed():
            pass
        case e.ProvinceCeded():
            _clear(board, event.loser, event.province)
            _arrive(board, event.winner, event.province, event.placed)
        case e.TokensMoved():
            _pool(board.powers[event.seat], event.tokens)
        case e.ShipUpgraded():
            power = board.powers[event.seat]
            power.ship, power.ship_upgraded = event.ship, True
            power.gain(-event.paid)
        case e.AdvanceBought():
            _advance_bought(board.powers[event.seat], event)
        case e.LeaderClaimed():
            board.leaders = tuple(_claimed(leader, event) for leader in board.leaders)
        case e.Stabilised():
            power = board.powers[event.seat]
            power.stabilised = True
            power.gain(-max(event.paid, 0))
        case e.LeadersLeft():
            board.removed = (*board.removed, *(leader.card for leader in event.leaders))
            board.leaders = ()
        case e.Placed():
            _placed(board, event)
        case e.RivalryFought():
            _rivalry(board, event)
        case e.MarkerLifted():
            _take_root(board, event.seat, event.province)
            _clear(board, event.seat, event.province)
            _clear(board, event.seat, event.lifted)
            _arrive(board, event.seat, event.lifted, "token")
            _marker(board, event.seat, event.province, NEW)
        case e.TokensReturned():
            _pool(board.powers[event.seat], -event.tokens)
        case e.Consolidated():
            _consolidated(board)
        case _:
            raise TypeError(f"{type(event).__name__} is no event of this game")


def adopt(board: Board, option: str, value: str) -> None:
    """R33  Make the cash piled or public from now on. No other option affects the board."""
    if option == "cash":
        for power in board.powers.values():
            power.pile(value == "piled")


def _pile_made(board: Board, event: e.PileMade) -> None:
    """Replace the pile; the event holds all its cards, so they are removed from everywhere else."""
    held = {card.held for card in event.deck}
    board.deck, board.epoch = event.deck, event.epoch
    if event.cause == "epoch":
        board.discard = ()
    if event.cause == "withheld":
        board.withheld = ()
    board.later = tuple(card for card in board.later if CARDS[card].epoch > event.epoch)
    if event.cause == "setup":
        board.withheld = tuple(card for card in board.withheld if card not in held)


def _fresh_turn(power: Power) -> None:
    power.weapons, power.shielded = (), False
    power.swapped = power.discarded = power.exchanged = False
    power.bought, power.converted, power.landed, power.fought = frozenset(), frozenset(), {}, {}
    power.ship_upgraded = power.card_bought = power.stabilised = False


def _pool(power: Power, tokens: int) -> None:
    """Move tokens from the stock into the expansion pool, or back when negative."""
    power.stock -= tokens
    power.expansion += tokens


def _card_drawn(board: Board, event: e.CardDrawn) -> None:
    power = board.powers[event.seat]
    board.deck = board.deck[1:]
    power.hand = (*power.hand, event.card)
    power.gain(-event.ducats)
    if event.cause == "expansion":
        _pool(power, -event.tokens)
        power.card_bought = True
        board.cards_bought += 1


def _from_hand(board: Board, seat: Seat, card: str) -> None:
    """Remove a card from a hand; in a redacted copy, one of the unknown cards."""
    hand = board.powers[seat].hand
    place = next((n for n, c in enumerate(hand) if c.held == card), None)
    if place is None:
        place = next(n for n, c in enumerate(hand) if not isinstance(c.held, str))
    board.powers[seat].hand = (*hand[:place], *hand[place + 1 :])


def _put_away(board: Board, card: str, removed: bool) -> None:
    if removed:
        board.removed = (*board.removed, card)
    else:
        board.discard = (*board.discard, card)


def _card_played(board: Board, event: e.CardPlayed) -> None:
    card, power = CARDS[event.card], board.powers[event.seat]
    _from_hand(board, event.seat, event.card)
    board.this_turn = (*board.this_turn, event.card)
    if card.kind is Kind.LEADER:
        place = len(board.leaders) + 1
        box = place if place <= LEADER_BOXES[board.players] else 0
        board.leaders = (*board.leaders, Leader(event.card, event.seat, box))
        return
    _put_away(board, event.card, not card.recycles)
    if card.kind is not Kind.EVENT:
        return
    mark = f"{event.card}/{board.epoch}"
    board.played = board.played | {event.card, mark}
    if card.military:
        power.weapons = (*power.weapons, event.card)
    if card.shields:
        power.shielded = True
    if event.card == "papal_bull" and event.target:
        board.banned = event.target[0]
    if event.card == "religious_strife":
        board.banned = ""
    if event.card == "civil_war":
        struck = (board.power_of(capital) for capital in event.target)
        board.civil_war = (*board.civil_war, *(power.seat for power in struck if power is not None))


def _exchanged(board: Board, event: e.CardsExchanged) -> None:
    _from_hand_secret(board, event.seat, event.given)
    _from_hand_secret(board, event.victim, event.taken)
    for seat, card in ((event.seat, event.taken), (event.victim, event.given)):
        power = board.powers[seat]
        power.hand = (*power.hand, card)
    board.powers[event.seat].exchanged = True


def _from_hand_secret(board: Board, seat: Seat, card: Secret[str]) -> None:
    if isinstance(card.held, str):
        _from_hand(board, seat, card.held)
    else:
        board.powers[seat].hand = board.powers[seat].hand[1:]


def _eliminated(board: Board, event: e.Eliminated) -> None:
    power = board.powers[event.seat]
    power.eliminated, power.hand, power.weapons, power.shielded = True, (), (), False
    board.discard = (*board.discard, *event.discarded)
    board.removed = (*board.removed, *event.removed)
    _pool(power, -power.expansion)


def _market(board: Board, good: str, by: int) -> None:
    value = board.markets.get(good, 0) + by
    if value:
        board.markets[good] = value
    else:
        board.markets.pop(good, None)


def _marker(board: Board, seat: Seat, province: str, side: str) -> None:
    """Put a control marker from the player's row onto the map."""
    board.powers[seat].markers -= 1
    board.pieces.setdefault(province, {})[seat] = Piece(marker=side)


def _clear(board: Board, seat: Seat, province: str) -> None:
    """Return all pieces of a power in a province to the stock and the row."""
    here = board.pieces.get(province, {})
    piece = here.pop(seat, NOTHING)
    power = board.powers[seat]
    power.stock += piece.tokens
    power.markers += piece.controls
    if not here:
        board.pieces.pop(province, None)


def _reduced(board: Board, event: e.MarkerReduced) -> None:
    _clear(board, event.seat, event.province)
    power = board.powers[event.seat]
    if event.source == "stock":
        power.stock -= 1
    elif event.source == "expansion":
        power.expansion -= 1
    if event.source in ("stock", "expansion"):
        board.pieces.setdefault(event.province, {})[event.seat] = Piece(old=1)


def _arrive(board: Board, seat: Seat, province: str, what: str) -> None:
    """Put an old marker or token on an empty province; do nothing for any other `what`."""
    if what == "marker":
        _marker(board, seat, province, OLD)
    elif what == "token":
        board.powers[seat].stock -= 1
        board.pieces.setdefault(province, {})[seat] = Piece(old=1)


def _same(war: War, attacker: Seat, defender: Seat) -> bool:
    return war.attacker == attacker and war.defender == defender


def _war_rolled(board: Board, event: e.WarRolled) -> None:
    known = next((w for w in board.wars if _same(w, event.attacker, event.defender)), None)
    others = tuple(w for w in board.wars if not _same(w, event.attacker, event.defender))
    if event.winner is not None:
        board.wars = others
        return
    rolls = known.rolls + 1 if known else 1
    board.wars = (*others, War(event.attacker, event.defender, event.turn, rolls))


def _advance_bought(power: Power, event: e.AdvanceBought) -> None:
    power.advances = power.advances | {event.letter}
    power.bought = power.bought | {event.letter}
    power.gain(-event.paid)
    if event.letter == "S":
        power.ship = Ship(Hull.SEAWORTHY, LEVELS[Hull.SEAWORTHY][0])
    if event.letter == "T":
        power.ship = Ship(Hull.GALLEON, LEVELS[Hull.GALLEON][0])


def _claimed(leader: Leader, event: e.LeaderClaimed) -> Leader:
    return replace(leader, claims=(*leader.claims, event.seat)) if leader.card == event.card else leader


def _land(power: Power, province: str, tokens: int, via: str) -> None:
    """Count tokens landed by ship, which are limited for the whole phase (§9.4.1)."""
    if via == "ship":
        power.landed[province] = power.landed.get(province, 0) + tokens


def _take_root(board: Board, seat: Seat, province: str) -> None:
    """Keep the province a base for this phase, because its old tokens are about to be replaced."""
    if board.at(province, seat).old:
        power = board.powers[seat]
        power.roots = power.roots | {province}


def _placed(board: Board, event: e.Placed) -> None:
    power, piece = board.powers[event.seat], board.at(event.province, event.seat)
    _land(power, event.province, event.tokens, event.via)
    power.expansion -= event.tokens
    if event.marker:
        _take_root(board, event.seat, event.province)
        power.stock += piece.tokens + event.tokens
        _marker(board, event.seat, event.province, NEW)
    else:
        grown = replace(piece, new=piece.new + event.tokens)
        board.pieces.setdefault(event.province, {})[event.seat] = grown


def _rivalry(board: Board, event: e.RivalryFought) -> None:
    power = board.powers[event.seat]
    _land(power, event.province, event.tokens, event.via)
    power.fought[event.province] = power.fought.get(event.province, "") + ("W" if event.won else "L")
    _pool(power, -event.tokens)
    if event.won:
        _take_root(board, event.seat, event.province)
    _clear(board, event.seat, event.province)
    if event.by is not None:
        others = [event.seat] if event.by != event.seat else [seat for seat, _ in event.against]
        user = board.powers[event.by]
        user.converted = user.converted | frozenset(others)
    if not event.won:
        return
    for seat, _ in event.against:
        _clear(board, seat, event.province)
    if event.left == "marker":
        _marker(board, event.seat, event.province, NEW)
    elif event.left == "token":
        power.stock -= 1
        board.pieces.setdefault(event.province, {})[event.seat] = Piece(new=1)


def _consolidated(board: Board) -> None:
    for power in board.powers.values():
        power.roots = frozenset()
    for here in board.pieces.values():
        for seat, piece in here.items():
            here[seat] = Piece(old=piece.tokens, marker=OLD if piece.marker else "")
