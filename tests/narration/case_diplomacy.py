"""How Diplomacy is told: samples of its events, terms of its problems."""

from collections.abc import Iterator, Mapping

from engine.diplomacy import events as e
from engine.diplomacy.board import Dislodged, Phase, Unit
from engine.diplomacy.catalogue import POWERS, PROVINCES
from engine.diplomacy.corrections import CentreRighted, UnitRighted
from engine.diplomacy.meta import TOPICS
from engine.diplomacy.orders import Convoy, Hold, Move, Support
from engine.diplomacy.ruleset import RULES
from engine.kernel.events import Event
from engine.kernel.orders import Clause, Condition, Line, Problem, unconditional
from tests.narration.cases import Case
from tests.narration.text_checks import SEVEN, kernel_samples

BUR = Unit("France", "A", "BUR")
FLEET = Unit("Russia", "F", "STP/SC")
POOR = Problem("unreachable", {"unit": "A BUR", "to": "MOS", "places": ("BEL", "GAS")})
LINE = Line((Clause(Move("A PAR", "BUR"), (Condition("free", {"place": "BUR"}),)),), 1, (Clause(Hold("A PAR")),))


def samples() -> Iterator[Event]:
    """Events of every class, in every case that its sentence knows."""
    yield e.PowersGiven(powers=dict(zip(SEVEN, POWERS, strict=True)))
    yield e.YearBegan(turn=1901)
    yield from (e.PhaseBegan(phase=Phase(1902, is_fall, part)) for is_fall, part in TOPICS)
    yield from _resolved()
    yield from (e.Retreated(unit=unit, to="FIN") for unit in (BUR, FLEET))
    yield from (e.Disbanded(unit=BUR, is_ordered=is_ordered) for is_ordered in (True, False))
    for power in POWERS:
        yield e.Built(unit=Unit(power, "A", "BUR"))
        yield e.Eliminated(power=power)
        yield e.Won(power=power)
        yield e.Conceded(power=power)
        yield from (e.Waived(power=power, builds=builds) for builds in (1, 2))
        yield from (e.CentresTaken(owners=dict.fromkeys(taken, power)) for taken in (("BEL",), ("BEL", "HOL")))
        yield from (CentreRighted(province="BEL", before=before, after=power) for before in ("", "France"))
        yield CentreRighted(province="BEL", before=power, after="")
    yield e.CentresTaken(owners={"BEL": "France", "HOL": "Germany"})
    yield from (e.DrawAgreed(powers=tuple(POWERS)[:count]) for count in (2, 3))
    for before, after in ((BUR, None), (None, BUR), (BUR, Unit("Germany", "A", "BUR"))):
        yield UnitRighted(province="BUR", before=before, after=after)
    edits = (UnitRighted(province="BUR", before=BUR, after=None),)
    orders = unconditional(Hold("A PAR"))
    yield from kernel_samples("spring", LINE, POOR, orders, edits, ("last_year", "1912"), tuple(RULES.meta.endings))


def _resolved() -> Iterator[Event]:
    orders = (Hold("BUR"), Move("BUR", "PAR"), Move("BUR", "PIC", "sea"), Support("BUR", "MAR"))
    for succeeded in (True, False):
        yield from (e.OrderResolved(unit=BUR, order=order, succeeded=succeeded) for order in orders)
        yield e.OrderResolved(unit=FLEET, order=Support("STP", "NWY", "SWE"), succeeded=succeeded)
        yield e.OrderResolved(unit=FLEET, order=Convoy("STP", "FIN", "SWE"), succeeded=succeeded)
    for count in (0, 1, 2):
        lost = {unit.province: Dislodged(unit, "MUN") for unit in (BUR, FLEET)[:count]}
        for contested in ((), ("TYR",), ("TYR", "BOH")):
            yield e.UnitsMoved(moved={"MUN": "BUR"} if lost else {}, dislodged=lost, contested=frozenset(contested))
    yield e.UnitsMoved(moved={"MUN": "BUR"}, dislodged={}, contested=frozenset())


_TERMS: Mapping[str, object] = {
    "army": "A LON",
    "builds": 1,
    "kind": "A",
    "most": 200,
    "place": "PAR",
    "places": ("BEL", "GAS"),
    "power": "France",
    "powers": ("France", "Germany"),
    "province": "BUR",
    "to": "BEL",
    "unit": "A BUR",
    "units": ("A BUR", "A PAR"),
}


def terms(code: str, names: frozenset[str]) -> Mapping[str, object]:
    """What stands for each term of a problem."""
    return {name: _TERMS[name] for name in names}


def variants() -> Iterator[Problem]:
    """Problems that are told in several ways."""
    yield from (Problem("not_yours", {"unit": "A BUR", "power": power}) for power in POWERS)
    yield Problem("unreachable", {"unit": "A BUR", "to": "MOS", "places": ()})
    yield Problem("no_retreat", {"unit": "A BUR", "to": "MOS", "places": ()})
    yield Problem("without_order", {"units": ("A BUR",)})
    yield Problem("cannot_stand", {"unit": "A NTH", "places": ()})


CASE = Case(
    rules=RULES,
    samples=samples,
    things={
        "power": POWERS,
        "province": frozenset(PROVINCES),
        "phase": frozenset(TOPICS.values()),
    },
    ids=frozenset(),
    terms=terms,
    hidden="?",
    variants=variants,
    plays=({"last_year": "1905"}, {"last_year": "1905", "powers": "order"}),
    seats=SEVEN,
)
