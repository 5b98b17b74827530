"""How Amalfi is told: samples of its events, terms of its problems."""

from collections.abc import Iterator, Mapping

from engine.amalfi import catalogue
from engine.amalfi import events as e
from engine.amalfi.acts import CHOICES
from engine.amalfi.board import ROWS, Phase
from engine.amalfi.catalogue import RIVAL
from engine.amalfi.corrections import (
    STORES,
    DockRighted,
    EngagedRighted,
    FirstRighted,
    LightRighted,
    ShipsRighted,
)
from engine.amalfi.orders import Acquire, Build, Lower
from engine.amalfi.ruleset import RULES
from engine.kernel.correction_events import FigureCorrected
from engine.kernel.events import Ended, Event
from engine.kernel.orders import Clause, Condition, Line, Problem, unconditional
from engine.kernel.secrets import Secret
from engine.kernel.viewers import PUBLIC, Seat
from tests.narration.cases import A, B, C, Case, D
from tests.narration.text_checks import LANGUAGES, alone, kernel_samples, moved_samples

SEATS = (A, B, C, D)
EVERYBODY = (*SEATS, Seat(PUBLIC))
POOR = Problem("too_little", {"cost": 7, "paid": 6})
LINE = Line(
    (Clause(Acquire("book04", ("jewel",), ("jewel",)), (Condition("offered", {"thing": "book04"}),)),),
    1,
    (Clause(Build(2)),),
)
CAUSES = ("roma", "book01", "c01", "lighthouse", "yard", "slot")
PERMANENT = next(c.id for c in catalogue.CHARACTERS.values() if c.category is catalogue.Category.PERMANENT)
HELD: tuple[Mapping[str, int], ...] = (
    *({hold: n} for hold in catalogue.HOLDS for n in (1, 2)),
    {"wine": 1, "cloth": 2},
)


def known(*cards: str, to: tuple[Seat, ...] = (A,)) -> tuple[Secret[str], ...]:
    """Characters that these seats know."""
    return tuple(Secret(card, frozenset(to)) for card in cards)


def samples() -> Iterator[Event]:
    """Events of every class, in every case that its sentence knows."""
    yield from _set_up()
    yield from _course()
    yield from _actions()
    yield from _gains()
    yield from _ends()
    endings = tuple(RULES.meta.endings)
    edits = (e.AllRefreshed(),)
    orders = unconditional(Lower(("wine",)))
    yield from kernel_samples("action", LINE, POOR, orders, edits, ("pace", "sealed"), endings)
    for result in RULES.meta.results:
        yield Ended(reason="periods", ranking=((A,),), points={A: 120}, result=result, is_won=result != "lost")
    yield from _righted()


def _set_up() -> Iterator[Event]:
    for first in (A, B):
        yield e.BoardLaid(decrees=tuple(catalogue.DECREES)[:4], titles=tuple(catalogue.TITLES)[:3], first=first)
    yield e.BreadDealt(bread={A: 3, B: 4, C: 5, D: 6})
    yield from (e.DeckShuffled(row=row, cards=(Secret("c01"),) * 54, again=x) for row in ROWS for x in (True, False))
    for row, cards in (
        ("atelier", catalogue.ARTWORKS),
        ("atlas", catalogue.PRIVATE),
        ("council", catalogue.CHARACTERS),
    ):
        yield from (e.RowFilled(row=row, card=card) for card in (*cards, ""))
        for cause in ("new_period", RIVAL, "genova", "c01"):
            yield e.CardDiscarded(row=row, card=next(iter(cards)), cause=cause)
    yield e.CharactersSetOut(cards=known(*catalogue.CHARACTERS, to=()))
    for hand, packet in catalogue.HANDS.items():
        yield from (e.HandChosen(seat=seat, hand=hand, cards=known(*packet.cards, to=EVERYBODY)) for seat in (A, B))
    for where in ("hand", "packet", "aside"):
        yield from (e.HandDealt(seat=seat, cards=known("c02", "c03", to=(seat,)), where=where) for seat in (A, B))
    for where in ("packet", "aside"):
        for cards in (("c04",), ("c04", "c05")):
            yield e.CardsKept(seat=A, cards=known(*cards), where=where)
            yield e.CardsReturned(seat=A, cards=known(*cards), where=where)
    yield e.PacketsPassed(number=1, packets={seat: known("c06", "c07", to=(seat,)) for seat in SEATS})


