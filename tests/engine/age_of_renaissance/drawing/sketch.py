"""What the map is drawn from, by hand: where provinces lie and how far they reach, as (latitude, longitude).

Real geography, bent until the provinces meet as the board's frontiers say. The first point of a province is the
catalogue's own; what stands here are the points it also covers. `WILD` is land that belongs to nobody.
"""

from typing import Final

Spot = tuple[float, float]

REACH: Final[dict[str, list[Spot]]] = {
    # I
    "hamburg": [(54.1, 9.2), (52.7, 9.3), (53.2, 8.2)],
    "lubeck": [(54.3, 10.6), (53.6, 12.3), (52.4, 11.2), (51.6, 11.8)],
    "danzig": [(53.2, 18.2), (54.1, 20.8), (52.8, 17.2)],
    "riga": [(58.4, 25.4), (57.0, 26.5)],
    "novgorod": [(59.8, 30.3), (57.0, 31.0), (55.0, 31.6), (59.3, 28.5)],
    "stockholm": [(60.4, 16.3), (58.5, 16.0)],
    "copenhagen": [(56.2, 9.2), (57.0, 9.8), (55.2, 9.2)],
    "malmo": [(57.4, 13.0), (58.6, 12.0), (59.4, 12.0)],
    "visby": [],
    "stettin": [(52.5, 14.0), (51.5, 14.2), (53.8, 16.2)],
    "mitau": [(56.6, 23.0), (55.1, 22.0)],
    # II
    "london": [(52.3, 0.7), (52.2, -0.6)],
    "portsmouth": [(51.1, -2.5), (51.5, -1.6)],
    "chester": [(52.3, -1.8), (53.9, -2.6), (54.5, -3.0), (51.9, -2.3), (51.75, -2.75)],
    "york": [(53.2, -0.3), (54.8, -1.7)],
    "edinburgh": [(57.2, -4.2), (55.2, -3.9), (58.1, -4.6)],
    "waterford": [(53.3, -8.4), (52.0, -9.0), (53.1, -6.7)],
    "iceland": [],
    "bergen": [(59.0, 6.4), (61.4, 6.3)],
    "cornwall": [(51.0, -4.0)],
    "wales": [(51.9, -3.8), (53.0, -3.9)],
    "armagh": [(54.8, -6.5), (54.7, -7.9)],
    "shetland": [],
    "kongsberg": [(58.6, 7.9), (60.2, 10.9)],
    # III
    "paris": [(49.2, 0.4), (47.7, 1.3), (48.3, 3.4)],
    "saint_malo": [(47.7, -1.4), (48.3, -3.6)],
    "bruges": [(50.3, 2.6), (50.1, 5.2)],
    "koln": [(50.4, 7.6), (51.3, 9.2), (50.7, 9.6)],
    "strasbourg": [(48.8, 5.9), (48.7, 8.9)],
    "dijon": [(47.2, 3.3), (47.3, 6.0)],
    "basel": [(46.6, 7.4)],
    "nurnberg": [(50.4, 11.0), (48.8, 11.2)],
    "praha": [(50.1, 13.3), (49.4, 14.9)],
    "wien": [(47.0, 15.6), (46.4, 15.0), (48.3, 17.2)],
    "budapest": [(47.2, 21.0), (46.8, 18.4), (46.4, 20.4)],
    "amsterdam": [(53.0, 6.4), (52.0, 5.0)],
    "sankt_gallen": [(46.8, 10.3), (47.6, 10.6)],
    "salzburg": [(47.4, 12.3), (48.6, 14.4), (48.8, 15.6)],
    "breslau": [(50.0, 17.7), (49.4, 17.0)],
    "esseg": [(45.5, 17.0)],
    # IV
    "barcelona": [(41.8, -0.1), (42.2, 2.3)],
    "valencia": [(38.6, -0.8), (39.8, -0.9)],
    "san_sebastian": [(42.4, -2.8)],
    "toledo": [(41.2, -4.5), (40.8, -2.2), (39.3, -5.4)],
    "lisboa": [(40.9, -8.0), (38.0, -8.2)],
    "leon": [(43.0, -5.3), (42.9, -8.0), (42.0, -5.4)],
    "palma": [],
    # V
    "kiev": [(49.0, 32.2), (52.3, 31.2), (48.4, 32.4)],
    "varna": [(43.2, 27.3), (44.8, 28.3)],
    "tana": [(46.2, 40.5), (47.3, 37.6), (45.6, 39.3)],
    "sarai": [(47.5, 47.2)],
    "poti": [(41.9, 43.0)],
    "erzerum": [(41.1, 41.6)],
    "trebizond": [(40.5, 37.3)],
    "angora": [(41.5, 33.6), (40.6, 35.2), (40.3, 31.6)],
    "kaffa": [(45.2, 34.3), (46.8, 31.5), (46.3, 30.2)],
    "kamishin": [(48.2, 42.6)],
    "abasgia": [(44.4, 38.9), (43.2, 41.2)],
    # VI
    "cyprus": [],
    "aleppo": [(36.2, 38.2)],
    "saint_jean_d_acre": [(33.5, 36.4)],
    "suez": [(30.2, 33.8)],
    "cairo": [(31.2, 31.5)],
    "alexandria": [(30.2, 28.8), (30.9, 27.8)],
    "adalia": [(37.5, 31.6), (36.5, 32.6)],
    "tarsus": [(37.4, 35.4)],
    "levant": [(34.8, 37.2)],
    "jerusalem": [(31.2, 34.8)],
    "lybia": [(31.3, 26.6), (31.6, 24.3)],
    # VII
    "venezia": [(46.2, 13.1), (46.3, 11.4), (45.4, 11.0), (45.4, 13.8)],
    "genoa": [(44.4, 7.7), (43.7, 10.5), (42.8, 11.1)],
    "firenze": [(44.3, 12.0), (44.7, 10.4), (43.4, 12.0)],
    "roma": [(42.8, 13.1), (43.4, 13.1)],
    "napoli": [(41.6, 15.0), (40.4, 15.4)],
    "palermo": [(37.3, 14.6)],
    "milano": [(45.3, 8.0), (45.8, 10.0)],
    "lyon": [(45.3, 6.0), (44.8, 6.6), (45.2, 4.0)],
    "marseille": [(43.8, 4.9), (43.9, 6.6)],
    "montpellier": [(44.3, 3.2), (42.9, 2.4)],
    "bordeaux": [(46.4, -0.6), (45.8, 2.2), (46.6, 1.8), (44.6, 0.4)],
    "dubrovnik": [(44.6, 16.2), (45.2, 14.8), (42.8, 18.3)],
    "belgrad": [(44.7, 20.9), (42.6, 19.4)],
    "toulouse": [(43.6, -0.6)],
    "cagliari": [(42.2, 9.1)],
    "bari": [(40.3, 18.0), (39.2, 16.5), (38.3, 16.1)],
    # VIII
    "mauritania": [],
    "sevilla": [(38.2, -6.2)],
    "grenada": [(37.9, -2.2)],
    "fez": [(33.0, -7.6), (31.4, -8.6)],
    "algiers": [(36.3, 6.0)],
    "tunis": [(34.2, 9.4)],
    "tripoli": [(32.6, 12.6), (30.9, 16.4), (30.4, 18.0)],
    "heraklion": [],
    "saloniki": [(41.1, 24.4), (39.6, 22.2)],
    "constantinople": [(40.8, 30.4), (39.8, 27.2)],
    "smyrna": [(37.4, 28.2), (38.6, 29.2)],
    "oran": [(34.9, 0.6)],
    "barca": [(31.2, 20.0), (30.4, 18.9)],
    "corfu": [(39.0, 21.2)],
    "durazzo": [(41.6, 20.3)],
    "athina": [(37.4, 22.3), (38.7, 22.5)],
    "galipoli": [(41.5, 26.2), (41.4, 28.0)],
}
"""Where else a province lies than at its place."""

