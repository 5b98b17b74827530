"""Heroes, wonders and special buildings: what each does in play; some are in the tests of their chapters."""

from collections import Counter

import pytest

from engine.kernel.viewers import Seat
from engine.patchistory import orders as o
from engine.patchistory.board import Lot, Phase
from engine.patchistory.catalogue import LEVELS, ROOMS, Kind, Op, Room, When
from engine.patchistory.effects import (
    cost,
    counted,
    exchanged,
    level,
    points,
    price,
    production,
    upkeep,
)
from engine.patchistory.events import (
    Cleared,
    Gained,
    RouteGone,
    RouteLaid,
    TilePlaced,
    WarCancelled,
    WorkerCameHome,
    WorkerSentBack,
    WorkerSettled,
)
from engine.patchistory.phases.specials import OnPlace
from engine.patchistory.territory import Square
from tests.engine.patchistory.build import (
    BLUE,
    GREEN,
    RED,
    At,
    Went,
    code,
    enter,
    events_of,
    game,
    has,
    lay,
    open_gate,
    phase,
    play,
    queue,
    refused,
    route,
    workers,
)


def numbers(position: At, seat: Seat = RED) -> Counter[str]:
    """Levels and production together."""
    board = position.board
    return Counter({name: level(board, seat, name) for name in LEVELS}) + production(board, seat)


def shown(room: str, turn: int = 2) -> At:
    """A position in which this lies in Red's territory."""
    position = game(turn=turn)
    lay(position, RED, room)
    return position


@pytest.mark.parametrize("room", [room for room in ROOMS.values() if room.effects], ids=lambda room: room.id)
def test_symbols_are_added_until_they_are_covered(room: Room) -> None:
    """What is printed outside a gold frame counts from the placement on; what it is counted for lies not there yet."""
    plain = [e for e in room.effects if e.op is Op.GAIN and e.when in (When.PERMANENT, When.PRODUCTION)]
    before, position = numbers(game()), shown(room.id)
    added = sum((Counter(effect.symbols) for effect in plain if not effect.per), Counter[str]())
    if not any(effect.op is Op.SET_LEVEL for effect in room.effects):
        assert numbers(position) - before == added
    player = position.board.players[RED]
    player.territory = {**player.territory, "L9": Square("p", "A", "sea"), "L10": Square("p", "B", "wasteland")}
    assert numbers(position) == before


# --- counts


def test_the_great_wall_counts_workers() -> None:
    """La Grande Muraille: a Defence for each worker, on tiles or routes."""
    position = shown("great_wall_of_china")
    route(position, RED, GREEN, spots={RED: 1})
    workers(position, RED, "I9", "J9")
    assert level(position.board, RED, "defence") == 3


@pytest.mark.holds("patchistory", "ruling", "A-41")
@pytest.mark.parametrize(("room", "what"), [("petra", "money"), ("apollo_11", "culture"), ("genghis_khan", "military")])
def test_routes_are_counted(room: str, what: str) -> None:
    """Petra, Apollo 11, Gengis Khan: one for each main route that starts here, and each allied route shared."""
    position = shown(room)
    route(position, RED, GREEN)
    route(position, GREEN, RED)
    route(position, GREEN, RED, allied=True)
    assert numbers(position)[what] - numbers(game())[what] == 2
    assert counted(position.board, RED, "trade_route") == 2


@pytest.mark.holds("patchistory", "ruling", "A-39")
def test_machu_picchu_counts_wastelands_and_angkor_wat_makes_seas_count() -> None:
    """Machu Picchu: a Food for each Wasteland; Angkor Wat: Seas count wherever Wastelands do (A-39)."""
    position = shown("machu_picchu")
    player = position.board.players[RED]
    added = {
        "N9": Square("p", "A", "wasteland"),
        "N11": Square("p", "B", "sea"),
        "I9": Square("c", "A", "farm", "wasteland"),
    }
    player.territory = {**player.territory, **added}
    assert counted(position.board, RED, "wasteland") == 2
    assert production(position.board, RED)["food"] == 2
    lay(position, RED, "angkor_wat", "P9", "P10")
    assert counted(position.board, RED, "wasteland") == 3
    assert production(position.board, RED)["food"] == 3