def _course() -> Iterator[Event]:
    yield from (e.PeriodBegan(turn=turn, first=seat) for turn in (1, 2, 3, 4) for seat in (A, B))
    yield from (e.PhaseBegan(phase=phase) for phase in Phase)
    yield from (e.Passed(seat=seat, compass=compass) for seat in (A, B) for compass in (True, False))
    yield from (e.QueueDropped(seat=A, lines=lines, visible_to=alone(A)) for lines in (1, 3))


def _actions() -> Iterator[Event]:
    for place in catalogue.DESTINATIONS:
        yield e.Sailed(seat=A, place=place, bread=2)
        yield e.Discovered(seat=A, destination=place, slot=0, points=3)
        yield e.LighthouseErected(seat=A, place=place, number=1, cause=place)
    yield from (e.Sailed(seat=A, place="roma", bread=bread) for bread in (0, 1))
    yield from (e.UsedFromAfar(seat=A, place="pd01", bread=bread) for bread in (0, 1, 3))
    for holds, emergency in (*((held, 1) for held in HELD), ({"wood": 1}, 0), ({}, 2)):
        for bread, lost in ((0, 0), (1, 0), (2, 1), (0, 2)):
            for chosen in (True, False):
                yield e.Paid(seat=A, cost=7, holds=holds, emergency=emergency, bread=bread, lost=lost, chosen=chosen)
    yield from (e.Acquired(seat=A, artwork=art, slot=1, points=5) for art in catalogue.ARTWORKS)
    for card in catalogue.CHARACTERS:
        yield e.Invited(seat=A, character=card)
        yield e.Engaged(seat=A, character=card)
    yield from (e.Built(seat=A, ships=ships, to=to) for ships in (1, 2) for to in ("port", "bay"))
    for holds in HELD:
        for bread, lost in ((3, 0), (3, 1), (3, 2), (0, 1), (0, 2)):
            yield e.ShipsLowered(seat=A, holds=holds, bread=bread, lost=lost)
    for n in (1, 2):
        yield from (e.ShipsSupplied(seat=A, ships=n, bread=3 * n, lost=lost) for lost in (0, 1, 2))
        yield from (
            e.CharactersDropped(seat=A, characters=("c10", "c11")[:n], bread=n, lost=lost) for lost in (0, 1, 2)
        )


