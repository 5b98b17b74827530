"""The Age of Renaissance: a game between bots, played once for all tests of narration, and samples of every event."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from engine.age_of_renaissance import catalogue
from engine.age_of_renaissance import corrections as c
from engine.age_of_renaissance import events as e
from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import Board, Leader, Phase, Piece, War
from engine.age_of_renaissance.orders import Attack, Forfeit, Place
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.bots import Entry
from engine.kernel.correction_events import FigureCorrected
from engine.kernel.events import Event
from engine.kernel.orders import Clause, Line, Problem, unconditional
from engine.kernel.position import Position
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from tests import bot_games
from tests.narration.text_checks import kernel_samples, moved_samples

GAME = "age_of_renaissance"
SEATS = (Seat("p1"), Seat("p2"), Seat("p3"), Seat("p4"))
A, B, C, D = SEATS


@cache
def entries() -> tuple[Entry[Board], ...]:
    """Every entry of a whole game, the first being the start."""
    return bot_games.plain(RULES).entries


def position(at: int = -1) -> Position[Board]:
    """The true position after an entry."""
    return entries()[at].after.position


CLAUSE = Clause(Attack("firenze", 8))
LINE = Line((CLAUSE,), 2, (Clause(Place("roma", 4)),))
POOR = Problem("too_dear", {"cost": 30, "cash": 2})


def _known(card: str, *seats: Seat) -> Secret[str]:
    return Secret(card, frozenset(seats))


def rivalry(**changes: Any) -> e.RivalryFought:
    """An attack that loses on every die, but for what is changed."""
    made: dict[str, Any] = {
        "seat": A,
        "province": "iceland",
        "tokens": 4,
        "via": "ship",
        "number": 1,
        "strength": 4,
        "against": ((B, 2),),
        "rank": 3,
        "dice": (2, 1, 5),
        "by": None,
        "won": False,
        "left": "",
    }
    return e.RivalryFought(**{**made, **changes})


def samples() -> Iterator[Event]:
    """Events of every class, in every case that its sentence knows."""
    yield from _set_up()
    yield from _cards()
    yield from _money()
    yield from _history()
    yield from _expansion()
    yield from _kernel()
    yield from _righted()


def _righted() -> Iterator[Event]:
    yield from moved_samples("ivory_gold_1")
    for what in ("ducats", "tokens", "misery"):
        yield from (FigureCorrected(seat=A, what=what, by=by) for by in (1, -1, 3, -3))
    pieces = (Piece(), Piece(old=1), Piece(old=2, new=1), Piece(marker="old"))
    for before in pieces:
        yield from (c.PieceRighted(seat=A, province="roma", before=before, after=p) for p in pieces if p != before)
    yield from (c.AdvanceRighted(seat=A, letter="B", held=held) for held in (True, False))
    ships = (None, Ship(Hull.GALLEY, 4), Ship(Hull.GALLEON, 2))
    yield from (c.ShipRighted(seat=A, before=ships[n - 1], after=ships[n]) for n in range(3))
    yield from (c.MarketRighted(good="wine", by=by) for by in (1, -1, 2))
    yield from (c.WarRighted(war=War(A, B, 3, 1), lasts=lasts) for lasts in (True, False))
    yield from (c.BanRighted(before=before, after=after) for before, after in (("", "religion"), ("religion", "")))


def _set_up() -> Iterator[Event]:
    for cause in ("setup", "kept", "withheld", "epoch"):
        yield e.PileMade(epoch=2, deck=(Secret("famine"), Secret("wool_1a")), cause=cause)
    yield e.Dealt(seat=A, cards=(_known("wool_1a", A), _known("rebellion", A), _known("newton", A)))
    yield e.Kept(seat=A, kept=(_known("wool_1a", A), _known("rebellion", A)), back=_known("newton", A))
    yield from (e.BidMade(seat=A, ducats=ducats) for ducats in (0, 1, 3))
    yield e.TieRolled(rolls=((A, 5), (B, 2)))
    yield e.TieRolled(rolls=((A, 5), (B, 5)))
    yield from (e.CapitalTaken(seat=A, capital="venezia", chosen=chosen) for chosen in (1, 2, 3, 4))
    yield e.TurnBegan(turn=3)
    yield from (e.PhaseBegan(phase=phase) for phase in Phase)
    yield from (e.LastTurnCame(reason=reason) for reason in RULES.meta.endings)
    for asked, taken, paid in ((0, 0, 0), (1, 1, 1), (14, 14, 14), (-5, 0, 5), (40, 30, 40)):
        yield e.TokensBought(seat=A, asked=asked, taken=taken, paid=paid)
    slots = ((A, 1), (B, 3), (C, 5), (D, 6))
    yield e.OrderSet(slots=slots, cause="tokens")
    yield e.OrderSet(slots=slots, cause="Q", seat=A)
    yield e.OrderSet(slots=slots, cause="civil_war", seat=D)


def _cards() -> Iterator[Event]:
    for cause, ducats, tokens in (
        ("turn", 0, 0),
        ("extra", 10, 0),
        ("expansion", 0, 3),
        ("bonus", 0, 0),
        ("bonus_tied", 0, 0),
        ("shortage", 0, 0),
    ):
        yield e.CardDrawn(seat=A, card=_known("ivory_gold_1", A), cause=cause, ducats=ducats, tokens=tokens)
    yield e.CardDiscarded(seat=A, card="wool_1a", removed=False, cause="P")
    yield e.CardDiscarded(seat=A, card="newton", removed=True, cause="final")
    for card, target, good in (
        ("wool_1a", (), "wool"),
        ("cloth_wine_1", (), "cloth"),
        ("war", ("@B",), ""),
        ("war", ("@A",), ""),
        ("rebellion", ("iceland",), ""),
        ("pirates", ("roma", "oran"), ""),
        ("black_death", ("VI",), ""),
        ("papal_bull", ("religion",), ""),
        ("famine", (), ""),
        ("newton", (), ""),
        ("crusades", ("suez",), ""),
    ):
        capitals = {"@A": position().board.powers[A].capital, "@B": position().board.powers[B].capital}
        yield e.CardPlayed(seat=A, card=card, target=tuple(capitals.get(t, t) for t in target), good=good)
    yield from (e.CardsKept(seat=A, cards=cards) for cards in (("crusades",), ("crusades", "stirrups")))
    yield e.CardsExchanged(seat=A, victim=B, given=_known("wool_1a", A, B), taken=_known("newton", A, B))


def _money() -> Iterator[Event]:
    yield from (e.Paid(seat=A, ducats=ducats, cause=cause) for ducats, cause in ((1, "surplus"), (9, "alchemist")))
    yield e.Paid(seat=A, ducats=2, cause="F")
    yield e.Paid(seat=A, ducats=0, cause="civil_war")
    yield e.Received(seat=A, ducats=10, cause="mongols")
    for provinces, market, more, ducats in ((1, 0, False, 5), (2, 1, True, 80), (1, -1, False, 0), (10, 1, True, 500)):
        yield e.CommodityPaid(seat=A, good="wine", provinces=provinces, market=market, manufactures=more, ducats=ducats)
    yield e.IncomeTaken(seat=A, provinces=6, base=39, middle=0, bank=0)
    yield e.IncomeTaken(seat=A, provinces=1, base=19, middle=10, bank=29)
    last = len(catalogue.MISERY)
    for before, after, cause in ((0, 1, "civil_war"), (3, 1, "tiers"), (last - 1, last, "stabilisation"), (2, 1, "B")):
        yield e.MiseryMoved(seat=A, before=before, after=after, cause=cause)
    yield e.MiseryMoved(seat=A, before=0, after=2, cause="war_unceded")
    yield e.Eliminated(seat=A, cause="misery", discarded=("wool_1a", "famine"), removed=("newton",))
    yield e.Eliminated(seat=A, cause="left", discarded=(), removed=())
    yield e.MarketRolled(green=4, black=2, white=1, goods=("wool",), shift=-1)
    yield e.MarketRolled(green=1, black=6, white=6, goods=("gold", "ivory"), shift=1)
    for cause, seat in (("cancelled", A), ("J", A), ("played", None), ("expired", None)):
        for by, left in ((1, 0), (-1, 0), (1, -1), (-1, 1), (1, -2)):
            ducats = 9 if cause == "cancelled" else 0
            yield e.MarketMoved(good="spice", by=by, cause=cause, seat=seat, ducats=ducats, left=left)


def _history() -> Iterator[Event]:
    fallen = (("stock", "rebellion"), ("expansion", "black_death"), ("left", "rebellion"), ("", "pirates"))
    for source, cause in (*fallen, ("stock", "lift")):
        yield e.MarkerReduced(seat=A, province="india", source=source, cause=cause)
    yield e.PiecesRemoved(seat=A, province="shetland", tokens=0, marker=True, cause="crusades")
    yield e.PiecesRemoved(seat=A, province="oran", tokens=1, marker=False, cause="black_death")
    yield from (e.MarkerPlaced(seat=A, province="suez", token=token, cause="crusades") for token in (False, True))
    for winner in (A, B, None):
        yield e.WarRolled(attacker=A, defender=B, dice=(4, 3), bonus=(1, 0), winner=winner, turn=3)
    yield e.WarOver(attacker=A, defender=B)
    for placed in ("marker", "token", ""):
        yield e.ProvinceCeded(loser=A, winner=B, province="china", placed=placed)
    for loser, winner in ((A, B), (B, A)):
        for gone in (A, B):
            yield from (e.CessionLapsed(loser=loser, winner=winner, gone=gone, provinces=n) for n in (1, 2))
    yield from (e.TokensMoved(seat=A, tokens=tokens, cause="F") for tokens in (2, -1, 0))
    yield e.TokensMoved(seat=A, tokens=-1, cause="arrival")


def _expansion() -> Iterator[Event]:
    yield e.ShipUpgraded(seat=A, ship=Ship(Hull.GALLEY, 2), paid=10)
    yield e.AdvanceBought(seat=A, letter="I", cost=20, credits=(), paid=20)
    yield e.AdvanceBought(seat=A, letter="N", cost=30, credits=(("dionysius", 20),), paid=10)
    yield e.AdvanceBought(seat=A, letter="O", cost=60, credits=(("gutenberg", 30), ("N", 30)), paid=0)
    yield e.LeaderClaimed(seat=A, card="charlemagne")
    yield e.Refunded(seat=A, card="erasmus", letters=("O", "Q"), ducats=40)
    for cards, paid in ((0, 0), (1, 1), (3, 6), (5, 8), (3, -1)):
        yield e.Stabilised(seat=A, cards=cards, paid=paid)
    yield e.LeadersLeft(leaders=())
    yield e.LeadersLeft(leaders=(Leader("charlemagne", A, 1), Leader("newton", B, 2)))
    for via, marker in (("land", True), ("ship", False), ("caravan", False), ("ocean", True), ("held", True)):
        yield e.Placed(seat=A, province="east_indies", tokens=3, via=via, marker=marker)
    yield from _rivalries()
    yield e.MarkerLifted(seat=A, lifted="oran", province="wales")
    yield from (e.TokensReturned(seat=A, tokens=tokens) for tokens in (1, 4))
    yield e.Consolidated()


def _rivalries() -> Iterator[Event]:
    yield rivalry()
    for dice in ((2, 5, 1), (5, 1, 3), (3, 1, 5), (1, 4, 4), (3, 4, 4)):
        for won, left in ((True, "marker"), (True, "token"), (True, ""), (False, "")):
            yield rivalry(dice=dice, won=won, left=left)
    yield rivalry(dice=None, by=A, won=True, left="marker")
    yield rivalry(dice=None, by=B, against=((B, 2), (C, 1)))


def _kernel() -> Iterator[Event]:
    yield from kernel_samples(
        "expansion",
        LINE,
        POOR,
        unconditional(Forfeit("money")),
        (e.Paid(seat=A, ducats=2, cause="surplus"),),
        ("tiers", "phase"),
        tuple(RULES.meta.endings),
    )


# --- words


def causes_in_the_engine() -> set[str]:
    """Every cause that a rule of the game gives to an event, read from its source."""
    found: set[str] = set()
    for path in Path(catalogue.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                found |= set(_causes(node))
    return found


_LAST_ARGUMENT = ("raise_misery", "lower_misery", "move_misery", "reduce_marker", "eliminate", "_lose_money", "_clear")


def _causes(call: ast.Call) -> Iterator[str]:
    for keyword in call.keywords:
        if keyword.arg == "cause" and isinstance(keyword.value, ast.Constant):
            yield str(keyword.value.value)
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    last = call.args[-1] if call.args else None
    if name in _LAST_ARGUMENT and isinstance(last, ast.Constant):
        yield str(last.value)
    if name == "draw_card" and len(call.args) > 2 and isinstance(call.args[2], ast.Constant):
        yield str(call.args[2].value)


_ORDINARY = frozenset(
    "war famine mysticism crusades rebellion uprisings pirates levant iceland armor stirrups gunpowder".split()
)
LOWER_IDS = frozenset(thing for thing in (*catalogue.PROVINCES, *catalogue.CARDS) if thing.isalpha()) - _ORDINARY