def test_cyrus_gains_for_each_worker_that_brings_goods() -> None:
    """Cyrus le Grand: a Culture each time a worker on a route brings goods; none for one that brings none."""
    position = shown("cyrus_the_great")
    route(position, RED, GREEN, spots={RED: 1})
    route(position, RED, BLUE, spots={RED: 3})
    route(position, RED, BLUE, spots={RED: 0})
    went = enter(position, Phase.PRODUCTION)
    assert [(event.cause, dict(event.symbols)) for event in events_of(went, Gained)] == [
        ("cyrus_the_great", {"culture": 2})
    ]


# --- prices, upkeep, fuel


@pytest.mark.parametrize(
    ("room", "action", "points_needed", "goods"),
    [
        ("caravanserai", "commerce", 1, 1),
        ("socrates", "train", 1, 4),
        ("aqueduct", "train", 2, 3),
        ("academy", "construct_building", 2, 0),
        ("stonehenge", "honour_wonders", 1, 0),
        ("leonardo_da_vinci", "construct_building", 3, 0),
        ("university", "honour_heroes", 1, 1),
        ("charlemagne", "threat", 2, 0),
        ("king_sejong", "train", 2, 2),
        ("shipyard", "construct_main_route", 2, 1),
        ("research_institute", "construct_building", 2, 0),
        ("united_nations", "aid", 1, 0),
    ],
)
def test_prices_are_lowered(room: str, action: str, points_needed: int, goods: int) -> None:
    """What makes an action cheaper lowers its Politics Points or its goods, in the first era as told here."""
    position = shown(room)
    assert (price(position.board, RED, action), cost(position.board, RED, action)) == (points_needed, goods)


def test_leonardo_lowers_what_is_printed_on_a_building() -> None:
    """Leonardo da Vinci: a building costs a Resource less."""
    assert cost(shown("leonardo_da_vinci").board, RED, "construct_building", 3) == 2


def test_genghis_khan_fixes_the_food_of_commerce() -> None:
    """Gengis Khan: commerce costs exactly one Food, in every era and whatever else there is."""
    position = shown("genghis_khan", turn=12)
    lay(position, RED, "caravanserai", "N9", "N10")
    assert cost(position.board, RED, "commerce") == 1


def test_guildhall_raises_transport_for_exchanges_alone() -> None:
    """Guildhall: two units more in an exchange; movement stays as it is."""
    position = shown("guildhall")
    assert (exchanged(position.board, RED), level(position.board, RED, "transport")) == (3, 1)


@pytest.mark.holds("patchistory", "ruling", "A-38")
def test_che_guevara_fixes_politics() -> None:
    """Che Guevara: six points, whatever else there is; symbols are ignored (A-38)."""
    position = shown("che_guevara")
    lay(position, RED, "agora", "N9", "N10")
    assert (level(position.board, RED, "politics"), points(position.board, RED)) == (6, 6)


def test_karl_marx_fixes_the_upkeep_of_workers() -> None:
    """Karl Marx: five Food, whatever the People track shows (A-38)."""
    position = shown("karl_marx")
    lay(position, RED, "hospital", "N9", "N10")
    workers(position, RED, "I9", "J9", "K9", "I10", "J10", "K10", "L9", "N9")
    assert upkeep(position.board, RED) == 5
    workers(position, RED)
    assert upkeep(position.board, RED) == 5


def test_the_hospital_lowers_the_upkeep_of_workers() -> None:
    """Hospital: three Food less, never below nothing."""
    position = shown("hospital")
    workers(position, RED, "I9", "J9", "K9", "I10", "J10", "K10")
    plain = game()
    workers(plain, RED, "I9", "J9", "K9", "I10", "J10", "K10")
    assert upkeep(position.board, RED) == upkeep(plain.board, RED) - 3
    workers(position, RED)
    assert upkeep(position.board, RED) == 0