LENSES: Final[list[tuple[Spot, float, float]]] = [
    ((53.0, -2.6), 92.0, 0.62),
    ((44.3, 9.8), 86.0, 0.62),
    ((29.9, 33.6), 66.0, 0.55),
]
"""Crowded places, drawn larger: their middle, how far the lens reaches in cells, and how much it adds there."""
WILD: Final[list[Spot]] = [
    (62.5, 13.0),
    (62.5, 24.0),
    (62.0, 31.0),
    (60.6, 13.0),
    (60.5, 26.0),
    (61.0, 9.0),
    (54.6, 25.3),
    (52.2, 21.5),
    (51.2, 24.0),
    (49.4, 19.8),
    (48.6, 22.6),
    (46.6, 24.5),
    (44.6, 25.0),
    (43.3, 24.2),
    (42.3, 22.3),
    (49.0, 26.5),
    (39.2, 31.4),
    (38.8, 35.0),
    (37.6, 40.0),
    (35.0, 40.0),
    (32.0, 37.5),
    (29.2, 34.5),
    (29.0, 30.5),
    (29.4, 25.0),
    (29.2, 17.0),
    (31.0, 10.5),
    (34.2, 5.5),
    (33.3, 0.5),
    (32.6, -4.0),
    (54.0, 36.0),
    (51.5, 36.5),
    (48.8, 35.6),
    (47.9, 35.4),
    (46.3, 47.6),
    (47.0, 48.6),
    (46.0, 46.5),
    (57.0, 37.0),
    (60.0, 35.0),
    (52.0, 42.0),
    (50.5, 40.0),
    (47.0, 44.0),
    (43.5, 44.5),
    (40.5, 45.0),
    (51.5, 48.0),
    (39.0, 43.0),
    (29.2, -7.5),
    (55.0, 28.0),
    (51.0, 27.0),
]
"""Land that is in no province."""

