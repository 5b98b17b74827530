"""How Patchistory is told: samples of its events, terms of its problems."""

from collections.abc import Iterator, Mapping

from engine.kernel.correction_events import FigureCorrected
from engine.kernel.events import Event
from engine.kernel.orders import Clause, Condition, Line, Problem, unconditional
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.patchistory import catalogue
from engine.patchistory import events as e
from engine.patchistory.board import Lot, Phase, Route
from engine.patchistory.corrections import (
    FirstRighted,
    LandRighted,
    LandsShuffled,
    ProsperityMoved,
    RouteRighted,
    SquareRighted,
    WorkersRighted,
)
from engine.patchistory.orders import Bid, Votes
from engine.patchistory.ruleset import RULES
from engine.patchistory.territory import Square
from tests.narration.cases import A, B, C, Case, D
from tests.narration.text_checks import kernel_samples, moved_samples

SEATS = (A, B, C, D)
POOR = Problem("no_money", {"needed": 4, "money": 2})
LINE = Line((Clause(Bid("A", 2, 5), (Condition("free", {"lot": "B"}),)),), 1, (Clause(Bid("C", 1)),))
TILES = tuple(catalogue.TILES)


def known(thing: str, *seats: Seat) -> Secret[str]:
    """A building tile or card that these seats know."""
    return Secret(thing, frozenset(seats))


def samples() -> Iterator[Event]:
    """Events of every class, in every case that its sentence knows."""
    yield from _set_up()
    yield from _auction()
    yield from _workers()
    yield from _acts()
    yield from _conflict()
    yield from _ends()
    endings = tuple(RULES.meta.endings)
    edits = (e.WorkerRested(seat=A, number=3),)
    yield from kernel_samples("administration", LINE, POOR, unconditional(Votes((6,))), edits, ("mixed", "no"), endings)
    yield from _righted()


