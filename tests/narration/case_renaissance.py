"""Renaissance, as it is held under the laws of telling."""

from collections.abc import Iterator, Mapping

from engine.kernel.correction_events import FigureCorrected
from engine.kernel.events import Event
from engine.kernel.orders import Clause, Condition, Line, Problem, unconditional
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.renaissance import catalogue
from engine.renaissance import events as e
from engine.renaissance.board import Battle, City, Laid, Phase
from engine.renaissance.corrections import CityRighted, StateRighted
from engine.renaissance.orders import Attack, Lay
from engine.renaissance.ruleset import RULES
from tests.narration.cases import A, B, C, Case
from tests.narration.text_checks import SEVEN, kernel_samples, moved_samples

SEATS = SEVEN[:6]
POOR = Problem("too_dear", {"price": 8, "ducats": 2})
LINE = Line((Clause(Attack("milano", ("canon", "chevaliers"), "pavia"), (Condition("fell", {"city": "genova"}),)),), 2)
BUILDINGS = ("palace", "rampart", "castle", "fortress")
PRIVILEGES = {f"power_{nation}": "on" for nation in catalogue.NATIONS}


def known(card: str, *seats: Seat) -> Secret[str]:
    """A card that these seats know."""
    return Secret(card, frozenset(seats))


def battle(way: str = "road", attacker: Seat = A, defender: Seat = B, cards: tuple[str, ...] = ("canon.1",)) -> Battle:
    """A battle just announced."""
    laid = tuple(Laid(known(card, attacker)) for card in (*cards, "condottiere.2"))
    origin = "" if way == "ride" else "svizzera"
    return Battle(1, attacker, defender, "laquila", origin, way, attack=laid)


def samples() -> Iterator[Event]:
    """Events of every class, in every case that its sentence knows."""
    yield from _set_up()
    yield from _course()
    yield from _battles()
    yield from _cards()
    yield from _scoring()
    yield from kernel_samples(
        "combat",
        LINE,
        POOR,
        unconditional(Lay("strongest", "felon")),
        (e.Gave(seat=A, to=B, ducats=2),),
        ("scenario", "1515"),
        tuple(RULES.meta.endings),
    )
    yield from _righted()


def _righted() -> Iterator[Event]:
    yield from moved_samples("canon.1")
    for what, about in (("ducats", ""), ("points", "2")):
        yield from (FigureCorrected(seat=A, what=what, by=by, about=about) for by in (1, -1, 3))
    cities = (
        City(),
        City(A, 1),
        City(B, 1),
        City(A, 2),
        City(A, 3),
        City(A, 1, palace=True),
        City(A, 1, palace=True, artist="leonardo"),
        City(A, 1, pillaged=True),
    )
    for before in cities:
        yield from (CityRighted(city="milano", before=before, after=after) for after in cities if after != before)
    yield from (StateRighted(before=before, after=after) for before, after in (("peace", "war"), ("war", "peace")))


def _set_up() -> Iterator[Event]:
    deck = (Secret("canon.1"), Secret("felon.1"))
    yield from (e.DeckMade(deck=deck, cause=cause) for cause in ("start", "empty", "turn"))
    for nation in catalogue.NATIONS:
        yield from (e.NationTaken(seat=A, nation=nation, drawn=drawn) for drawn in (True, False))
    yield e.TableSet(scenario="standard", closed=("hrr", "savoia"))
    yield from (e.TableSet(scenario=scenario, closed=()) for scenario in catalogue.SCENARIOS)
    yield e.OrderDrawn(order=SEATS)
    yield e.OrderDrawn(order=SEATS, listed=True)
    yield from (e.OrderDrawn(order=SEATS, barred=seat) for seat in (A, B))
    yield e.Founded(seat=A, cities=("milano", "svizzera"), rampart="svizzera")
    yield e.Founded(seat=A, cities=("milano", "laquila", "pavia"), rampart="milano", palace="laquila")
    yield from (e.GarrisonPlaced(seat=A, city="svizzera", sea=sea) for sea in (True, False))