MAURITANIA: Final[list[Spot]] = [(6, 363), (9, 343), (20, 333), (31, 335), (37, 343), (40, 363)]
"""Far in the south, hence drawn at the edge: an outline in cells of the grid."""
ISLANDS: Final[dict[str, tuple[float, Spot]]] = {
    "iceland": (0.7, (61.0, -10.2)),
    "shetland": (3.4, (60.6, -2.0)),
    "visby": (2.0, (57.4, 18.9)),
    "palma": (2.6, (39.3, 3.2)),
    "palermo": (1.22, (37.3, 14.0)),
    "cyprus": (1.75, (34.9, 32.6)),
    "heraklion": (1.6, (34.7, 25.0)),
    "cagliari": (1.1, (40.0, 9.0)),
}
"""Islands that are drawn larger (or smaller) than they are, and where."""
CARVED: Final[list[tuple[float, list[Spot]]]] = [
    (1.6, [(41.4, 29.15), (40.9, 28.9), (40.7, 28.0), (40.4, 27.0), (40.2, 26.4), (39.9, 26.0)]),
    (1.6, [(56.4, 12.2), (55.8, 12.8), (55.3, 12.8)]),
    (1.6, [(38.3, 21.5), (38.25, 22.3)]),
    (1.5, [(36.0, -6.2), (35.95, -5.3)]),
    (1.5, [(38.35, 15.55), (38.0, 15.6)]),
    (1.5, [(45.3, 36.5), (45.9, 36.3)]),
]
"""Straits that a coarse grid would close: half their width in cells, and their course."""
FILLED: Final[list[tuple[float, Spot]]] = [
    (3.0, (54.6, 9.9)),
    (4.5, (50.75, -4.5)),
    (3.0, (50.3, -5.2)),
    (3.0, (41.6, 16.0)),
]
"""Land that a coarse grid, or the sea, would take away: half its width in cells, and its middle."""
ISLAND_AT: Final[dict[str, Spot]] = {
    "iceland": (64.9, -18.5),
    "shetland": (60.3, -1.3),
    "visby": (57.5, 18.5),
    "palma": (39.6, 3.0),
    "palermo": (37.5, 14.1),
    "cyprus": (35.1, 33.2),
    "heraklion": (35.2, 24.9),
    "cagliari": (40.0, 9.0),
}
"""A point of each by which its coast is found."""