def _gains() -> Iterator[Event]:
    for cause in (*CAUSES, PERMANENT):
        yield from (e.BreadGained(seat=A, bread=n, lost=lost, cause=cause) for n in (0, 1, 2) for lost in (1, 2))
        yield e.BreadGained(seat=A, bread=2, lost=0, cause=cause)
        yield e.BreadPaid(seat=A, bread=1, cause=cause)
        yield from (e.ShipsSent(seat=A, holds=holds, cause=cause) for holds in HELD)
        yield from (e.Refreshed(seat=A, characters=("c10", "c11")[:n], cause=cause) for n in (1, 2))
        yield from (e.ShipsRecalled(seat=A, places=("roma", "pd01")[:n], cause=cause) for n in (1, 2))
        yield from (e.ShipsLaunched(seat=A, ships=ships, cause=cause) for ships in (1, 4))
        yield e.GivenUp(seat=A, character="c12", cause=cause)
        yield from (e.BenefitLost(seat=A, what=what, cause=cause) for what in LOSABLE)
    yield from (
        e.NamedInVain(seat=A, thing=thing, cause="c23", reason=Problem("not_offered", {"thing": thing}))
        for thing in ("book02", "pd05")
    )
    yield from (e.PointsGained(seat=A, points=n, cause=cause) for n in (1, 4) for cause in (*CAUSES, "no_lighthouse"))
    for paid, gained, lost in ((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (0, 0, 2)):
        yield e.CharacterTaken(seat=A, character="c13", paid=paid, gained=gained, lost=lost, cause="roma")
    yield from (e.LighthouseUsed(seat=A, place="roma", hold=hold, bread=2) for hold in catalogue.HOLDS)
    yield from (e.TileTaken(tile="pd02", place=place) for place in catalogue.EVOLVING)


LOSABLE = (
    *("send", "recall", "launch", "build", "character", "untap", "either", "lighthouse"),
    *("acquire", "discover", "invite", "use_private", "discard_for_vp"),
)
"""The verbs that find nothing to do."""


def _ends() -> Iterator[Event]:
    for title in catalogue.TITLES:
        yield from (e.TitleEarned(seat=A, title=title, rank=rank, points=6) for rank in (1, 2, 3, 4))
    for due, paid, lost in ((0, 0, 0), (3, 3, 0), (1, 1, 0), (3, 2, 3), (4, 0, 12)):
        yield e.Fed(seat=A, due=due, paid=paid, lost=lost)
    for decree, printed in catalogue.DECREES.items():
        for extra in catalogue.DECREE_EXTRA:
            each = {**printed.vp, **extra}
            for n in (0, 1, 2):
                counted, parts = dict.fromkeys(each, n), {what: n * points for what, points in each.items()}
                yield e.DecreeScored(seat=A, decree=decree, counted=counted, parts=parts)
    yield e.ShipsReturned()
    yield e.AllRefreshed()
    for card in catalogue.CHARACTERS.values():
        if card.category is catalogue.Category.END_GAME:
            yield from (e.EndScored(seat=A, character=card.id, counted=n, points=n * card.vp) for n in (0, 1, 3))
    yield e.RivalSailed(place="ragusa")
    yield e.RivalErected(place="candia", number=3)
    yield from (e.RivalChecked(seat=A, titles=titles, needed=2) for titles in (0, 1, 2))


def _righted() -> Iterator[Event]:
    yield from moved_samples("c14")
    for what in ("vp", "bread"):
        yield from (FigureCorrected(seat=A, what=what, by=by, about="") for by in (1, -1, 3))
    for source, target in zip(STORES, (*STORES[1:], STORES[0]), strict=True):
        yield from (ShipsRighted(seat=A, ships=n, source=source, target=target) for n in (1, 2))
    for seat in (A, B):
        yield DockRighted(place="roma", before=seat, after=None)
        yield DockRighted(place="roma", before=None, after=seat)
        yield FirstRighted(before=C, after=seat)
    for owner in (A, B, RIVAL):
        yield LightRighted(place="roma", before=(owner, 2), after=None)
        yield LightRighted(place="roma", before=None, after=(owner, 2))
    yield from (EngagedRighted(seat=A, before=(), after=after) for after in ((), ("c10",), ("c10", "c11")))


_TERMS: Mapping[str, object] = {
    "reason": Problem("not_offered", {"thing": "pd05"}),
    "accepts": ("wine", "spice"),
    "action": "acquire",
    "asks": "take",
    "bread": 3,
    "by": B,
    "card": "c15",
    "character": "c16",
    "characters": ("c16", "rightmost"),
    "cause": "c19",
    "cost": 7,
    "count": 3,
    "hand": "phare",
    "have": 1,
    "hold": "wine",
    "holds": ("wood", "jewel"),
    "kept": 5,
    "left": 1,
    "most": 2,
    "named": True,
    "paid": 6,
    "place": "roma",
    "points": 9,
    "resource": "cloth",
    "row": "council",
    "seat": B,
    "ships": 2,
    "thing": "pd03",
    "verb": "send",
    "what": "bay",
}


def terms(code: str, names: frozenset[str]) -> Mapping[str, object]:
    """What stands for each term of a problem."""
    return {name: _TERMS[name] for name in names}


def variants() -> Iterator[Problem]:
    """Problems that are told in several ways."""
    yield from (Problem("dock_taken", {"place": "roma", "by": by}) for by in (A, B, RIVAL))
    yield from (Problem("others_place", {"place": "pd04", "seat": seat}) for seat in (A, B))
    yield from (Problem("hold_not_shown", {"hold": hold, "holds": ()}) for hold in catalogue.HOLDS)
    yield from (Problem("not_accepted", {"resource": h, "accepts": ("wine",)}) for h in catalogue.HOLDS)
    yield from (Problem("not_offered", {"thing": thing}) for thing in ("book02", "c17", "pd05"))
    yield from (Problem("yard_empty", {"ships": 1, "left": left}) for left in (0, 1))
    for asks in (*CHOICES, "either", "light"):
        yield from (Problem("will_ask", {"asks": asks, "cause": "roma", "named": named}) for named in (True, False))
    for cause in CAUSES:
        yield from (Problem("benefit_lost", {"verb": verb, "cause": cause}) for verb in LOSABLE)
    for thing in ("book02", "pd05"):
        reason = Problem("not_offered", {"thing": thing})
        yield Problem("named_in_vain", {"thing": thing, "cause": "c23", "reason": reason})
    yield from (Problem("other_action", {"action": a}) for a in ("acquire", "discover", "invite", "build"))
    for ships in (0, 1, 2):
        yield from (Problem(c, {"hold": "wood", "ships": ships}) for c in ("no_ship_in_hold", "not_so_many_ships"))
        yield from (Problem(c, {"ships": ships}) for c in ("no_ship_in_bay", "not_so_many_in_bay"))
    yield from (Problem("slot_too_dear", {"character": c, "bread": 1}) for c in ("rightmost", "c18"))
    yield from (Problem("no_ship_there", {"place": place}) for place in STORES)
    yield from (Problem("below_zero", {"seat": A, "what": what}) for what in (*STORES, "bread"))
    yield from (Problem("lights_counted", {"seat": seat, "count": 7}) for seat in (A, B, RIVAL))
    yield from (Problem("cards_counted", {"row": row, "count": 3}) for row in ROWS)


_FIGURES: Mapping[str, Mapping[str, int | str]] = {
    "send": {"cause": "book01", "ships": 2},
    "take": {"cause": "yard", "either": 1},
    "erect": {"cause": "lighthouse"},
    "refresh": {"cause": PERMANENT},
    "recall": {"cause": "c19", "ships": 2},
    "use": {"cause": "c19"},
    "give_up": {"cause": "c19"},
    "get": {"cause": "c19", "action": "acquire", "minus": 2},
    "light": {"place": "roma", "bread": 2},
}


def figures(asks: str) -> Mapping[str, int | str]:
    """The terms of a question."""
    return _FIGURES.get(asks, {})


CASE = Case(
    rules=RULES,
    samples=samples,
    things={
        "colour": frozenset(catalogue.COLOURS),
        "hold": frozenset(catalogue.HOLDS),
        "water": frozenset({"bay", "port", "yard"}),
        "type": frozenset(catalogue.TYPES),
        "category": frozenset(map(str, catalogue.Category)),
        "row": frozenset(ROWS),
        "rival": frozenset(catalogue.RIVALS),
        "phase": frozenset(map(str, Phase)),
        "destination": frozenset(catalogue.DESTINATIONS),
        "artwork": frozenset(catalogue.ARTWORKS),
        "card": catalogue.CHARACTERS,
        "title": catalogue.TITLES,
        "decree": frozenset(catalogue.DECREES),
        "hand": frozenset(catalogue.HANDS),
        "place": frozenset({"deck", "discard", "returned", *(f"decks {row}" for row in ROWS)}),
    },
    ids=frozenset({"untap", "vp"}),
    terms=terms,
    hidden="c20",
    figures=figures,
    variants=variants,
    plays=({}, {"pace": "sealed", "hands": "score_draft", "unanswered": "ask"}),
    seats=SEATS,
    untranslated=frozenset(
        (
            *(artwork.name for artwork in catalogue.ARTWORKS.values()),
            *(name for character in catalogue.CHARACTERS.values() for name in map(character.words.printed, LANGUAGES)),
        )
    ),
)
