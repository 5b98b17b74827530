"""Every order. Things are named as printed; ships are counted in holds, not in goods.

Choices within an action may be stated with it; others are asked when they come up.
"""

from engine.kernel.orders import Order

# --- main actions


class Sail(Order, saved="amalfi.Sail"):
    """Navigation  Sail a ship to a destination.

    `first`: a character taken before the action of an evolving destination.
    """

    place: str
    first: tuple[str, ...] = ()
    send: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    erect: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()
    light: tuple[str, ...] = ()


class Acquire(Order, saved="amalfi.Acquire"):
    """Acquisition  Acquire an artwork.

    Without `pay` and `emergency`, the payment with least waste is used.
    """

    artwork: str
    pay: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    erect: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()


class Discover(Order, saved="amalfi.Discover"):
    """Découverte  Discover a tile of the Atlas."""

    destination: str
    pay: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()


class Invite(Order, saved="amalfi.Invite"):
    """Invitation  Invite a character of the hand. `get`: the thing of the action that its effect gives."""

    character: str
    pay: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()
    send: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    erect: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()
    recall: tuple[str, ...] = ()
    get: str = ""


class Engage(Order, saved="amalfi.Engage"):
    """Engagement  Engage a character that is laid out and not turned.

    `pay`, `emergency`: for the thing in `get`.
    """

    character: str
    send: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    erect: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()
    recall: tuple[str, ...] = ()
    get: str = ""
    pay: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()
    use: str = ""
    discard: str = ""


class Build(Order, saved="amalfi.Build"):
    """Construction  Build one or more ships."""

    ships: int
    pay: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    erect: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()


class Finish(Order, saved="amalfi.Finish"):
    """Phase 1  Pass for the rest of the period."""


# --- optional actions


class Lower(Order, saved="amalfi.Lower"):
    """Actions optionnelles  Lower ships from holds to the bay, for bread; a hold is named once for each ship."""

    holds: tuple[str, ...]


class Supply(Order, saved="amalfi.Supply"):
    """Ravitaillement d'urgence  Move ships from the bay to the port, for bread."""

    ships: int


class Drop(Order, saved="amalfi.Drop"):
    """Actions optionnelles  Discard characters of the hand, for a bread each."""

    characters: tuple[str, ...]


class Provide(Order, saved="amalfi.Provide"):
    """Repas  Find the missing bread with ships: those of the bay first, then loaded ones, with least waste."""


class Recant(Order, saved="amalfi.Recant"):
    """Withdraw the stored actions."""


# --- choices


class Send(Order, saved="amalfi.Send"):
    """Choose a hold for each ship to send."""

    send: tuple[str, ...]


class Take(Order, saved="amalfi.Take"):
    """List characters of the Council, in order of preference."""

    take: tuple[str, ...]


class Erect(Order, saved="amalfi.Erect"):
    """List destinations for a lighthouse, in order of preference; or what to gain if none is left."""

    erect: tuple[str, ...]


class Refresh(Order, saved="amalfi.Refresh"):
    """List engaged characters, in order of preference."""

    refresh: tuple[str, ...]


class Recall(Order, saved="amalfi.Recall"):
    """List destinations from which ships return."""

    recall: tuple[str, ...]


class Use(Order, saved="amalfi.Use"):
    """Choose an own private destination."""

    use: str


class GiveUp(Order, saved="amalfi.GiveUp"):
    """Choose a character of the hand to give up for points."""

    discard: str


class Light(Order, saved="amalfi.Light"):
    """Utilisation des phares  List holds for the ship, in order of preference; empty for a bread."""

    light: tuple[str, ...] = ()


# --- dealing hands


class ChooseHand(Order, saved="amalfi.ChooseHand"):
    """Mise en place §9  Choose a packet."""

    hand: str


class ListHands(Order, saved="amalfi.ListHands"):
    """Mise en place §9, by the option `list`: the packets in order of preference."""

    hands: tuple[str, ...]


class Keep(Order, saved="amalfi.Keep"):
    """Variantes  Choose the cards to keep."""

    characters: tuple[str, ...]