SEAS: Final[dict[str, list[Spot]]] = {
    "greenland_sea": [(60.6, -4.6), (59.6, -6.0), (59.2, -3.0)],
    "norwegian_sea": [(61.6, 1.5), (61.0, 0.4)],
    "north_sea": [(56.4, -1.2), (57.6, 7.3), (59.4, -0.6), (58.0, 2.0), (55.5, 4.0), (53.0, 3.0)],
    "baltic_sea": [(55.4, 17.0), (58.0, 19.9), (57.7, 23.4), (58.8, 19.0), (56.0, 19.5), (54.5, 15.0)],
    "bay_of_biscay": [
        (45.5, -5.0),
        (49.5, -8.5),
        (49.3, -4.5),
        (52.5, -10.8),
        (51.3, -5.8),
        (56.3, -8.5),
        (41.0, -10.5),
        (37.5, -10.0),
        (45.0, -13.0),
        (51.0, -13.0),
        (57.0, -7.0),
        (37.0, -7.7),
    ],
    "canary_basin": [(32.5, -11.0), (34.0, -9.0), (36.3, -6.9)],
    "western_mediterranean": [(40.0, 6.0), (36.2, -3.0), (38.5, 0.8), (41.5, 11.0), (39.5, 12.5), (43.2, 8.5)],
    "central_mediterranean": [(34.8, 18.5), (34.0, 22.5), (35.5, 13.0), (37.5, 19.0), (32.3, 24.5)],
    "adriatic_sea": [(43.2, 15.2), (44.5, 13.3), (42.2, 17.0)],
    "aegean_sea": [(39.2, 25.0), (37.0, 25.2), (40.3, 25.2)],
    "eastern_mediterranean": [(32.0, 27.2), (33.5, 29.5), (32.0, 32.5), (35.5, 29.5), (34.2, 34.6)],
    "black_sea": [(43.3, 34.0), (42.3, 38.5), (44.8, 31.0), (41.8, 29.4), (41.7, 30.6), (46.0, 37.0)],
}
"""Where the seas begin."""
NARROWS: Final[list[Spot]] = [
    (50.6, 1.2),
    (50.1, -0.8),
    (51.3, -3.6),
    (53.6, -4.8),
    (55.0, -5.4),
    (54.8, 10.9),
    (56.3, 11.5),
    (55.8, 10.5),
    (57.8, 11.0),
    (60.0, 27.0),
    (59.7, 24.0),
    (61.5, 19.0),
    (41.0, 19.0),
    (40.2, 19.2),
    (40.8, 28.2),
    (36.4, 35.3),
    (35.7, 34.6),
    (36.0, -5.7),
    (59.3, 10.6),
]
"""Coastal waters that belong to no sea: the Channel, the Sound, straits and gulfs."""

SEA_NAMES: Final[dict[str, tuple[float, float, int]]] = {
    "greenland_sea": (59.5, -7.2, 0),
    "norwegian_sea": (61.75, 1.95, 0),
    "north_sea": (57.3, 2.9, 0),
    "baltic_sea": (55.6, 17.8, 0),
    "bay_of_biscay": (46.0, -5.4, 0),
    "canary_basin": (33.9, -11.4, 0),
    "western_mediterranean": (37.9, 7.0, 0),
    "central_mediterranean": (34.9, 17.6, 0),
    "adriatic_sea": (43.35, 15.0, 42),
    "aegean_sea": (37.9, 25.3, 70),
    "eastern_mediterranean": (33.2, 28.9, 0),
    "black_sea": (43.3, 33.2, 0),
}
"""The middles of the names of the seas, and how far they are turned, in degrees."""
BOXES: Final[dict[str, tuple[int, int, int, int]]] = {
    "north_america": (40, 1130, 330, 220),
    "south_america": (40, 1410, 330, 220),
    "china": (3650, 2200, 320, 200),
    "india": (3650, 2430, 320, 200),
    "east_indies": (3650, 2660, 320, 200),
}
"""The boxes overseas, which lie on no coast of this map: left, top, width and height on the canvas."""
NUMERALS: Final[dict[str, Spot]] = {
    "I": (54.3, 24.4),
    "II": (50.6, -8.6),
    "III": (50.0, 21.2),
    "IV": (44.0, -4.2),
    "V": (48.0, 37.2),
    "VI": (34.6, 40.6),
    "VII": (42.0, 5.9),
    "VIII": (34.0, 4.6),
}
"""Where the number of each region stands: beside its lands."""
MIDDLES: Final[dict[str, Spot]] = {
    "genoa": (43.55, 10.6),
    "barca": (31.75, 21.3),
    "mauritania": (30.6, -12.4),
    "bergen": (60.9, 6.6),
    "alexandria": (30.85, 28.75),
    "wales": (52.75, -3.75),
    "cornwall": (50.62, -4.6),
}
"""Where pieces lie in provinces whose roomiest spot is in a neighbour's way."""