@pytest.mark.parametrize(("room", "votes"), [("julius_caesar", 1), ("parliament", 1), ("television_station", 2)])
def test_campaigns_bring_more_votes(room: str, votes: int) -> None:
    """Caesar, Parliament, the Television Station: extra votes when one campaigns."""
    went = phase(shown(room), Phase.ADMINISTRATION, {RED: o.Campaign(1)})
    assert has(went.position, RED, "vote") == 1 + votes


def test_homer_makes_honours_worth_more() -> None:
    """Homer: a Culture more each time the heroes are honoured."""
    position = shown("homer")
    lay(position, RED, "agora", "N9", "N10")
    went = phase(position, Phase.ADMINISTRATION, {RED: o.Honour("hero")})
    assert has(went.position, RED, "culture") == 22


# --- at the moment of placement


def put(position: At, room: str) -> Went:
    """The moment when a location has come to Red's territory."""
    lay(position, RED, room)
    return queue(position, OnPlace(RED, room))


def test_moses_brings_a_worker() -> None:
    """Moïse: a worker of the People track, free, on any location."""
    went = put(game(), "moses")
    went = play(went.position, open_gate(went.position), {RED: o.Settle(("K9",))})
    assert [(event.square, event.cause) for event in events_of(went, WorkerSettled)] == [("K9", "moses")]
    empty = game()
    empty.board.players[RED].track = 0
    assert not put(empty, "moses").position.core.questions


@pytest.mark.holds("patchistory", "form", "RAPPELER DEPUIS")
@pytest.mark.holds("patchistory", "ruling", "A-34")
@pytest.mark.parametrize("room", ["hanging_gardens_of_babylon", "kremlin", "christopher_columbus", "yi_sun_sin"])
def test_a_worker_is_sent_back(room: str) -> None:
    """Jardins Suspendus, Kremlin, Colomb, Yi Sun-sin: a worker of tiles or routes goes back; none, if there is none."""
    position = game()
    number = route(position, RED, GREEN, spots={RED: 2})
    workers(position, RED, "I9", "K9")
    began = put(position, room).position
    went = play(began, open_gate(began), {RED: o.SendBack(("K9",))})
    assert events_of(went, WorkerSentBack)[0].square == "K9"
    went = play(began, open_gate(began), {RED: o.SendBack((), (str(number),))})
    assert went.position.board.routes[0].spots == {}
    assert events_of(play(began, open_gate(began), {}), WorkerSentBack)
    assert not put(game(), room).position.core.questions


def test_one_worker_of_ones_own_is_sent_back() -> None:
    """Exactly one, and from where one has one."""
    position = game()
    workers(position, RED, "I9", "K9")
    assert code(refused(position, RED, "recall", o.SendBack(("I9", "K9")))) == "one_worker"
    assert code(refused(position, RED, "recall", o.SendBack(("J9",)))) == "no_worker_there"
    assert code(refused(position, RED, "recall", o.SendBack((), ("3",)))) == "not_on_route"


def test_constantine_lays_an_allied_route() -> None:
    """Constantin Ier: with any player, who cannot refuse; a war to come is cancelled, its worker comes home."""
    position = game()
    number = route(position, GREEN, RED, spots={GREEN: 5}, war={GREEN: "red", RED: "blue"})
    began = put(position, "constantine_i").position
    went = play(began, open_gate(began), {RED: o.Ally("green", "B")})
    laid = events_of(went, RouteLaid)[0]
    assert (laid.start, laid.end, laid.cause) == (GREEN, RED, "constantine_i")
    assert [event.number for event in events_of(went, WarCancelled)] == [number]
    went = play(went.position, open_gate(went.position), {GREEN: o.Home(("I9",))})
    assert [(event.seat, event.square) for event in events_of(went, WorkerCameHome)] == [(GREEN, "I9")]


