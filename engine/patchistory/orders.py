"""Every order. Squares are named as on the territory, players by colour, routes by number."""

from engine.kernel.orders import Order


class Bid(Order, saved="patch.Bid"):
    """1.

    Enchères  Bid money on a lot: `start` first, more when outbid, up to `most` (0: never more than `start`).
    """

    lot: str
    start: int = 1
    most: int = 0


class Take(Order, saved="patch.Take"):
    """Vasco de Gama  Take a lot for free."""

    lot: str


class Place(Order, saved="patch.Place"):
    """Placement  Place the won lot: its top left square at `corner`, the squares `under` below existing ones.

    `lot`: only if this lot was won; "" for any. `side`: the colour that is up, with two players.
    """

    corner: str
    under: tuple[str, ...] = ()
    lot: str = ""
    side: str = ""


class Forgo(Order, saved="patch.Forgo"):
    """Placement  Discard the won tile."""


class Settle(Order, saved="patch.Settle"):
    """Important; Moïse  Place free workers, each on the first of these squares with room."""

    squares: tuple[str, ...]


class Aid(Order, saved="patch.Aid"):
    """Aide  Offer three goods; a good is named as often as it is given."""

    goods: tuple[str, ...]
    to: str


class Threaten(Order, saved="patch.Threaten"):
    """Menace  Demand Culture or Money."""

    to: str
    good: str


class BreakAlliance(Order, saved="patch.BreakAlliance"):
    """Briser une Alliance  End an alliance."""

    to: str


class Answer(Order, saved="patch.Answer"):
    """Aide  Accept or refuse an offer."""

    accept: bool


class Send(Order, saved="patch.Send"):
    """Commerce  Send a worker from a square to the start of a route."""

    square: str
    route: int


class Exchange(Order, saved="patch.Exchange"):
    """Échange  Exchange `count` units of a good for others; a good is named as often as it is taken."""

    count: int
    good: str
    gained: tuple[str, ...]


class Train(Order, saved="patch.Train"):
    """Former  Put a new worker on a square."""

    square: str


class Honour(Order, saved="patch.Honour"):
    """Honorer  Honour the heroes, or the wonders: `hero` or `wonder`."""

    what: str


class BuildRoute(Order, saved="patch.BuildRoute"):
    """Construction  Build a main route to a player."""

    to: str


class Clear(Order, saved="patch.Clear"):
    """Assainissement  Clear a square with a building tile. `building`: "" for the first in hand."""

    square: str
    building: str = ""


class Build(Order, saved="patch.Build"):
    """Construction  Build on a square."""

    building: str
    square: str


class Campaign(Order, saved="patch.Campaign"):
    """Campagne  Spend Politics Points for votes."""

    points: int


class Move(Order, saved="patch.Move"):
    """3. Mouvement  Move a worker between squares."""

    start: str
    to: str


class Travel(Order, saved="patch.Travel"):
    """3. Mouvement  Move the own worker on a route forward."""

    route: int
    spaces: int


class Rest(Order, saved="patch.Rest"):
    """3. Mouvement  Move the own worker on a route to rest/return."""

    route: int


class Token(Order, saved="patch.Token"):
    """4.

    Négociation  Choose `red` or `blue`. `wish`: wants an alliance. `end`: the end of its route to take.
    """

    side: str
    wish: bool = False
    end: str = "A"


class Fights(Order, saved="patch.Fights"):
    """4. Guerre  List routes in the order in which their wars are resolved."""

    routes: tuple[str, ...]


class Fuel(Order, saved="patch.Fuel"):
    """4. Guerre  Discard Resources, and votes if an effect allows it, for power."""

    resources: int
    votes: int = 0


class Home(Order, saved="patch.Home"):
    """List squares for returning or crowded workers, in order of preference."""

    squares: tuple[str, ...]


class PutCard(Order, saved="patch.PutCard"):
    """7. Vote  Choose the prosperity card to play."""

    card: str


class Votes(Order, saved="patch.Votes"):
    """7. Vote  Vote for the card that is asked; or give a number for each card, in the order of the vote."""

    counts: tuple[int, ...]


class SendBack(Order, saved="patch.SendBack"):
    """Return workers to the People track, from squares and routes (by number)."""

    squares: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()


class Ally(Order, saved="patch.Ally"):
    """Constantin Ier  Lay an allied route to a player. `end`: the end to take."""

    to: str
    end: str = "A"


class DiscardRoute(Order, saved="patch.DiscardRoute"):
    """Schwerer Gustav  Discard a route."""

    route: int


class Bomb(Order, saved="patch.Bomb"):
    """Bombardier furtif  Clear a rival's square with a building tile.

    `building`: "" for the first in hand.
    """

    to: str
    square: str
    building: str = ""