def _course() -> Iterator[Event]:
    yield from (e.TurnBegan(turn=turn, year=year) for turn, year in enumerate(catalogue.SCENARIOS["standard"].years, 1))
    yield from (e.PhaseBegan(phase=phase) for phase in Phase)
    yield from (e.Returned(seat=A, city="urbino", loser=loser, ducats=6) for loser in (B, None))
    for state, war, of in (("war", 3, 6), ("war", 5, 7), ("peace", 1, 6), ("peace", 0, 3)):
        yield e.StateSet(state=state, votes={A: "war", B: "peace", C: "war"}, war=war, of=of)
    yield from (e.StateSet(state=state, votes={}, war=0, of=0) for state in ("war", "peace"))
    yield e.StateSet(state="war", votes={A: "war"}, war=1, of=1)
    yield from (e.StanceTaken(seat=A, side=side) for side in ("attack", "defence"))
    cards = (known("canon.1", A), known("canon.2", A), known("felon.1", A))
    for cause, drawn, ducats in (
        ("peace", cards, 4),
        ("war", cards, 0),
        ("empire", cards[:1], 0),
        ("bought", cards[:2], 0),
        ("embassy", cards, 0),
        ("bought", (), 0),
        ("peace", (), 4),
    ):
        yield e.CardsDrawn(seat=A, cards=drawn, cause=cause, ducats=ducats)
    yield from (e.CardsBought(seat=A, count=count, paid=2 * count) for count in (1, 3))
    yield from (e.Built(seat=A, city="milano", what=what, paid=4) for what in BUILDINGS)
    yield from (e.Settled(seat=A, city="ancona", origin="laquila", sea=sea) for sea in (True, False))


def _battles() -> Iterator[Event]:
    yield e.CampaignBegan(seat=A)
    for cards in ((), ("canon.1", "canon.2"), ("canon.1",), ("suisses.1",)):
        yield e.CampaignEnded(seat=A, cards=cards)
    for kind in catalogue.KINDS:
        yield e.CardPlayed(seat=A, kind=kind, card=f"{kind}.1")
    yield e.CardPlayed(seat=A, kind="pillards", card="")
    for way in ("road", "sea", "ride"):
        yield e.AttackAnnounced(battle=battle(way))
        yield e.AttackAnnounced(battle=battle(way, B, C, ("canon.1", "felon.1")))
    yield from (e.CondottiereOffered(seat=A, to=seat) for seat in (B, C))
    for back in (None, known("piquiers.1", A), known("canon.1", A)):
        yield e.CondottiereHired(seat=A, seller=B, card=known("condottiere.1", A, B), back=back)
    yield from (e.HirePresumed(seat=A, ducats=ducats, free=free) for ducats, free in ((2, False), (1, True), (0, True)))
    yield e.DefenceLaid(seat=A, cards=())
    yield from (e.DefenceLaid(seat=A, cards=(known("canon.1", A), known("felon.1", A))[:n]) for n in (1, 2))
    yield from _shown()
    yield from (
        e.RedCancelled(seat=A, kind=kind, attack=f"{kind}.1", defence=f"{kind}.2", from_hand=hand)
        for kind in ("felon", "ingenieur")
        for hand in (True, False)
    )
    yield from (e.TroopLost(seat=A, card=card) for card in ("suisses.1", ""))
    yield from (e.CondottiereThrown(seat=A, card="condottiere.1", face=face, throw=1) for face in catalogue.FACES)
    yield e.CondottiereThrown(seat=A, card="condottiere.1", face="betrayal", throw=2, for_sale=True)
    yield e.CondottiereTurned(seat=A, loser=B, card="condottiere.1", paid=1)
    yield from (e.SignLaid(seat=A, sign="signe_de_dieu.1", card=card) for card in ("suisses.1", "canon.1"))
    yield from _decided()