@pytest.mark.holds("patchistory", "ruling", "A-15")
def test_constantine_needs_an_allied_route_that_is_left() -> None:
    """A-15: one a pair, four in all; no answer lays none."""
    position = game()
    route(position, GREEN, RED, allied=True)
    assert code(refused(position, RED, "envoy", o.Ally("green"))) == "no_alliance_left"
    began = put(position, "constantine_i").position
    assert not events_of(play(began, open_gate(began), {}), RouteLaid)


def test_schwerer_gustav_discards_a_route() -> None:
    """Schwerer Gustav: a main route that starts here, or an alliance, which ends; a worker on it goes home."""
    position = game()
    theirs = route(position, GREEN, RED)
    number = route(position, RED, GREEN, allied=True, spots={GREEN: 2})
    assert code(refused(position, RED, "siege", o.DiscardRoute(theirs))) == "not_your_route"
    began = put(position, "schwerer_gustav").position
    went = play(began, open_gate(began), {RED: o.DiscardRoute(number)})
    went = play(went.position, open_gate(went.position), {GREEN: o.Home(("J9",))})
    assert [event.number for event in events_of(went, RouteGone)] == [number]
    assert went.position.board.players[GREEN].workers == ("J9",)
    assert not went.position.board.allied(RED, GREEN)


def test_the_stealth_bomber_clears_a_rivals_square() -> None:
    """Bombardier furtif: a square 1x1 of a rival under one's own building tile, free; a new tile is drawn."""
    position = game()
    lay(position, GREEN, "petra", "N9", "N10")
    assert code(refused(position, RED, "bombing", o.Bomb("green", "N9"))) == "not_one_square"
    assert code(refused(position, RED, "bombing", o.Bomb("red", "I9"))) == "yourself"
    began = put(position, "stealth_bomber").position
    went = play(began, open_gate(began), {RED: o.Bomb("green", "K10")})
    assert (events_of(went, Cleared)[0].of, events_of(went, Cleared)[0].resources) == (GREEN, 0)
    board = went.position.board
    assert board.players[GREEN].territory["K10"].shows.kind is Kind.WASTELAND
    assert not board.players[GREEN].territory["K10"].cleared
    assert len(board.players[RED].pack) == 4


@pytest.mark.holds("patchistory", "ruling", "A-33")
def test_a_tile_that_is_placed_does_at_once_what_it_says() -> None:
    """A-33: the question comes as the tile is placed; a location that lies under does nothing."""
    position = game(phase=Phase.PLACEMENT)
    position.board.players[RED].won = Lot("A", "I-11", "black")
    began = enter(position, Phase.PLACEMENT).position
    went = play(began, "placement/2", {RED: o.Place("K10")})
    assert events_of(went, TilePlaced)
    assert [decision.topic for decision in went.position.core.questions] == ["settle"]


def test_vasco_sails_at_the_next_auction() -> None:
    """A-32: placing Vasco da Gama prepares the voyage, once."""
    position = game(turn=7, phase=Phase.PLACEMENT)
    position.board.players[RED].won = Lot("A", "II-06", "black")
    began = enter(position, Phase.PLACEMENT).position
    assert play(began, "placement/7", {RED: o.Place("K10")}).position.board.players[RED].sails


# --- all of them


@pytest.mark.parametrize("room", [room for room in ROOMS.values() if room.kind is Kind.GENERAL], ids=lambda r: r.id)
def test_general_buildings_work_with_and_without_a_worker(room: Room) -> None:
    """Outside a gold frame always; inside while a worker stands there (À ne pas oublier)."""
    position = game()
    before = numbers(position)
    lay(position, RED, room.id, "L9")
    assert numbers(position) - before == Counter(room.base)
    workers(position, RED, "L9")
    assert numbers(position) - before == Counter(room.base) + Counter(room.gold)
