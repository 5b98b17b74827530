"""What each event changes on the board: no rules, no chance, no questions."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.amalfi import events as e
from engine.amalfi.board import Board, Player, without
from engine.amalfi.catalogue import RIVAL
from engine.kernel.events import Event
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.secrets import Secret


def apply(board: Board, event: Event) -> None:
    """Change the board as the event says."""
    _APPLY[type(event)](board, event)


def _of(board: Board, event: Any) -> Player:
    player: Player = board.players[event.seat]
    return player


# --- set-up


def _laid(board: Board, event: e.BoardLaid) -> None:
    board.decrees, board.titles, board.first = event.decrees, event.titles, event.first
    board.claims = dict.fromkeys(event.titles, ())


def _bread(board: Board, event: e.BreadDealt) -> None:
    for seat, bread in event.bread.items():
        board.players[seat].bread = bread


def _shuffled(board: Board, event: e.DeckShuffled) -> None:
    board.decks[event.row] = event.cards
    if event.again:
        board.discards[event.row] = ()
    elif event.row == "council":
        board.returned = ()


def _filled(board: Board, event: e.RowFilled) -> None:
    board.decks[event.row] = board.decks[event.row][1:]
    board.rows[event.row] = (event.card, *board.rows[event.row])


def _set_out(board: Board, event: e.CharactersSetOut) -> None:
    board.returned = event.cards


def _chosen(board: Board, event: e.HandChosen) -> None:
    board.returned = without(board.returned, (card.held for card in event.cards))
    _of(board, event).hand = event.cards
    board.hands = tuple(hand for hand in board.hands if hand != event.hand)


def _dealt(board: Board, event: e.HandDealt) -> None:
    player = _of(board, event)
    board.returned = without(board.returned, (card.held for card in event.cards))
    setattr(player, event.where, (*getattr(player, event.where), *event.cards))


def _kept(board: Board, event: e.CardsKept) -> None:
    player = _of(board, event)
    setattr(player, event.where, without(getattr(player, event.where), (card.held for card in event.cards)))
    player.hand = (*player.hand, *event.cards)


def _passed_on(board: Board, event: e.PacketsPassed) -> None:
    board.drafted = event.number
    for seat, packet in event.packets.items():
        board.players[seat].packet = packet


def _returned(board: Board, event: e.CardsReturned) -> None:
    setattr(_of(board, event), event.where, ())
    board.returned = (*board.returned, *event.cards)


# --- the course of a period


def _period(board: Board, event: e.PeriodBegan) -> None:
    board.period, board.first, board.next_first = event.turn, event.first, None
    board.round, board.asked, board.active = 0, 0, None
    for player in board.players.values():
        player.done = False


def _phase(board: Board, event: e.PhaseBegan) -> None:
    board.phase = event.phase


def _turn(board: Board, event: e.TurnCame) -> None:
    board.active, board.round = event.seat, event.round


def _passed(board: Board, event: e.Passed) -> None:
    player = _of(board, event)
    player.done, player.queue, player.queued = True, None, None
    if event.compass:
        board.next_first = event.seat


def _queue(board: Board, event: e.QueueKept) -> None:
    player = _of(board, event)
    player.queue, player.queued = event.queue, event.count


def _unqueued(board: Board, event: e.QueueDropped) -> None:
    player = _of(board, event)
    player.queue, player.queued = None, None


def _wishes(board: Board, event: e.WishesNoted) -> None:
    _of(board, event).wishes = event.wishes


def _choice(board: Board, event: e.ChoiceCounted) -> None:
    board.asked += 1


def _replied(board: Board, event: e.Replied) -> None:
    board.answers[event.key] = event.answer


def _forgotten(board: Board, event: e.RepliesUsed) -> None:
    for key in event.keys:
        board.answers.pop(key, None)


# --- main actions


def _sailed(board: Board, event: e.Sailed) -> None:
    player = _of(board, event)
    player.bay -= 1
    player.bread -= event.bread
    board.docks[event.place] = event.seat


def _used(board: Board, event: e.UsedFromAfar) -> None:
    _of(board, event).bread -= event.bread


def _paid(board: Board, event: e.Paid) -> None:
    player = _of(board, event)
    _move_holds(player, event.holds, -1)
    player.bay += sum(event.holds.values()) - event.emergency
    player.port += event.emergency
    player.bread += event.bread


def _move_holds(player: Player, holds: Mapping[str, int], sign: int) -> None:
    for hold, n in holds.items():
        player.holds[hold] += sign * n


def _acquired(board: Board, event: e.Acquired) -> None:
    player = _of(board, event)
    _leaves(board, "atelier", event.artwork)
    player.artworks = (*player.artworks, event.artwork)
    player.vp += event.points


def _leaves(board: Board, row: str, card: str) -> None:
    board.rows[row] = tuple(other for other in board.rows[row] if other != card)


def _discovered(board: Board, event: e.Discovered) -> None:
    player = _of(board, event)
    _leaves(board, "atlas", event.destination)
    player.destinations = (*player.destinations, event.destination)
    player.vp += event.points


def _invited(board: Board, event: e.Invited) -> None:
    player = _of(board, event)
    player.hand = without(player.hand, (event.character,))
    player.invited = (*player.invited, event.character)


def _engaged(board: Board, event: e.Engaged) -> None:
    player = _of(board, event)
    player.engaged = (*player.engaged, event.character)


def _built(board: Board, event: e.Built) -> None:
    player = _of(board, event)
    player.yard -= event.ships
    setattr(player, event.to, getattr(player, event.to) + event.ships)


# --- gains


def _bread_gained(board: Board, event: e.BreadGained) -> None:
    _of(board, event).bread += event.bread


def _bread_paid(board: Board, event: e.BreadPaid) -> None:
    _of(board, event).bread -= event.bread


def _points(board: Board, event: e.PointsGained) -> None:
    _of(board, event).vp += event.points


def _sent(board: Board, event: e.ShipsSent) -> None:
    player = _of(board, event)
    _move_holds(player, event.holds, 1)
    player.bay -= sum(event.holds.values())


def _taken(board: Board, event: e.CharacterTaken) -> None:
    """It lay open, so everybody knows in whose hand it is."""
    player = _of(board, event)
    _leaves(board, "council", event.character)
    player.hand = (*player.hand, Secret(event.character, frozenset((*board.players, Seat(PUBLIC)))))
    player.bread += event.gained - event.paid


def _erected(board: Board, event: e.LighthouseErected) -> None:
    board.lights[event.place] = (event.seat, event.number)


def _refreshed(board: Board, event: e.Refreshed) -> None:
    player = _of(board, event)
    player.engaged = tuple(card for card in player.engaged if card not in event.characters)


def _recalled(board: Board, event: e.ShipsRecalled) -> None:
    for place in event.places:
        del board.docks[place]
    _of(board, event).bay += len(event.places)


def _launched(board: Board, event: e.ShipsLaunched) -> None:
    player = _of(board, event)
    player.port -= event.ships
    player.bay += event.ships


def _given_up(board: Board, event: e.GivenUp) -> None:
    player = _of(board, event)
    player.hand = without(player.hand, (event.character,))
    board.discards["council"] = (*board.discards["council"], event.character)


def _lost(board: Board, event: e.BenefitLost) -> None:
    """Nothing changes."""


def _light_used(board: Board, event: e.LighthouseUsed) -> None:
    player = _of(board, event)
    player.bread -= event.bread
    player.bay -= 1
    player.holds[event.hold] += 1


def _discarded(board: Board, event: e.CardDiscarded) -> None:
    _leaves(board, event.row, event.card)
    board.discards[event.row] = (*board.discards[event.row], event.card)


def _covers(board: Board, event: e.TileTaken) -> None:
    _leaves(board, "atlas", event.tile)
    board.covered[event.place] = event.tile


# --- optional actions


def _lowered(board: Board, event: e.ShipsLowered) -> None:
    player = _of(board, event)
    _move_holds(player, event.holds, -1)
    player.bay += sum(event.holds.values())
    player.bread += event.bread


def _supplied(board: Board, event: e.ShipsSupplied) -> None:
    player = _of(board, event)
    player.bay -= event.ships
    player.port += event.ships
    player.bread += event.bread


def _dropped(board: Board, event: e.CharactersDropped) -> None:
    player = _of(board, event)
    player.hand = without(player.hand, event.characters)
    board.discards["council"] = (*board.discards["council"], *event.characters)
    player.bread += event.bread


# --- points, and the end


def _titled(board: Board, event: e.TitleEarned) -> None:
    player = _of(board, event)
    board.claims[event.title] = (*board.claims[event.title], event.seat)
    player.vp += event.points
    player.title_vp += event.points


def _fed(board: Board, event: e.Fed) -> None:
    player = _of(board, event)
    player.bread -= event.paid
    player.vp -= event.lost


def _decreed(board: Board, event: e.DecreeScored) -> None:
    _of(board, event).vp += sum(event.parts.values())


def _home(board: Board, event: e.ShipsReturned) -> None:
    for seat, player in board.players.items():
        player.bay += player.port + len(board.docked(seat))
        player.port = 0
    board.docks = {}


def _all_refreshed(board: Board, event: e.AllRefreshed) -> None:
    for player in board.players.values():
        player.engaged = ()


def _end(board: Board, event: e.EndScored) -> None:
    _of(board, event).vp += event.points


def _rival_sailed(board: Board, event: e.RivalSailed) -> None:
    board.docks[event.place] = RIVAL


def _rival_erected(board: Board, event: e.RivalErected) -> None:
    board.lights[event.place] = (RIVAL, event.number)


def swapped(board: Board, seat: Seat, other: Seat) -> None:
    """Two players change colours, and so places at the table."""
    one, two = board.players[seat], board.players[other]
    board.players[seat] = replace(one, colour=two.colour)
    board.players[other] = replace(two, colour=one.colour)


_APPLY: Final[Mapping[type[Event], Callable[[Board, Any], None]]] = {
    e.BoardLaid: _laid,
    e.BreadDealt: _bread,
    e.DeckShuffled: _shuffled,
    e.RowFilled: _filled,
    e.CharactersSetOut: _set_out,
    e.HandChosen: _chosen,
    e.HandDealt: _dealt,
    e.CardsKept: _kept,
    e.PacketsPassed: _passed_on,
    e.CardsReturned: _returned,
    e.PeriodBegan: _period,
    e.PhaseBegan: _phase,
    e.TurnCame: _turn,
    e.Passed: _passed,
    e.QueueKept: _queue,
    e.QueueDropped: _unqueued,
    e.WishesNoted: _wishes,
    e.ChoiceCounted: _choice,
    e.Replied: _replied,
    e.RepliesUsed: _forgotten,
    e.Sailed: _sailed,
    e.UsedFromAfar: _used,
    e.Paid: _paid,
    e.Acquired: _acquired,
    e.Discovered: _discovered,
    e.Invited: _invited,
    e.Engaged: _engaged,
    e.Built: _built,
    e.BreadGained: _bread_gained,
    e.BreadPaid: _bread_paid,
    e.PointsGained: _points,
    e.ShipsSent: _sent,
    e.CharacterTaken: _taken,
    e.LighthouseErected: _erected,
    e.Refreshed: _refreshed,
    e.ShipsRecalled: _recalled,
    e.ShipsLaunched: _launched,
    e.GivenUp: _given_up,
    e.BenefitLost: _lost,
    e.LighthouseUsed: _light_used,
    e.CardDiscarded: _discarded,
    e.TileTaken: _covers,
    e.ShipsLowered: _lowered,
    e.ShipsSupplied: _supplied,
    e.CharactersDropped: _dropped,
    e.TitleEarned: _titled,
    e.Fed: _fed,
    e.DecreeScored: _decreed,
    e.ShipsReturned: _home,
    e.AllRefreshed: _all_refreshed,
    e.EndScored: _end,
    e.RivalSailed: _rival_sailed,
    e.RivalErected: _rival_erected,
    e.RivalChecked: _lost,
}
