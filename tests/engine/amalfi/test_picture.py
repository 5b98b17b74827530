"""The picture of the table: it shows what the view holds, zone by zone, readable on a phone, and nothing else."""

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from engine.amalfi.catalogue import (
    ARTWORKS,
    CHARACTERS,
    DECREES,
    HANDS,
    PRIVATE,
    RIVAL,
    TITLES,
)
from engine.amalfi.drawing.benefits import counted_words
from engine.amalfi.drawing.cards import card
from engine.amalfi.drawing.look import SIGNS, look
from engine.amalfi.ruleset import RULES
from engine.amalfi.vocabulary import HAND_CHOICES, HOLD_CHOICES
from engine.kernel.bots import BotProfile, chooser
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.pictures import LEGIBLE, SMALLEST, DrawsBoard, Theme
from engine.kernel.rules import View
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from engine.kernel.zones import HasZones, Zone
from tests import bot_games, invariants
from tests.engine.amalfi.build import ANN, BOB, At, dock, game, hand, light, owns, place_characters, row, stow

SVG = "{http://www.w3.org/2000/svg}"
SEATS = tuple(Seat(f"canary{number}") for number in range(1, 5))
KEEN = BotProfile(suggested=95, random_share=10, passing=2, absent=1, unasked_share=0, eagerness=80, lines=1, tries=6)
THINGS = (*ARTWORKS, *CHARACTERS, *PRIVATE)
SIGN = set(SIGNS)


def positions(seats: int, hands: str = "standard") -> tuple[At, ...]:
    """A whole game, entry by entry."""
    options = {"hands": hands, "rival": "genes"} if seats == 1 else {"hands": hands}
    played = bot_games.played(RULES, SEATS[:seats], options, b"pictures", KEEN)
    return tuple(entry.after.position for entry in played.entries)


def views(seats: int, viewer: Viewer = SEATS[0], hands: str = "standard") -> Sequence[View]:
    """What a viewer was shown after each entry of a whole game."""
    return bot_games.Views(RULES, positions(seats, hands), viewer)


def seen(position: At, viewer: Viewer = ANN) -> View:
    """What a viewer is shown of a position."""
    return RULES.present_view(redact(position, viewer), viewer)


def parsed(svg: str) -> ElementTree.Element:
    """The picture, read back as XML."""
    return ElementTree.fromstring(svg)


def zones(view: View, language: Language = "en") -> dict[str, Zone]:
    """The zones of a view by name."""
    return {one.zone.name: one.zone for one in RULES.zones(view, language)}


def text_of(view: View, name: str, key: str, language: Language = "en") -> str:
    """What is told of something in a zone."""
    return zones(view, language)[name].text[key]


def busy(seats: int = 2) -> At:
    """A table in its third period with something of everything."""
    at = game(seats, period=3)
    owns(at, ANN, "book01", "painting01", "pd06", "pd12")
    place_characters(at, ANN, "c56", "c44")
    place_characters(at, ANN, "c59", engaged=True)
    hand(at, ANN, "c17", "c01")
    stow(at, ANN, bay=3, port=1, wood=2, spice=1)
    dock(at, "ragusa", ANN)
    light(at, "tripoli", ANN)
    return at


