"""The rules of the smallest game, paragraph by paragraph.

§1 A turn: bids, marches, income. §2 Bids are secret and shown together; the highest takes the top card.
§3 Marches are written line by line, and carried out in the order of the table. §4 Attack. §5 Sell. §6 Scout.
§7 A seat that holds cards is asked for a shield. §8 Anybody may leave at any time. §9 Income, and the end.
§10 A fair, where the table wants one.
"""

from collections.abc import Mapping, Sequence

from engine.kernel.catalogues import Words
from engine.kernel.charts import FigureLabel, Numbers
from engine.kernel.events import Ended, Event
from engine.kernel.forms import Fact, Form
from engine.kernel.hidden_amounts import can_count, count_visible
from engine.kernel.languages import Language
from engine.kernel.orders import Condition, Line, Order, Orders, Pace, Problem, Question, single_order, unconditional
from engine.kernel.position import Options, Position, Step
from engine.kernel.rules import View
from engine.kernel.secrets import Sealed, Secret
from engine.kernel.table import Table
from engine.kernel.viewers import Seat, Viewer
from tests.bilingual import words
from tests.toy import answers, fair, orders, steps
from tests.toy.apply import apply
from tests.toy.board import CARDS, COINS, TOWNS, Board, known, playing
from tests.toy.corrections import Rightings
from tests.toy.events import Bought, Dealt, Left, Paid, Parried, Stacked, TurnBegan
from tests.toy.meta import META
from tests.toy.picture import BOARD
from tests.toy.telling import TELLING


