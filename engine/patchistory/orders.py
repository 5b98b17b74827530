"""Every order. Squares are written as on the territory, players by their colour, routes by their number."""

from engine.kernel.orders import Order


class Bid(Order, saved="patch.Bid"):
    """1. Enchères  Money on a lot: `start` at first, more when outbid, up to `most` (0: no more than at first)."""

    lot: str
    start: int = 1
    most: int = 0


class Take(Order, saved="patch.Take"):
    """Vasco de Gama  Take a lot free."""

    lot: str


class Place(Order, saved="patch.Place"):
    """Placement  The lot won, its top left square at `corner`, the squares `under` below what lies there.

    `lot`: only if it is this one (empty: whichever it is). `side`: the colour that is up, with two players.
    """

    corner: str
    under: tuple[str, ...] = ()
    lot: str = ""
    side: str = ""


class Forgo(Order, saved="patch.Forgo"):
    """Placement  Discard the tile won."""


class Settle(Order, saved="patch.Settle"):
    """Important; Moïse  Free workers, each on the first of these squares where there is room."""

    squares: tuple[str, ...]


class Aid(Order, saved="patch.Aid"):
    """Aide  Offer three goods, a good named as often as it is given."""

    goods: tuple[str, ...]
    to: str


class Threaten(Order, saved="patch.Threaten"):
    """Menace  Demand Culture or Money."""

    to: str
    good: str


class BreakAlliance(Order, saved="patch.BreakAlliance"):
    """Briser une Alliance."""

    to: str


class Answer(Order, saved="patch.Answer"):
    """Aide  Take what is offered, or refuse it."""

    accept: bool


class Send(Order, saved="patch.Send"):
    """Commerce  A worker from a square to the start of a route."""

    square: str
    route: int


class Exchange(Order, saved="patch.Exchange"):
    """Échange  So many units of one good for others, a good named as often as it is taken."""

    count: int
    good: str
    gained: tuple[str, ...]


class Train(Order, saved="patch.Train"):
    """Former  A new worker on a square."""

    square: str


class Honour(Order, saved="patch.Honour"):
    """Honorer  The heroes, or the wonders: `hero` or `wonder`."""

    what: str


class BuildRoute(Order, saved="patch.BuildRoute"):
    """Construction  A main route to a player."""

    to: str


class Clear(Order, saved="patch.Clear"):
    """Assainissement  A square, with this building tile (none named: the first in hand)."""

    square: str
    building: str = ""


class Build(Order, saved="patch.Build"):
    """Construction  A building on a square."""

    building: str
    square: str


class Campaign(Order, saved="patch.Campaign"):
    """Campagne  So many Politics Points for votes."""

    points: int


class Move(Order, saved="patch.Move"):
    """3. Mouvement  A worker from one square to another."""

    start: str
    to: str


class Travel(Order, saved="patch.Travel"):
    """3. Mouvement  One's worker on a route, so many spaces forward."""

    route: int
    spaces: int


class Rest(Order, saved="patch.Rest"):
    """3. Mouvement  One's worker on a route to rest/return."""

    route: int


class Token(Order, saved="patch.Token"):
    """4. Négociation  `red`, or `blue`; whether one would conclude an alliance, and the end of its route to take."""

    side: str
    wish: bool = False
    end: str = "A"


class Fights(Order, saved="patch.Fights"):
    """4. Guerre  The routes whose wars are resolved, in this order."""

    routes: tuple[str, ...]


class Fuel(Order, saved="patch.Fuel"):
    """4. Guerre  Resources, and votes where an effect allows it, for power."""

    resources: int
    votes: int = 0


class Home(Order, saved="patch.Home"):
    """Squares for workers that come home, or must make room, in order of preference."""

    squares: tuple[str, ...]


class PutCard(Order, saved="patch.PutCard"):
    """7. Vote  The prosperity card to be played."""

    card: str


class Votes(Order, saved="patch.Votes"):
    """7. Vote  Votes for the card that is asked; or a number for each card, in the order of the vote."""

    counts: tuple[int, ...]


class SendBack(Order, saved="patch.SendBack"):
    """Workers back to the People track, from squares and routes (by number)."""

    squares: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()


class Ally(Order, saved="patch.Ally"):
    """Constantin Ier  An allied route to a player, with the end to take."""

    to: str
    end: str = "A"


class DiscardRoute(Order, saved="patch.DiscardRoute"):
    """Schwerer Gustav  A route goes."""

    route: int


class Bomb(Order, saved="patch.Bomb"):
    """Bombardier furtif  A rival's square is cleared, with this building tile (none named: the first in hand)."""

    to: str
    square: str
    building: str = ""
