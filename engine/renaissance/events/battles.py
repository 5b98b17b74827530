"""Phase 2 - Combats: the turn of each player, and a battle from its announcement to its end."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.kernel.codec import saved
from engine.kernel.events import Event
from engine.kernel.names import Seat
from engine.kernel.secrets import Secret
from engine.renaissance.board import Battle


@saved("ren.CampaignBegan")
@dataclass(frozen=True, kw_only=True)
class CampaignBegan(Event):
    """Phase 2 - Combats  A player's turn."""

    seat: Seat


@saved("ren.CampaignEnded")
@dataclass(frozen=True, kw_only=True)
class CampaignEnded(Event):
    """Phase 2 - Combats  His turn is over: the cards before him are back in his hand."""

    seat: Seat
    cards: tuple[str, ...]


@saved("ren.AttackAnnounced")
@dataclass(frozen=True, kw_only=True)
class AttackAnnounced(Event):
    """Annonce du combat  A battle is fought for a city; the attacker's cards lie face down."""

    battle: Battle


@saved("ren.CondottiereOffered")
@dataclass(frozen=True, kw_only=True)
class CondottiereOffered(Event):
    """Vente de Condottiere  A third party would sell one to a belligerent."""

    seat: Seat
    to: Seat


@saved("ren.CondottiereHired")
@dataclass(frozen=True, kw_only=True)
class CondottiereHired(Event):
    """Vente de Condottiere  Bought for a ducat, and laid. `back`: the troop that it replaced, in hand again."""

    seat: Seat
    seller: Seat
    card: Secret[str]
    back: Secret[str] | None = None
    paid: int = 1


@saved("ren.DefenceLaid")
@dataclass(frozen=True, kw_only=True)
class DefenceLaid(Event):
    """Combat  The defender's cards lie face down."""

    seat: Seat
    cards: tuple[Secret[str], ...]


@saved("ren.CardsShown")
@dataclass(frozen=True, kw_only=True)
class CardsShown(Event):
    """Combat  Both dice, all cards, what the Condottieri among them cost, and those that could not be paid (A6)."""

    attacker: Seat
    defender: Seat
    attack: tuple[str, ...]
    defence: tuple[str, ...]
    dice: tuple[int, int]
    paid: Mapping[Seat, int]
    unpaid: tuple[str, ...] = ()


@saved("ren.RedCancelled")
@dataclass(frozen=True, kw_only=True)
class RedCancelled(Event):
    """Le contre  The attacker's red card was cancelled by the same one, laid (A13) or from hand (A14)."""

    seat: Seat
    kind: str
    attack: str
    defence: str
    from_hand: bool


@saved("ren.TroopLost")
@dataclass(frozen=True, kw_only=True)
class TroopLost(Event):
    """Félon in defence, A12  The attacker's strongest troop is gone (no card: there was none)."""

    seat: Seat
    card: str


@saved("ren.CondottiereThrown")
@dataclass(frozen=True, kw_only=True)
class CondottiereThrown(Event):
    """Condottiere  His die: `rout`, `betrayal`, or a value."""

    seat: Seat
    card: str
    face: str
    throw: int


@saved("ren.CondottiereTurned")
@dataclass(frozen=True, kw_only=True)
class CondottiereTurned(Event):
    """Trahison, A5  Bought over by the other side for a ducat."""

    seat: Seat
    loser: Seat
    card: str
    paid: int


@saved("ren.SignLaid")
@dataclass(frozen=True, kw_only=True)
class SignLaid(Event):
    """Signe de Dieu  One card counts double."""

    seat: Seat
    sign: str
    card: str


@saved("ren.BattleDecided")
@dataclass(frozen=True, kw_only=True)
class BattleDecided(Event):
    """Résultat du combat  Both totals, with what they are made of, and who won (`attack`, `defence`, `tie`)."""

    attacker: Seat
    defender: Seat
    city: str
    attack: Mapping[str, int]
    defence: Mapping[str, int]
    won_by: str


@saved("ren.CardsSaved")
@dataclass(frozen=True, kw_only=True)
class CardsSaved(Event):
    """Retraite  Troops taken back before they were discarded, one for each Retraite (none shown: the privilege)."""

    seat: Seat
    cards: tuple[str, ...]
    retreats: tuple[str, ...]
    free: bool = False


@saved("ren.BattleEnded")
@dataclass(frozen=True, kw_only=True)
class BattleEnded(Event):
    """Résultat du combat  The city has changed hands or not; which cards lie aside, are back in hand, are gone."""

    attacker: Seat
    defender: Seat
    city: str
    captured: bool
    aside: tuple[str, ...]
    back: tuple[str, ...]
    discarded: tuple[str, ...]
