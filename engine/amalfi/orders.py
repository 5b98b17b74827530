"""Every order. Things are named as they are printed; ships are counted in holds, never in goods.

Choices that come up in an action may be said with it; those that are not are asked as they come.
"""

from engine.kernel.orders import Order

# --- main actions


class Sail(Order, saved="amalfi.Sail"):
    """Navigation  A ship to a destination. `first`: a character taken before the action of an evolving destination."""

    place: str
    first: tuple[str, ...] = ()
    send: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    erect: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()
    light: tuple[str, ...] = ()


class Acquire(Order, saved="amalfi.Acquire"):
    """Acquisition  An artwork. Neither `pay` nor `emergency`: the payment of least waste."""

    artwork: str
    pay: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    erect: tuple[str, ...] = ()
    refresh: tuple[str, ...] = ()


class Discover(Order, saved="amalfi.Discover"):
    """Découverte  A tile of the Atlas."""

    destination: str
    pay: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()


class Invite(Order, saved="amalfi.Invite"):
    """Invitation  A character of the hand. `get`: what the action is about that its effect gives."""

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
    """Engagement  A character that is laid out and not turned. `pay`, `emergency`: for what it `get`s."""

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
    """Construction  Ships, several at once."""

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
    """Actions optionnelles  Ships from holds to the bay, for bread; a hold named as often as it gives one."""

    holds: tuple[str, ...]


class Supply(Order, saved="amalfi.Supply"):
    """Ravitaillement d'urgence  Ships from the bay to the port, for bread."""

    ships: int


class Drop(Order, saved="amalfi.Drop"):
    """Actions optionnelles  Characters of the hand for a bread each."""

    characters: tuple[str, ...]


class Provide(Order, saved="amalfi.Provide"):
    """Repas  Lower ships until the meal is paid, wasting least; nothing more than is missing."""


class Recant(Order, saved="amalfi.Recant"):
    """Take back the actions on file."""


# --- choices


class Send(Order, saved="amalfi.Send"):
    """A hold for each ship that may be sent."""

    send: tuple[str, ...]


class Take(Order, saved="amalfi.Take"):
    """Characters of the Council, the one liked best first."""

    take: tuple[str, ...]


class Erect(Order, saved="amalfi.Erect"):
    """Destinations for a lighthouse, the one liked best first; or what is gained where none is left."""

    erect: tuple[str, ...]


class Refresh(Order, saved="amalfi.Refresh"):
    """Engaged characters, the one liked best first."""

    refresh: tuple[str, ...]


class Recall(Order, saved="amalfi.Recall"):
    """Destinations from which ships come back."""

    recall: tuple[str, ...]


class Use(Order, saved="amalfi.Use"):
    """An own private destination."""

    use: str


class GiveUp(Order, saved="amalfi.GiveUp"):
    """A character of the hand for points."""

    discard: str


class Light(Order, saved="amalfi.Light"):
    """Utilisation des phares  The holds to which a ship may be sent, by preference; none: a bread."""

    light: tuple[str, ...] = ()


# --- dealing hands


class ChooseHand(Order, saved="amalfi.ChooseHand"):
    """Mise en place §9  One of the packets that are left."""

    hand: str


class Keep(Order, saved="amalfi.Keep"):
    """Variantes  The cards that one keeps."""

    characters: tuple[str, ...]