def _shown() -> Iterator[Event]:
    for defence, paid, unpaid in (
        (("piquiers.1",), {}, ()),
        ((), {A: 2}, ()),
        (("condottiere.1", "condottiere.2"), {A: 1, B: 1}, ("condottiere.1",)),
        (("condottiere.1", "condottiere.2"), {}, ("condottiere.1", "condottiere.2")),
    ):
        yield e.CardsShown(
            attacker=A,
            defender=B,
            attack=("canon.1", "canon.2", "felon.1"),
            defence=defence,
            dice=(4, 2),
            paid=paid,
            unpaid=unpaid,
        )


def _decided() -> Iterator[Event]:
    attack, defence = {"cards": 11, "die": 4, "swiss": 1}, {"cards": 5, "walls": 4, "ground": 1, "landing": 1, "die": 2}
    for won_by in ("attack", "defence", "tie"):
        yield e.BattleDecided(attacker=A, defender=B, city="laquila", attack=attack, defence=defence, won_by=won_by)
    for retreats, free in ((("retraite.1",), False), (("retraite.1", "retraite.2"), True), ((), True)):
        yield e.CardsSaved(seat=A, cards=("canon.1", "suisses.1"), retreats=retreats, free=free)
    for captured, aside, back in ((True, ("canon.1", "canon.2"), ()), (False, (), ("suisses.1",)), (False, (), ())):
        yield e.BattleEnded(
            attacker=A, defender=B, city="svizzera", captured=captured, aside=aside, back=back, discarded=("felon.1",)
        )
    yield e.BattleEnded(attacker=A, defender=B, city="bari", captured=False, aside=(), back=(), discarded=())


def _cards() -> Iterator[Event]:
    for owner, throw, won in ((B, 5, True), (B, 2, False), (None, 0, True)):
        yield e.Pillaged(seat=A, city="pisa", owner=owner, throw=throw, needs=3, won=won, ducats=1 if won else 0)
    for effect, city in (("corruption", "bari"), ("corruption", ""), ("upkeep", "bari"), ("upkeep", ""), ("help", "")):
        yield e.EmbassyHeard(seat=A, dice=(3, 4), effect=effect, city=city)
    yield from (e.Corrupted(seat=A, city="urbino", loser=B, throw=4, needs=3, won=won) for won in (True, False))
    yield from (e.Ruined(seat=A, city="urbino", owner=owner, level=level) for owner in (A, B) for level in (1, 2))
    yield e.Married(seat=A, city="svizzera", loser=B, paid=2)
    yield e.ArtistCame(seat=A, city="firenze", artist="savonarole", burnt=True)
    yield from (e.ArtistCame(seat=A, city="firenze", artist=a, burnt=False) for a in catalogue.ARTISTS)
    yield e.BankerPaid(seat=A, city="ancona", ducats=5)
    for throw, won in ((5, True), (4, False)):
        yield e.ArtistLured(seat=A, origin="ancona", city="firenze", loser=B, artist="botticelli", throw=throw, won=won)
    yield e.Eliminated(seat=A)


def _scoring() -> Iterator[Event]:
    for provinces, artists in (
        ((), ()),
        (("umbria",), ()),
        (("umbria", "marche", "pisa"), ("firenze",)),
        ((), ("firenze", "laquila")),
    ):
        yield e.PointsScored(seat=A, provinces=provinces, artists=artists)
    for pillaged, bonus in (((), 0), (("ancona",), 0), (("ancona", "svizzera"), 2)):
        yield e.IncomeTaken(seat=A, ducats=7, pillaged=pillaged, bonus=bonus)
    yield from (e.MarkersLifted(cities=("ancona", "svizzera")[:n]) for n in (1, 2))
    yield from (e.Gave(seat=A, to=B, ducats=ducats) for ducats in (1, 5))
    yield e.SwapOffered(seat=A, to=B, gives="milano", wants="svizzera")
    yield e.SwapRecalled(seat=A, gives="milano", wants="svizzera")
    yield e.Swapped(seat=A, to=B, gives="milano", wants="svizzera")


