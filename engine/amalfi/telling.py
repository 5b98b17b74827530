"""The narration hooks of the game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.amalfi import catalogue, corrections, invariants, payment, values
from engine.amalfi import events as e
from engine.amalfi.board import Board
from engine.amalfi.catalogue import WORDS
from engine.amalfi.figures import NAMES, figures_of
from engine.amalfi.phases import actions, choices, effects, optional, setup, solo
from engine.amalfi.views import player_told
from engine.kernel.events import Event
from engine.kernel.narration_hooks import HandItem, NarrationHooks, Thing, classes_in, problem_codes
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat


def lasting(cause: str) -> bool:
    """Return True if a cause is a permanent character, which acts on what another sentence reports."""
    return cause in catalogue.CHARACTERS and catalogue.CHARACTERS[cause].category is catalogue.Category.PERMANENT


def spellings(kind: str, thing: str) -> Sequence[str]:
    """Return the other names of a destination."""
    return catalogue.EXONYMS[thing].all_forms() if kind == "destination" and thing in catalogue.EXONYMS else ()


def counts(character: str) -> str:
    """Return what an end-of-game character counts."""
    return catalogue.CHARACTERS[character].per


def things(view: View) -> Iterator[Thing]:
    """Yield titles and decrees, the reader's characters, artworks and tiles on offer, players' things; printed places
    last. What the Council and packets hold is told in every letter that offers it.
    """
    yield from (("title", row["title"]) for row in view["titles"])
    yield from (("decree", row["decree"]) for row in view["decrees"])
    own = view["powers"].get(view["seat"])
    if own is not None:
        yield from (("card", card) for card in (*own["cards"], *own["aside"]))
    for row, kind in (("atelier", "artwork"), ("atlas", "destination")):
        yield from ((kind, slot["card"]) for slot in view["rows"][row])
    for player in view["powers"].values():
        yield from (("card", character["card"]) for character in player["invited"])
    yield from (("destination", place["place"]) for place in view["places"])


def lying(card: str) -> Thing:
    """Return the kind and id of a face-down card: a tile of the Atlas, an artwork of the Atelier, or a character."""
    if card in catalogue.ARTWORKS:
        return "artwork", card
    return ("destination" if card in catalogue.DESTINATIONS else "card"), card


def at_hand(position: Position[Board], seat: Seat) -> tuple[HandItem, ...]:
    """Return bread, ships of the bay, and ships of each hold, which actions cost and gain."""
    player = position.board.players[seat]
    amounts = {"bread": player.bread, "bay": player.bay, **{hold: player.holds[hold] for hold in catalogue.HOLDS}}
    return tuple(HandItem(name, WORDS(f"at_hand.{name}"), amount) for name, amount in amounts.items())


def weight(event: Event, seat: Seat) -> int:
    """Return how important an event is in a seat's story of the whole game; 0 leaves it out."""
    if getattr(event, "seat", None) != seat:
        return 0
    match event:
        case e.TitleEarned():
            return 60 + event.points
        case e.EndScored():
            return 20 + event.points
        case e.DecreeScored():
            return 20 + sum(event.parts.values())
        case e.Acquired() | e.Discovered():
            return 15 + event.points
        case e.Fed() if event.lost:
            return 15 + event.lost
        case e.Invited() | e.LighthouseErected():
            return 12
        case e.Built():
            return 10
    return 0


_WORDS: Final[Mapping[str, Any]] = {
    "HOLDS": catalogue.HOLDS,
    "ARTWORKS": catalogue.ARTWORKS,
    "DESTINATIONS": catalogue.DESTINATIONS,
    "CHARACTERS": catalogue.CHARACTERS,
    "HANDS": catalogue.HANDS,
    "BONUSES": catalogue.BONUSES,
    "RIVALS": catalogue.RIVALS,
    "rival_sails": solo.looks,
    "rival_lights": solo.lights,
    "RIVAL": catalogue.RIVAL,
    "lasting": lasting,
    "counts_of": counts,
    "hold_value": values.hold_value,
    "emergency_value": values.emergency_value,
    "meal_of": values.meal,
    "ships_to_send": choices.ships_to_send,
}


def figures(position: Position[Board], seat: Seat) -> Mapping[str, int]:
    """Return a player's public figures for a report."""
    with seen_by(seat):
        return figures_of(player_told(position.board, seat))


TELLING: Final = NarrationHooks(
    events=classes_in(e, corrections),
    problems=problem_codes("PROBLEMS", setup, actions, choices, optional, payment, invariants, corrections),
    notes=problem_codes("NOTES", choices, effects, optional),
    words=_WORDS,
    name_of=NAMES.name_of,
    seat_of=NAMES.seat_of,
    name="colour",
    hand_items=at_hand,
    weight=weight,
    card=lying,
    spellings=spellings,
    things=things,
    figures=figures,
)
"""Players are named after the colour of their ships."""