class Toy:
    """The protocol of a game: what asks and resolves is here, carrying out in `steps`, judging in `answers`."""

    meta = META
    corrections = Rightings()
    draw = staticmethod(BOARD.picture)
    crops = staticmethod(BOARD.crops)
    zones = staticmethod(BOARD.zones)
    narration_hooks = TELLING
    every_form = answers.EVERY_FORM
    figures: Mapping[str, Words] = {"coins": words("Pièces", "Coins")}

    def blank(self, seats: Sequence[Seat], options: Options) -> Board:
        """Nobody has cards; every seat has its coins."""
        return Board(COINS * len(seats), dict.fromkeys(seats, COINS), hands=dict.fromkeys(seats, ()))

    def begin(self, table: Table[Board]) -> None:
        """Two cards each; the rest is the deck."""
        cards = table.shuffle("deal", tuple(CARDS))
        table.emit(Stacked(deck=tuple(Secret(card) for card in cards)))
        for n, seat in enumerate(table.core.seats):
            table.emit(Dealt(seat=seat, cards=cards[2 * n : 2 * n + 2], visible_to=frozenset({seat})))
        table.then(steps.Turn(1))

    def take(self, table: Table[Board], step: Step) -> None:
        """One step of the agenda."""
        match step:
            case steps.Turn():
                self.open_turn(table, step)
            case steps.AskMarch():
                self.ask_march(table, step)
            case steps.March():
                steps.march(table, step)
            case steps.Strike():
                steps.strike(table, step)
            case fair.AskFair():
                fair.ask_fair(table)
            case steps.Close():
                self.close_turn(table)

    def open_turn(self, table: Table[Board], step: steps.Turn) -> None:
        """§1, §8  Bids are asked of all, and beside them everybody may leave."""
        table.emit(TurnBegan(turn=step.number))
        board, seats = table.board, playing(table.board)
        table.ask(*(Question(f"leave/{board.turn}/{seat}", seat, "leave", blocking=False) for seat in seats))
        if not board.deck:
            restack(table)
        if board.deck:
            table.ask(*(Question(f"bid/{board.turn}", s, "bid", {"coins": board.coins[s]}) for s in seats))
        sealed = table.core.options["pace"] == "sealed"
        asks = (steps.AskMarch(seats),) if sealed else tuple(steps.AskMarch((seat,), f"/{seat}") for seat in seats)
        held = (fair.AskFair(),) if table.core.options["fair"] == "yes" else ()
        table.then(*asks, *held, steps.Close())

    def ask_march(self, table: Table[Board], step: steps.AskMarch) -> None:
        """§3  One gate for all in the sealed pace, one for each seat in order."""
        gate = f"march/{table.board.turn}{step.suffix}"
        table.ask(*(Question(gate, seat, "march") for seat in step.seats if seat not in table.board.gone))

    def resolve(self, table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
        """All answers of a gate are in."""
        match gate.split("/")[0]:
            case "bid":
                self.sell_card(table, {seat: _coins(given) for seat, given in answers.items()})
            case "march":
                table.then(*(steps.March(s, gate, "march", Sealed(given)) for s, given in answers.items()))
            case "shield":
                self.parry(table, answers)
            case "stall":
                fair.award(table, gate, answers)
            case "leave":
                for seat, given in answers.items():
                    self.leave(table, seat, single_order(given))

    def sell_card(self, table: Table[Board], bids: Mapping[Seat, int]) -> None:
        """§2  The highest bid pays and takes the card; a die parts equals."""
        best = [seat for seat, coins in bids.items() if coins == max(bids.values())]
        winner = best[table.roll(f"tie/{table.board.turn}", len(best)) - 1] if len(best) > 1 else best[0]
        table.emit(Bought(bids=bids, seat=winner, card=table.board.deck[0].shown_to(winner)))

    def parry(self, table: Table[Board], answers: Mapping[Seat, Orders]) -> None:
        """§7  The first shield in the order of the table is shown; the others stay in their hands."""
        for seat, given in answers.items():
            order = single_order(given)
            if isinstance(order, orders.Parry) and seat not in table.board.gone:
                table.emit(Parried(seat=seat, card=order.card))
                return

    def leave(self, table: Table[Board], seat: Seat, order: Order | None) -> None:
        """§8  Coins to the bank, towns free, cards shuffled in with all that nobody holds."""
        if not isinstance(order, orders.Leave):
            return
        table.emit(Left(seat=seat, farewell=order.farewell))
        table.withdraw(seat)
        restack(table)
        if len(playing(table.board)) == 1:
            finish(table, "alone")

    def close_turn(self, table: Table[Board]) -> None:
        """§9  Income as far as the bank can pay, then the next turn, unless the game is over."""
        board, each, left, income = table.board, int(table.core.options["income"]), table.board.bank, {}
        for seat in playing(board):
            income[seat] = min(left, each * list(board.owner.values()).count(seat))
            left -= income[seat]
        table.emit(Paid(income=income))
        for seat in playing(board):
            table.withdraw(seat)
        if len(board.owner) == len(TOWNS) and len(set(board.owner.values())) == 1:
            finish(table, "monopoly")
        elif board.turn == int(table.core.options["turns"]):
            finish(table, "turns")
        else:
            table.then(steps.Turn(board.turn + 1))

    def apply(self, board: Board, event: Event) -> None:
        """See `apply`."""
        apply(board, event)

    def execution_of(self, decision: Question, orders: Orders) -> steps.March | None:
        """§3  Marches go line by line; all other answers are one order."""
        if decision.topic != "march":
            return None
        return steps.March(decision.seat, decision.gate, decision.topic, Sealed(orders))

    def refusal(self, seen: Position[Board], decision: Question, order: Order) -> Problem | None:
        """See `answers`."""
        return answers.refusal(seen.board, decision, order)

    def forms(self, seen: Position[Board], decision: Question) -> Sequence[Form]:
        """See `answers`."""
        return answers.forms(seen.board, decision)

    def advance_questions(self, seen: Position[Board], seat: Seat) -> Sequence[Question]:
        """§3, §7  The march of this turn before it is asked, and a shield for any attack of the turn."""
        board, mine = seen.board, {d.topic for d in seen.core.questions if d.seat == seat}
        if seat in board.gone or seen.core.over:
            return ()
        suffix = "" if seen.core.options["pace"] == "sealed" else f"/{seat}"
        march = Question(f"march/{board.turn}{suffix}", seat, "march")
        shield = Question(f"shield/{board.turn}", seat, "shield", pace=Pace.REACTION)
        return (march, shield) if "bid" in mine else (shield,)

    def turn(self, seen: Position[Board]) -> int:
        """A reaction is for the turn under way."""
        return seen.board.turn

    def facts(self, seen: Position[Board], seat: Seat) -> Sequence[Fact]:
        """What IF may ask."""
        return (orders.HOLD, orders.HAVE)

    def fact_holds(self, seen: Position[Board], seat: Seat, condition: Condition) -> bool:
        """Towns and coins are public."""
        if condition.fact == "hold":
            return seen.board.owner.get(str(condition.about["town"])) == seat
        return seen.board.coins[seat] >= int(condition.about["coins"])

    def suggest_orders(self, seen: Position[Board], decision: Question, most: int | None = None) -> Sequence[Line]:
        """See `answers`."""
        return unconditional(*answers.likely(seen.board, decision))[:most]

    def default_orders(self, seen: Position[Board], decision: Question) -> Orders:
        """§2 a bid of nothing; no march, no shield, no leaving."""
        return unconditional(orders.Bid(0)) if decision.topic == "bid" else ()

    def present_view(self, seen: Position[Board], viewer: Viewer) -> View:
        """What a viewer is shown."""
        board = seen.board
        return {
            "turn": board.turn,
            "phase": next((d.topic for d in seen.core.questions if d.blocking), "bid"),
            "seat": viewer,
            "coins": dict(board.coins),
            "towns": dict(board.owner),
            "deck": len(board.deck),
            "hands": {seat: len(hand) for seat, hand in board.hands.items()},
            "known": {seat: known(hand) for seat, hand in board.hands.items()},
            "store": {g: count_visible(n) for g, n in board.stores.get(Seat(viewer), {}).items() if can_count(n)},
        }

    def count(self, view: View) -> Mapping[str, Numbers]:
        """Coins lie open."""
        return {"coins": view["coins"]}

    def labels(self, view: View, language: Language) -> Mapping[str, FigureLabel]:
        """Seats are called by their names."""
        return {seat: FigureLabel(str(seat), n) for n, seat in enumerate(view["coins"])}

    def list_violations(self, position: Position[Board]) -> Sequence[Problem]:
        """Coins and cards: nothing minted, nothing lost."""
        board = position.board
        coins = board.bank + sum(board.coins.values())
        held = [card.value for card in (*board.deck, *(c for hand in board.hands.values() for c in hand))]
        wrong = []
        if coins != 2 * COINS * len(board.coins) or min(board.bank, *board.coins.values()) < 0:
            wrong.append(Problem("coins", {"count": coins}))
        if sorted((*held, *board.discard)) != sorted(CARDS):
            wrong.append(Problem("cards", {"count": len(held)}))
        return tuple(wrong)


def restack(table: Table[Board]) -> None:
    """Shuffle all that nobody holds: fresh Secrets, since those who knew a card do not know where it went."""
    board = table.board
    loose = (*board.discard, *(card.value for card in board.deck))
    if loose:
        name = f"restack/{board.turn}/{len(playing(board))}"
        table.emit(Stacked(deck=tuple(Secret(card) for card in table.shuffle(name, loose))))


def finish(table: Table[Board], reason: str) -> None:
    """§9, §10  A point for each coin, three for each town, two for each ribbon; seats that left come last."""
    board = table.board
    towns = list(board.owner.values())
    points = {s: c + 3 * towns.count(s) + 2 * board.ribbons.get(s, 0) for s, c in board.coins.items()}
    standing = {s: (s not in board.gone, points[s]) for s in points}
    ranks = sorted(set(standing.values()), reverse=True)
    ranking = tuple(tuple(s for s in points if standing[s] == rank) for rank in ranks)
    ribbons = fair.result(table)
    table.emit(Ended(reason=reason, ranking=ranking, points=points, is_won=ribbons != "bare", result=ribbons))


def _coins(given: Orders) -> int:
    order = single_order(given)
    return order.coins if isinstance(order, orders.Bid) else 0


RULES = Toy()