_TERMS: Mapping[str, object] = {
    "asks": "combat",
    "city": "laquila",
    "cities": ("milano", "svizzera"),
    "gives": "milano",
    "wants": "svizzera",
    "origin": "ancona",
    "origins": ("ancona", "svizzera"),
    "nation": "france",
    "seat": B,
    "state": "truce",
    "side": "front",
    "room": 2,
    "price": 8,
    "ducats": 1,
    "due": 2,
    "what": "tower",
    "level": 3,
    "seas": 1,
    "to": ("france",),
    "cards": ("canon", "strongest"),
    "card": "felon",
    "most": 2,
    "spent": 2,
    "levels": (1, 3),
    "count": 2,
    "wins": 4,
    "of": 6,
    "walls": 2,
    "artist": "leonardo",
}
_WHAT: Mapping[str, Mapping[str, object]] = {
    "none_left": {"what": "ramparts"},
    "wrong_walls": {"what": "castle"},
    "pieces_counted": {"what": "castles"},
    "card_counted": {"card": "canon.1"},
}


def terms(code: str, names: frozenset[str]) -> Mapping[str, object]:
    """What stands for each term of a problem."""
    return {name: _WHAT.get(code, {}).get(name, _TERMS[name]) for name in names}


def variants() -> Iterator[Problem]:
    """Problems that are told in several ways."""
    for what in ("battle", "cards", "embassy", "artist", "lure", "hire"):
        yield Problem("unforeseen", {"what": what, "city": "bari", "walls": 1})
    for what in BUILDINGS:
        yield Problem("wrong_walls", {"city": "bari", "level": 2, "what": what})
    for what in ("ramparts", "castles", "palaces"):
        yield Problem("none_left", {"what": what})
    for origins in ((), ("ancona",)):
        yield Problem("not_linked", {"city": "bari", "origins": origins})
        yield Problem("no_way_there", {"city": "bari", "origins": origins})
    for ducats in (0, 1, 3):
        yield from (Problem("not_enough", {"ducats": ducats, "due": due}) for due in (0, 1, 2))
    yield Problem("no_such_choice", {"city": "bari", "cities": ()})
    yield Problem("out_of_reach", {"cities": ("bari",)})
    yield Problem("hand_full", {"room": 0})
    yield Problem("city_taken", {"city": "bari", "seat": A})
    yield Problem("no_such_city", {"city": "atlantis"})
    yield Problem("cards_not_held", {"cards": ("weakest",)})
    yield from (Problem("no_card", {"card": kind}) for kind in catalogue.KINDS)


def figures(asks: str) -> Mapping[str, int | str]:
    """The terms of a question: those of a battle."""
    if asks not in ("sales", "hire", "defence", "counter", "traitor", "sign", "retreat"):
        return {}
    powers = CASE.position().board.powers
    return {"city": "svizzera", "attacker": powers[B].nation, "defender": powers[A].nation}


_ORDINARY = frozenset({"mariage", "pillards", "retraite", "suisse", "svizzera"})
_THINGS: Mapping[str, Mapping[str, object]] = {
    "city": catalogue.TOWNS,
    "province": catalogue.PROVINCES,
    "card": catalogue.KINDS,
    "nation": catalogue.NATIONS,
}
CASE = Case(
    rules=RULES,
    samples=samples,
    things={
        **_THINGS,
        "artist": frozenset(catalogue.ARTISTS),
        "phase": frozenset(map(str, Phase)),
        "building": frozenset(BUILDINGS),
        "piece": frozenset({"ramparts", "castles", "palaces", "pillage"}),
        "level": frozenset({"0", "1", "2", "3"}),
        "state": frozenset({"peace", "war"}),
        "side": frozenset({"attack", "defence"}),
        "part": frozenset({"cards", "die", "swiss", "walls", "ground", "landing"}),
    },
    ids=frozenset(t for things in _THINGS.values() for t in things if t.isalpha()) - _ORDINARY,
    terms=terms,
    hidden="mariage.1",
    figures=figures,
    variants=variants,
    plays=({"nations": "chosen"}, {"scenario": "1515", "pace": "order", **PRIVILEGES}, {"unanswered": "ask"}),
    seats=SEATS,
)
