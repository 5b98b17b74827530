"""Combat: a battle from its announcement to its end.

Each stage is a step, with questions to the players who may react.

Every player who may be able to react, by public knowledge, is asked, whatever they hold. `reactions` handles the
answers.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.kernel.orders import Pace, Question
from engine.kernel.position import Step
from engine.kernel.secrets import Secret
from engine.kernel.turn_chapters import Steps
from engine.kernel.viewers import Seat
from engine.renaissance.acts import Game, fall_out
from engine.renaissance.board import Battle, Laid
from engine.renaissance.catalogue import FACES, HIRE, HIRED_FREE, kind_of
from engine.renaissance.events import (
    BattleDecided,
    BattleEnded,
    CardsShown,
    CondottiereThrown,
    DefenceLaid,
    RedCancelled,
    TroopLost,
)
from engine.renaissance.phases import reactions, strength
from engine.renaissance.phases.diplomacy import due_for


class Stage(Step, saved="ren.Stage"):
    """A stage of the current battle.

    For a Signe de Dieu: `seat` chooses, `passes` counts passes in a row, `laid` counts signs before the choice.
    """

    name: str
    seat: Seat | None = None
    passes: int = 0
    laid: int = 0


COURSE: Final = (
    "sales",
    "hire",
    "defence",
    "laid",
    "show",
    "weapons",
    "felon",
    "condottieri",
    "signs",
    "decide",
    "retreats",
    "end",
)


def begin(table: Game) -> None:
    """Queue all stages, in order."""
    table.then(*(Stage(name) for name in COURSE))


def stage(table: Game, step: Stage) -> None:
    """Do one stage."""
    assert table.board.battle is not None, "stages belong to a battle"
    STAGES[step.name](table, table.board.battle, step)


def _ask(table: Game, battle: Battle, asks: str, seats: tuple[Seat, ...], about: str = "") -> None:
    """Ask seats a reaction at a gate of its own."""
    gate = f"{asks}/{table.board.turn}/{battle.number}{about}"
    powers = table.board.powers
    limits: dict[str, Any] = {
        "city": battle.city,
        "attacker": powers[battle.attacker].nation,
        "defender": powers[battle.defender].nation,
    }
    table.ask(*(Question(gate, seat, asks, limits, pace=Pace.REACTION) for seat in seats))


# --- before the cards are shown


def sales(table: Game, battle: Battle, step: Stage) -> None:
    """Vente de Condottiere, A7  Ask every other player who has cards whether to offer."""
    fighting = (battle.attacker, battle.defender)
    others = tuple(p.seat for p in table.board.playing() if p.cards and p.seat not in fighting)
    _ask(table, battle, "sales", others)


def hire(table: Game, battle: Battle, step: Stage) -> None:
    """A7  Ask belligerents who were offered a Condottiere and have a ducat."""
    offered = {buyer for _, buyer in battle.offers}
    fighting = (battle.attacker, battle.defender)
    able = tuple(seat for seat in fighting if seat in offered and table.board.powers[seat].ducats >= HIRE)
    _ask(table, battle, "hire", able)


def defence(table: Game, battle: Battle, step: Stage) -> None:
    """Combat, A8  Ask the defender to lay cards, unless they have none, or have just bought two."""
    if len(battle.defence) < reactions.PLACES and reactions.can_lay(table, battle.defender):
        _ask(table, battle, "defence", (battle.defender,))


def laid(table: Game, battle: Battle, step: Stage) -> None:
    """Combat  Lay the strongest blue card if the defender has one and gave no valid order."""
    if battle.ready:
        return
    room = len(battle.defence) < reactions.PLACES
    cards = reactions.strongest(table.board, battle.defender)[:room]
    secrets = tuple(Secret(card, frozenset({battle.defender})) for card in cards)
    table.emit(DefenceLaid(seat=battle.defender, cards=secrets))


# --- effects of the cards


def show(table: Game, battle: Battle, step: Stage) -> None:
    """Combat, A6  Roll and reveal for both sides; Condottieri are paid, and unpaid ones do not fight."""
    name = f"battle/{table.board.turn}/{battle.number}"
    dice = (table.roll(f"{name}/attack"), table.roll(f"{name}/defence"))
    paid: dict[Seat, int] = {}
    unpaid: tuple[str, ...] = ()
    for seat in (battle.attacker, battle.defender):
        due = [laid.card.value for laid in battle.side(seat) if due_for(laid)]
        can = min(len(due), table.board.powers[seat].ducats // HIRE)
        unpaid += tuple(due[can:])
        if can:
            paid[seat] = can * HIRE
    table.emit(
        CardsShown(
            attacker=battle.attacker,
            defender=battle.defender,
            attack=_ids(battle.attack),
            defence=_ids(battle.defence),
            dice=dice,
            paid=paid,
            unpaid=unpaid,
        )
    )


def _ids(cards: tuple[Laid, ...]) -> tuple[str, ...]:
    return tuple(laid.card.value for laid in cards)


def weapons(table: Game, battle: Battle, step: Stage) -> None:
    """Le contre, A13, A14  Cancel the attacker's red card: by the same card laid, at once; from the hand, if the
    defender wants.
    """
    red = strength.weapon(battle.attack)
    if red is None:
        return
    kind = kind_of(red.card.value).id
    same = next((laid for laid in battle.defence if laid.is_a(kind)), None)
    if same is not None:
        table.emit(
            RedCancelled(
                seat=battle.defender, kind=kind, attack=red.card.value, defence=same.card.value, from_hand=False
            )
        )
    elif table.board.powers[battle.defender].cards:
        _ask(table, battle, "counter", (battle.defender,))


def felon(table: Game, battle: Battle, step: Stage) -> None:
    """Félon, A12  Remove the attacker's strongest troop for a Félon in defence; a Condottiere is no troop."""
    if not any(laid.is_a("felon") and not laid.gone for laid in battle.defence):
        return
    troops = [laid.card.value for laid in battle.attack if laid.troop and not laid.gone]
    best = max(troops, key=lambda card: kind_of(card).value, default="")
    table.emit(TroopLost(seat=battle.attacker, card=best))