@pytest.mark.parametrize(("seats", "language", "word"), [(1, "fr", "Reconstitué"), (4, "en", "Reconstructed")])
def test_a_whole_game_is_drawn_and_told(seats: int, language: Language, word: str) -> None:
    """At set-up, in the middle and at the end, for a player and for everybody: what is drawn says what it is."""
    assert isinstance(RULES, DrawsBoard)
    assert isinstance(RULES, HasZones)
    for viewer in (SEATS[0], PUBLIC):
        played = views(seats, viewer)
        for shown in (played[0], played[len(played) // 2], played[-1]):
            root = parsed(RULES.draw(shown, language))
            drawn = {group.get("data-item") for group in root.iter() if group.get("data-item")}
            found = zones(shown, language)
            assert drawn == {item.key for zone in found.values() for item in zone.items}
            description = next(root.iter(f"{SVG}desc")).text or ""
            assert all(item.text[1:] in description for zone in found.values() for item in zone.items)
            assert word in description
            assert any(word in (line.text or "") for line in root.iter(f"{SVG}text"))


def test_every_zone_can_be_read_on_a_phone() -> None:
    """No part is wider than a phone shows legibly, no letter smaller than that allows; no two things cover each other.

    Nothing reaches over the edge of its zone.
    """
    for shown in (*views(4)[::25], views(1)[-1]):
        parts = RULES.crops(shown)
        assert set(zones(shown)) <= set(parts)
        assert all(part.box[2] <= LEGIBLE for name, part in parts.items() if name != "map")
        root = parsed(RULES.draw(shown, "fr", theme=Theme.DARK))
        assert all(int(line.get("font-size") or 0) >= SMALLEST for line in root.iter(f"{SVG}text"))
        for zone in zones(shown, "fr").values():
            boxes = [(x, y, x + wide, y + high) for x, y, wide, high in (item.box for item in zone.items)]
            assert all(box[0] >= 0 and box[2] <= LEGIBLE and box[3] <= zone.size[1] for box in boxes)
            for n, one in enumerate(boxes):
                for other in boxes[:n]:
                    assert one[0] >= other[2] or one[2] <= other[0] or one[1] >= other[3] or one[3] <= other[1]


# --- signs


def every_count() -> set[str]:
    """All that titles, decrees and characters count."""
    asked = {what for title in TITLES.values() for what in title.needs}
    scored = {what for decree in DECREES.values() for what in decree.vp}
    return asked | scored | {person.per for person in CHARACTERS.values() if person.per}


def test_different_effects_have_different_signs_and_words() -> None:
    """Two characters that do different things never show the same, and nor do two things that are counted."""
    for language in LANGUAGES:
        deeds = {
            (p.category, p.cost, p.accepts, p.effects, p.on, p.type, p.mod, p.n, p.action, p.hold, p.per, p.vp)
            for p in CHARACTERS.values()
        }
        cards = [card(person, language) for person in CHARACTERS]
        assert len({(one.kind, one.signs) for one in cards}) == len(deeds)
        assert len({one.said.partition(",")[2] for one in cards}) == len(deeds)
        words = [counted_words(what, language) for what in every_count() if not what.startswith("character_")]
        assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("thing", "language", "told"),
    [
        ("book01", "en", "Il Principe, book, costs 4 in wine or spice, 4 points, ships to the spice hold: up to 1"),
        ("c01", "en", "Raphael, end of game, costs 6 in jewels, at the end points +4 per painting, at most 24"),
        ("c36", "fr", "Leon Battista Alberti, permanent, coûte 4 en vin, à chaque monument acquis : points +3"),
        ("c44", "en", "Agostino Chigi, permanent, costs 4 in wine, a ship in the spice hold is worth 3"),
        (
            "c66",
            "fr",
            (
                "Francesco di Giorgio, engageable, coûte 4 en bois ou étoffes, "
                "une construction pour 1 de moins, le navire dans la baie"
            ),
        ),
        ("c33", "en", "Paracelsus, immediate, costs 2 in spice, ships to the spice hold: up to 2, bread +1"),
    ],
)
def test_a_card_is_told_in_words(thing: str, language: Language, told: str) -> None:
    """Kind, cost, points, and what it does, as its signs show them."""
    assert card(thing, language).said == told


# --- what there is


def test_what_lies_open_is_told() -> None:
    """Destinations with bread, ships, dock and lighthouse (A6); rows with their prices; titles, decrees, figures."""
    at = busy()
    at.board.claims["zelateur"] = (BOB,)
    row(at, "atlas", "pd20", "pd21")
    shown = seen(at)
    for zone, key, told in (
        ("places", "ragusa", "Ragusa, bread −2, ships to the wood hold: up to 2, ship: Red, place for a lighthouse"),
        ("places", "tripoli", "free dock, lighthouse: Red"),
        ("places", "salerno", "before or after, covered in period IV, free dock, no place for a lighthouse"),
        ("aims", "zelateur", "asks artwork of one type 4, points in order 12, 9, 6, 3, 12 points to Blue"),
        ("aims", "colonisation", "and from the board lighthouse +1, private destination +1, artwork +3, over"),
        ("aims", "subsistance", "bread +2, and from the board artwork +1, now"),
        ("own", "spice", "the spice hold: ships 1, worth 3 each"),
        ("own", "lights", "lighthouses left: 5, the next brings bread +2"),
        ("goods", "c59", ", engaged"),
        ("players", ANN, "in the jewel hold 0, in the cloth hold 0, lighthouses left 5"),
    ):
        assert text_of(shown, zone, key).endswith(told)
    assert text_of(shown, "players", ANN).startswith("Red, Wind Rose, to move, points 0, bread 6, cards in hand 2, ")
    assert zones(seen(at, BOB))["red"].text["c59"] == "Caterina Sforza, engageable, engaged"
    assert zones(shown)["atelier"].notes[:2] == (
        "Extra resources to pay, in order: 2, 1, 1, 0, 0.",
        "The last one brings 1 bread.",
    )
    assert zones(shown)["atlas"].notes[0] == "Extra resources to pay, in order: 0, 0."
    assert zones(shown)["council"].notes[0] == "Bread to pay, in order: 2, 1, 0, 0."


def test_a_table_of_one_shows_the_rival_and_neither_compass_nor_turn() -> None:
    """The rival's pieces have a look and a letter of their own; who plays alone is always first, and to move."""
    at = game(1, rival="genes")
    at.board.docks["roma"] = RIVAL
    light(at, "pisa", RIVAL)
    shown = seen(at)
    assert text_of(shown, "rival", "ships") == "ships left: 9"
    assert text_of(shown, "rival", "lights") == "lighthouses left: 5"
    assert "I to IV: 0, 1, 2, 3; you hold 0" in text_of(shown, "rival", "titles")
    assert "ship: Republic of Genoa" in text_of(shown, "places", "roma")
    assert "lighthouse: Republic of Genoa" in text_of(shown, "places", "pisa")
    assert look(RIVAL) not in {look(player["colour"]) for player in shown["powers"].values()}
    assert not any(word in text_of(shown, "players", ANN) for word in ("Wind Rose", "to move"))


# --- what orders name


@pytest.mark.parametrize(("seats", "language"), [(1, "fr"), (4, "en")])
def test_every_place_that_orders_name_is_a_place_to_choose(seats: int, language: Language) -> None:
    """Destinations, cards of the rows, characters that lie open, holds; packets while there are any.

    One's hand stands beside a live picture, and the legend.
    """
    for shown in (views(seats)[0], views(seats)[len(views(seats)) // 2], views(seats)[-1]):
        things = {place["place"] for place in shown["places"]}
        things |= {lot["card"] for lots in shown["rows"].values() for lot in lots}
        for player in shown["powers"].values():
            things |= {place["place"] for place in player["destinations"]} | set(player["artworks"])
            things |= {one["card"] for one in player["invited"]}
        packets = [choice for choice in HAND_CHOICES if choice.value in shown["hands"]]
        wanted = {named(thing, language) for thing in things}
        wanted |= {choice.names.printed(language) for choice in (*HOLD_CHOICES, *packets)}
        root = parsed(RULES.draw(shown, language, live=True))
        assert wanted <= {group.get("data-name") for group in root.iter()}
        assert not {"hand", "legend"} & {group.get("data-zone") for group in root.iter()}


def test_a_packet_says_what_is_in_it() -> None:
    """Beside what is touched stands what the board says of it: its six characters."""
    shown = views(3)[0]
    places = {group.get("data-name"): group for group in parsed(RULES.draw(shown, "en", live=True)).iter()}
    for packet in shown["hands"]:
        said = places[HANDS[packet].words.printed("en")].get("aria-label") or ""
        assert all(named(one, "en") in said for one in HANDS[packet].cards)


def named(thing: str, language: Language) -> str:
    """What orders call a destination or a card."""
    return card(thing, language).words.printed(language)


def test_cards_to_choose_from_lie_before_the_one_who_chooses() -> None:
    """The packet of a draft, and nothing of it for anybody else."""
    shown = next(view for view in views(2, hands="full_draft") if view["powers"][SEATS[0]]["packet"])
    assert tuple(zones(shown)["packet"].text) == shown["powers"][SEATS[0]]["packet"]
    first = views(2)[0]
    for name in first["hands"]:
        assert tuple(zones(first)[f"packet-{name}"].text) == (name, *HANDS[name].cards)
    assert all("packet" not in zones(view) for view in views(2, PUBLIC, "full_draft"))


# --- what may be known, and what is new


@pytest.mark.parametrize(("viewer", "hands"), [(SEATS[0], "score_draft"), (PUBLIC, "standard")])
def test_worlds_that_a_viewer_cannot_tell_apart_are_drawn_alike(viewer: Viewer, hands: str) -> None:
    """Hands, packets and decks of others trade places, and every byte stays."""
    told = positions(3, hands)
    differed = False
    for number in (0, 2, len(told) // 2, len(told) - 1):
        other = invariants.resampled(told[number], viewer, chooser(b"swap%d" % number))
        differed |= other.board != told[number].board
        pictures = {RULES.draw(seen(world, viewer), "en", live=True) for world in (told[number], other)}
        assert len(pictures) == 1
    assert differed


def test_a_hand_is_shown_to_its_owner_alone() -> None:
    """The others see how many cards it has."""
    at = busy()
    assert set(zones(seen(at))["hand"].text) == {"c17", "c01"}
    shown = seen(at, BOB)
    assert not zones(shown)["hand"].items
    svg = RULES.draw(shown, "en")
    assert "Raphael" not in svg
    assert "cards in hand 2" in svg
    assert "hand" not in zones(seen(at, PUBLIC))


def test_what_has_changed_is_marked_and_nothing_else() -> None:
    """A ship that came to a dock and left the bay, a card that came; one that moved to a cheaper slot is not new."""
    old = seen(busy())
    at = busy()
    dock(at, "roma", ANN)
    kept = at.board.rows["atelier"]
    row(at, "atelier", "book15", *kept[:4])
    marked = {one.zone.name: set(one.changed) for one in RULES.zones(seen(at), "en", since=old) if one.changed}
    assert marked["places"] == {"roma"}
    assert marked["own"] == {"bay", "docks"}
    assert marked["atelier"] == {"book15", kept[4]}
    assert not any(one.changed for one in RULES.zones(old, "en", since=old))
    ahead = {one.zone.name: set(one.intended) for one in RULES.zones(old, "en", preview=seen(at)) if one.intended}
    assert ahead == marked
    assert list(RULES.crops(seen(at), old))[1] == "own"