def _set_up() -> Iterator[Event]:
    pair = (Secret("farm-1"), Secret("market-1"))
    yield from (e.CapitalsDealt(capitals={A: "merchants"}, side=side) for side in ("equality", "liberty"))
    yield e.BuildingsShuffled(pile=pair)
    yield e.CardsShuffled(stack=(Secret("rank_heroes"),))
    yield e.Dealt(seat=A, pack=(known("farm-1", A), known("hall-1", A)), cards=(known("rank_heroes", A),) * 3)
    yield e.FirstPlayerChosen(seat=A)
    for cause in ("setup", "negotiation", "construction", "constantine_i"):
        yield from (e.RouteLaid(number=3, start=A, end=B, allied=x, cause=cause) for x in (True, False))
    yield from (e.RouteGone(number=3, allied=x, ends=(A, B), cause="broken") for x in (True, False))
    yield from (e.EraBegan(era=era, deck=pair) for era in (1, 2, 3))
    yield from (e.TurnBegan(turn=turn, era=(turn - 1) // 5 + 1, round=1, first=A) for turn in (1, 6, 11))
    yield from (e.PhaseBegan(phase=phase) for phase in Phase)


def _auction() -> Iterator[Event]:
    lots = (Lot("A", TILES[0], "white"), Lot("B", TILES[1], "black"))
    yield e.Offered(lots=lots)
    yield e.Offered(lots=(Lot("A", TILES[2]), Lot("B", TILES[3])))
    yield e.MoneyLent(seat=A, culture=3, money=1)
    yield e.Waited(seat=A)
    yield from (e.BidMade(seat=A, lot="B", money=4, raised=1, left=left) for left in ("", "A"))
    yield e.BidsShown(bids=((A, "A", 4), (B, "A", 2)))
    yield from (e.TileTaken(seat=A, lot=lots[0], cause=cause) for cause in ("bid", "other", "vasco_da_gama"))
    for under in ((), ("K9",), ("K9", "K10")):
        yield e.TilePlaced(seat=A, tile=TILES[4], side="white", corner="K9", under=under)
    yield from (e.TilePlaced(seat=A, tile=tile, side="black", corner="K9") for tile in TILES)
    yield e.TileDiscarded(seat=A, tile=TILES[5])


def _workers() -> Iterator[Event]:
    yield e.WorkerSettled(seat=A, square="I9", cause="setup")
    yield e.WorkerSettled(seat=A, square="I9", cause="moses")
    yield from (e.WorkerSettled(seat=A, square="I9", cause="train", food=4, points=n) for n in (1, 2))
    yield from (e.WorkerMoved(seat=A, start="I9", to="J9", cause=cause) for cause in ("movement", "crowded", "shared"))
    yield e.WorkerSent(seat=A, square="I9", number=2, food=2, points=1)
    yield e.WorkerTravelled(seat=A, number=2, spot=3)
    yield e.WorkerRested(seat=A, number=2)
    for square in ("J9", ""):
        yield e.WorkerCameHome(seat=A, number=2, square=square, cause="war")
    yield e.WorkerSentBack(seat=A, square="I9", number=0, cause="kremlin")
    yield e.WorkerSentBack(seat=A, square="", number=2, cause="chichen_itza")
    yield e.WorkerSentBack(seat=A, square="I9", number=0, cause="crowded")


def _acts() -> Iterator[Event]:
    goods = ("food", "food", "resource")
    yield e.AidOffered(seat=A, to=B, goods=goods, points=2)
    for accepted, culture in ((True, 5), (False, 2)):
        yield e.AidAnswered(seat=A, to=B, goods=goods, accepted=accepted, culture=culture)
    for good, paid in (("money", 3), ("money", 1), ("culture", 3)):
        yield e.Threatened(seat=A, to=B, good=good, demanded=3, paid=paid, points=3)
    yield from (e.AllianceBroken(seat=A, to=B, points=n, votes=n) for n in (1, 4))
    yield e.Exchanged(seat=A, good="resource", count=1, gained={"food": 1, "money": 1}, points=1)
    yield e.Exchanged(seat=A, good="food", count=4, gained={"resource": 2}, points=2)
    for what, good, paid in (("hero", "food", 1), ("wonder", "resource", 0), ("wonder", "resource", 2)):
        yield e.Honoured(seat=A, what=what, good=good, paid=paid, culture=2, points=2)
    yield e.RouteBuilt(seat=A, to=B, number=5, resources=2, points=2)
    tile = known("farm-1", A)
    yield e.Cleared(seat=A, of=A, square="I9", tile=tile, resources=1, points=2, cause="clear")
    yield e.Cleared(seat=A, of=B, square="I9", tile=tile, resources=0, points=0, cause="stealth_bomber")
    yield from (e.Built(seat=A, square="I9", tile=f"{b}-1", resources=2, points=3) for b in catalogue.BUILDINGS)
    yield from (e.BuildingDrawn(seat=A, tile=known(f"{b}-1", A)) for b in catalogue.BUILDINGS)
    yield from (e.Campaigned(seat=A, points=n, votes=n) for n in (1, 3))
    for symbols in ({"culture": 2}, {"culture": -4}, {"food": 1, "vote": 2}, {"resource": 1}):
        yield e.Gained(seat=A, symbols=symbols, cause="ziggurat_of_ur")


def _conflict() -> Iterator[Event]:
    for tokens in ({A: "red", B: "blue"}, {A: "blue", B: "blue"}, {A: "red", B: "red"}):
        for wishes in ((), (A,), (A, B)):
            yield e.Negotiated(number=2, tokens=tokens, wishes=wishes)
    for paid in ({A: 0}, {A: 1}, {A: 2, B: 2}):
        roles = {seat: "red" if seat in paid else "blue" for seat in (A, B)}
        yield from (e.WarDeclared(number=2, roles=roles, paid=paid, last=last) for last in (False, True))
    spent: tuple[Mapping[Seat, Mapping[str, int]], ...] = (
        {A: {}, B: {}},
        {A: {"resource": 1}, B: {"resource": 2, "vote": 1}},
    )
    for fuel in spent:
        for winner, loser in ((A, B), (B, A), (None, None)):
            for taken in (0, 7):
                powers = {A: 6, B: 4}
                yield e.WarFought(
                    number=2, powers=powers, fuel=fuel, winner=winner, loser=loser, culture=5, taken=taken
                )
    yield e.WarCancelled(number=2, ends=(A, B))


def _ends() -> Iterator[Event]:
    for tiles, routes in (({"food": 2, "culture": 1}, {}), ({}, {}), ({"money": 1}, {"resource": 1, "vote": 1})):
        yield e.Produced(seat=A, tiles=tiles, routes=routes)
    yield from (e.WorkersFed(seat=A, food=3, missing=n, culture=3 * n) for n in (0, 1, 2))
    for food, resource, culture in ((2, 1, 0), (0, 0, 8)):
        for missing in ({"food": 0, "resource": 0}, {"food": 1, "resource": 0}, {"food": 2, "resource": 1}):
            yield e.SpecialsKept(seat=A, food=food, resources=resource, missing=missing, culture=culture)
    ranks = {seat: n for n, seat in enumerate(SEATS, 1)}
    yield e.CardsRevealed(
        cards=("rank_heroes", "rank_food_production"), ranks=dict.fromkeys(catalogue.PROSPERITY, ranks)
    )
    yield from (e.CardPut(seat=A, card=known(card, A), visible_to=frozenset({A})) for card in catalogue.PROSPERITY)
    yield e.VotesShown(card="rank_heroes", votes={A: 1, B: 0, C: 4, D: 2})
    yield from (e.CardsDropped(cards=cards) for cards in (("rank_heroes",), ("rank_heroes", "rank_workers")))
    gains: tuple[tuple[int, Mapping[Seat, int]], ...] = ((7, {A: 7, B: 3, D: -3}), (7, {}), (1, {A: 1}))
    for votes, shares in gains:
        yield e.CardScored(card="rank_heroes", votes=votes, culture=shares)
    yield e.VoteEnded()


def _righted() -> Iterator[Event]:
    yield from moved_samples("farm-1")
    for what in catalogue.STOCKS:
        yield from (FigureCorrected(seat=A, what=what, by=by, about="") for by in (1, -1, 3))
    for after in (("I9", "J9"), ("I9",), ()):
        yield WorkersRighted(seat=A, before=("K9",), after=after)
    route = Route(2, A, B)
    for end in (route, Route(2, A, B, spots={A: 1}), None):
        yield RouteRighted(number=2, before=route, after=end)
    plain = Square("capital", "A", "farm")
    for square in (
        plain,
        Square("capital", "A", "farm", "wasteland", True),
        Square("capital", "A", "farm", "built_hall"),
    ):
        yield SquareRighted(seat=A, square="I9", before=plain, after=square)
    for seat in (A, B):
        for source, target in (("stack", "hand"), ("scored", "hand"), ("hand", "stack"), ("hand", "scored")):
            yield ProsperityMoved(card=known("rank_heroes", seat), source=source, target=target, seat=seat)
    yield from (LandRighted(tile=TILES[7], back=back) for back in (False, True))
    yield LandsShuffled(before=(Secret(TILES[8]), Secret(TILES[9])), after=(Secret(TILES[9]), Secret(TILES[8])))
    yield from (FirstRighted(before=one, after=other) for one, other in ((A, B), (B, A)))


_TERMS: Mapping[str, object] = {
    "lot": "B",
    "lots": ("C", "D"),
    "levels": (("transport", 1, 2),),
    "production": (("food", 2, 1), ("resource", 0, 1)),
    "needed": 4,
    "limit": 3,
    "money": 2,
    "start": 5,
    "most": 2,
    "side": "black",
    "square": "J9",
    "other": "K9",
    "squares": ("J9", "J10"),
    "room": "petra",
    "width": 6,
    "height": 4,
    "count": 2,
    "route": 3,
    "to": "green",
    "building": "farm",
    "good": "food",
    "amount": 1,
    "points": 1,
    "military": 2,
    "defence": 4,
    "what": "hero",
    "given": 2,
    "taken": 3,
    "steps": 1,
    "spaces": 4,
    "card": "rank_heroes",
    "cards": 4,
    "votes": 5,
    "seat": B,
    "main": 15,
    "allied": 5,
    "tile": TILES[0],
    "spot": 7,
}
_SPECIAL: Mapping[str, Mapping[str, object]] = {
    "out_of_reach": {"start": "I9", "to": "K9"},
    "limit_below": {"start": 5, "most": 2},
}


def terms(code: str, names: frozenset[str]) -> Mapping[str, object]:
    """What stands for each term of a problem."""
    return {name: _SPECIAL.get(code, _TERMS).get(name, _TERMS[name]) for name in names}


def variants() -> Iterator[Problem]:
    """Problems that are told in several ways."""
    yield from (Problem("none_to_honour", {"what": what}) for what in ("hero", "wonder"))
    yield from (Problem("once_a_round", {"what": what}) for what in ("route", "campaign"))
    yield from (Problem("no_building", {"building": kind}) for kind in ("", *catalogue.BUILDINGS))
    for good in catalogue.STOCKS:
        yield from (Problem("too_few_goods", {"good": good, "needed": n, "amount": 0}) for n in (1, 3))
    counts = ((("transport", 1, 2),), (("resource", 1, 2), ("food", 2, 1)))
    yield from (Problem("would_have", {"levels": a, "production": b}) for a in ((), counts[0]) for b in ((), counts[1]))
    yield from (Problem("may_stick", {"lots": lots}) for lots in (("A",), ("A", "C")))
    yield from (Problem("side_given", {"side": side}) for side in catalogue.SIDES)
    yield Problem("out_of_reach", {"start": "I9", "to": "K9", "steps": 0})


_FIGURES: Mapping[str, Mapping[str, int | str]] = {
    "opening": {"last": 1},
    "settle": {"workers": 2},
    "crowd": {"workers": 1},
    "recall": {"room": "kremlin"},
    "aid": {"by": B, "goods": "food,food,money"},
    "home": {"route": 2},
    "negotiation": {"route": 2},
    "fights": {"wars": 2},
    "fuel": {"route": 2, "power_red": 4, "power_green": 6},
    "votes": {"cards": "rank_heroes,rank_workers", "place": 0},
}


def figures(asks: str) -> Mapping[str, int | str]:
    """The terms of a question."""
    return _FIGURES.get(asks, {})


CASE = Case(
    rules=RULES,
    samples=samples,
    things={
        "colour": frozenset(catalogue.COLOURS),
        "good": frozenset((*catalogue.STOCKS, *catalogue.LEVELS)),
        "side": frozenset(catalogue.SIDES),
        "kind": frozenset({"hero", "wonder"}),
        "phase": frozenset(map(str, Phase)),
        "room": catalogue.ROOMS,
        "card": {*catalogue.PROSPERITY, *catalogue.BUILDINGS, *catalogue.TILES},
        "place": frozenset({"deck", "pile", "stack", "cleared", "gone"}),
    },
    ids=frozenset(room for room in catalogue.ROOMS if room.isalpha()),
    terms=terms,
    hidden="farm-1",
    figures=figures,
    variants=variants,
    plays=({}, {"pace": "order", "side": "liberty", "goods": "open", "voting": "once", "unanswered": "ask"}),
    seats=SEATS,
)