def condottieri(table: Game, battle: Battle, step: Stage) -> None:
    """Condottiere, A5  Roll one die after the other, the attacker's first; a bribed Condottiere is rolled again."""
    thrown = next(
        (
            (seat, laid.card.value)
            for seat in (battle.attacker, battle.defender)
            for laid in battle.side(seat)
            if laid.is_a("condottiere") and not laid.gone and laid.value is None
        ),
        None,
    )
    if thrown is None:
        return
    seat, card = thrown
    throw = battle.throws + 1
    face = FACES[table.roll(f"battle/{table.board.turn}/{battle.number}/condottiere/{throw}", len(FACES)) - 1]
    foe = battle.foe(seat)
    for_sale = face == "betrayal" and table.board.powers[foe].ducats >= HIRE
    table.emit(CondottiereThrown(seat=seat, card=card, face=face, throw=throw, for_sale=for_sale))
    table.then(Stage("condottieri"))
    if for_sale:
        _ask(table, battle, "traitor", (foe,), f"/{throw}")


# --- the result


def signs(table: Game, battle: Battle, step: Stage) -> None:
    """A15  Let the losing side choose first, then the other, until both pass."""
    table.then(Stage("sign", strength.losing(table.core.options, table.board, battle)))


def sign(table: Game, battle: Battle, step: Stage) -> None:
    """Ask one side, if it may have a choice by public knowledge."""
    seat = step.seat
    assert seat is not None, "a choice has an author"
    if step.passes >= len((battle.attacker, battle.defender)):
        return
    able = seat not in battle.signs and table.board.powers[seat].cards and strength.doubling(battle, seat)
    if not able:
        table.then(Stage("sign", battle.foe(seat), step.passes + 1))
        return
    table.then(Stage("signed", seat, step.passes, len(battle.signs)))
    _ask(table, battle, "sign", (seat,), f"/{seat}/{len(battle.signs)}")


def signed(table: Game, battle: Battle, step: Stage) -> None:
    """Let the other side choose next."""
    assert step.seat is not None, "a choice has an author"
    passed = len(battle.signs) == step.laid
    table.then(Stage("sign", battle.foe(step.seat), step.passes + 1 if passed else 0))


def decide(table: Game, battle: Battle, step: Stage) -> None:
    """Résultat du combat  Compare the totals; on a tie the city is held."""
    options, board = table.core.options, table.board
    table.emit(
        BattleDecided(
            attacker=battle.attacker,
            defender=battle.defender,
            city=battle.city,
            attack=strength.attack(options, board, battle),
            defence=strength.defence(options, board, battle),
            won_by=strength.outcome(options, board, battle),
        )
    )


def retreats(table: Game, battle: Battle, step: Stage) -> None:
    """Retraite, A16  Let the loser retreat; on a tie both, the attacker first."""
    losers = {"attack": (battle.defender,), "defence": (battle.attacker,)}
    beaten = losers.get(battle.won_by, (battle.attacker, battle.defender))
    table.then(*(Stage("retreat", seat) for seat in beaten))


def retreat(table: Game, battle: Battle, step: Stage) -> None:
    """Ask one side, if it laid troops and may hold the card."""
    seat = step.seat
    assert seat is not None, "a choice has an author"
    if reactions.savable(battle, seat) and reactions.may_retreat(table, seat):
        _ask(table, battle, "retreat", (seat,), f"/{seat}")


def end(table: Game, battle: Battle, step: Stage) -> None:
    """Résultat du combat  End the battle: the winner's troops and those saved by Retraite are kept, all others
    discarded.
    """
    aside = _saved_troops(battle, battle.attacker, "attack")
    back = _saved_troops(battle, battle.defender, "defence")
    cards = (*_ids(battle.attack), *_ids(battle.defence))
    gone = tuple(card for card in cards if card not in (*aside, *back, HIRED_FREE))
    captured = battle.won_by == "attack"
    table.emit(
        BattleEnded(
            attacker=battle.attacker,
            defender=battle.defender,
            city=battle.city,
            captured=captured,
            aside=aside,
            back=back,
            discarded=gone,
        )
    )
    if captured:
        fall_out(table, battle.defender)


def _saved_troops(battle: Battle, seat: Seat, side: str) -> tuple[str, ...]:
    """Return all troops that can be saved of the winner, and of the loser those that Retraite saved."""
    troops = reactions.savable(battle, seat)
    return troops if battle.won_by == side else tuple(card for card in troops if card in battle.saved)


STAGES: Final[Mapping[str, Callable[[Game, Battle, Stage], None]]] = {
    "sales": sales,
    "hire": hire,
    "defence": defence,
    "laid": laid,
    "show": show,
    "weapons": weapons,
    "felon": felon,
    "condottieri": condottieri,
    "signs": signs,
    "sign": sign,
    "signed": signed,
    "decide": decide,
    "retreats": retreats,
    "retreat": retreat,
    "end": end,
}
STEPS: Final[Steps] = {Stage: stage, reactions.Reply: reactions.reply}
answered = reactions.answered
