"""Changes that each event makes to the board: one match for each chapter, no rules, no chance, no questions."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.amalfi import events as e
from engine.amalfi.board import Actions, Board, Player, without
from engine.amalfi.catalogue import RIVAL
from engine.kernel.events import Event
from engine.kernel.secrets import Secret
from engine.kernel.viewers import PUBLIC, Seat


def apply(board: Board, event: Event) -> None:
    """Change the board as the event says. Raises TypeError for an unknown event."""
    if not any(chapter(board, event) for chapter in (_course, _actions, _gains, _rows, _set_up, _points)):
        raise TypeError(f"the board does not know {type(event).__name__}")


def _of(board: Board, event: Any) -> Player:
    player: Player = board.players[event.seat]
    return player


def _set_up(board: Board, event: Event) -> bool:
    """Apply events of set-up, hands and drafts."""
    match event:
        case e.BoardLaid():
            board.decrees, board.titles, board.first = event.decrees, event.titles, event.first
            board.claims = dict.fromkeys(event.titles, ())
        case e.BreadDealt():
            for seat, bread in event.bread.items():
                board.players[seat].bread = bread
        case e.CharactersSetOut():
            board.returned = event.cards
        case e.HandChosen():
            board.returned = without(board.returned, (card.held for card in event.cards))
            _of(board, event).hand = event.cards
            board.hands = tuple(hand for hand in board.hands if hand != event.hand)
        case e.HandDealt():
            player = _of(board, event)
            board.returned = without(board.returned, (card.held for card in event.cards))
            setattr(player, event.where, (*getattr(player, event.where), *event.cards))
        case e.CardsKept():
            player = _of(board, event)
            setattr(player, event.where, without(getattr(player, event.where), (card.held for card in event.cards)))
            player.hand = (*player.hand, *event.cards)
        case e.PacketsPassed():
            board.drafted = event.number
            for seat, packet in event.packets.items():
                board.players[seat].packet = packet
        case e.CardsReturned():
            setattr(_of(board, event), event.where, ())
            board.returned = (*board.returned, *event.cards)
        case _:
            return False
    return True


def _course(board: Board, event: Event) -> bool:
    """Apply events of a period, of stored actions and of answers."""
    match event:
        case e.PeriodBegan():
            board.period, board.first, board.next_first = event.turn, event.first, None
            board.round, board.asked, board.active = 0, 0, None
            for player in board.players.values():
                player.done = False
        case e.PhaseBegan():
            board.phase = event.phase
        case e.TurnCame():
            board.active, board.round = event.seat, event.round
            for player in board.players.values():
                player.sent = False
        case e.Passed():
            _of(board, event).done = True
            _keep(_of(board, event), None, None)
            if event.compass:
                board.next_first = event.seat
        case e.QueueKept():
            _keep(_of(board, event), event.queue, event.count)
        case e.QueueDropped():
            _keep(_of(board, event), None, None)
        case e.WishesNoted():
            _of(board, event).wishes = event.wishes
        case e.ChoiceCounted():
            board.asked += 1
        case e.Replied():
            board.answers[event.key] = event.answer
        case e.RepliesUsed():
            for key in event.keys:
                board.answers.pop(key, None)
        case _:
            return False
    return True


def _keep(player: Player, queue: Actions | None, queued: Secret[int] | None) -> None:
    player.queue, player.queued = queue, queued


def _actions(board: Board, event: Event) -> bool:
    """Apply events of main and optional actions."""
    match event:
        case e.Sailed():
            player = _of(board, event)
            player.bay -= 1
            player.bread -= event.bread
            board.docks[event.place] = event.seat
        case e.UsedFromAfar():
            _of(board, event).bread -= event.bread
        case e.Paid():
            _lower(_of(board, event), event.holds, event.bread)
            _spend(_of(board, event), event.emergency)
        case e.Acquired():
            player = _of(board, event)
            _leaves(board, "atelier", event.artwork)
            player.artworks = (*player.artworks, event.artwork)
            player.vp += event.points
        case e.Discovered():
            player = _of(board, event)
            _leaves(board, "atlas", event.destination)
            player.destinations = (*player.destinations, event.destination)
            player.vp += event.points
        case e.Invited():
            player = _of(board, event)
            player.hand = without(player.hand, (event.character,))
            player.invited = (*player.invited, event.character)
        case e.Engaged():
            player = _of(board, event)
            player.engaged = (*player.engaged, event.character)
        case e.Built():
            player = _of(board, event)
            player.yard -= event.ships
            setattr(player, event.to, getattr(player, event.to) + event.ships)
        case e.ShipsLowered():
            _lower(_of(board, event), event.holds, event.bread)
        case e.ShipsSupplied():
            _spend(_of(board, event), event.ships)
            _of(board, event).bread += event.bread
        case e.CharactersDropped():
            _dropped(board, event.seat, event.characters)
            _of(board, event).bread += event.bread
        case _:
            return False
    return True


def _lower(player: Player, holds: Mapping[str, int], bread: int) -> None:
    """Move ships from holds to the bay, for bread."""
    _move_holds(player, holds, -1)
    player.bread += bread


def _spend(player: Player, ships: int) -> None:
    """Move ships from the bay to the port."""
    player.bay -= ships
    player.port += ships


def _move_holds(player: Player, holds: Mapping[str, int], sign: int) -> None:
    """Move ships from the bay to holds, or back if `sign` is negative."""
    for hold, n in holds.items():
        player.holds[hold] += sign * n
        player.bay -= sign * n


def _leaves(board: Board, row: str, card: str) -> None:
    board.rows[row] = tuple(other for other in board.rows[row] if other != card)


def _dropped(board: Board, seat: Seat, characters: tuple[str, ...]) -> None:
    """Move characters from a hand to the discards of the Council."""
    player = board.players[seat]
    player.hand = without(player.hand, characters)
    board.discards["council"] = (*board.discards["council"], *characters)


def _gains(board: Board, event: Event) -> bool:
    """Apply events of destinations, artworks, characters and lighthouses."""
    match event:
        case e.BreadGained():
            _of(board, event).bread += event.bread
        case e.BreadPaid():
            _of(board, event).bread -= event.bread
        case e.PointsGained() | e.EndScored():
            _of(board, event).vp += event.points
        case e.ShipsSent():
            _move_holds(_of(board, event), event.holds, 1)
            _of(board, event).sent = True
        case e.CharacterTaken():
            # The card was open, so everybody knows whose hand it is in.
            player = _of(board, event)
            _leaves(board, "council", event.character)
            player.hand = (*player.hand, Secret(event.character, frozenset((*board.players, Seat(PUBLIC)))))
            player.bread += event.gained - event.paid
        case e.LighthouseErected():
            board.lights[event.place] = (event.seat, event.number)
        case e.LighthouseUsed():
            _of(board, event).bread -= event.bread
            _move_holds(_of(board, event), {event.hold: 1}, 1)
        case e.Refreshed():
            player = _of(board, event)
            player.engaged = tuple(card for card in player.engaged if card not in event.characters)
        case e.ShipsRecalled():
            for place in event.places:
                del board.docks[place]
            _of(board, event).bay += len(event.places)
        case e.ShipsLaunched():
            _spend(_of(board, event), -event.ships)
        case e.GivenUp():
            _dropped(board, event.seat, (event.character,))
        case e.BenefitLost() | e.NamedInVain():
            pass
        case _:
            return False
    return True


def _rows(board: Board, event: Event) -> bool:
    """Apply events of rows, decks and discards, and of the solo rival."""
    match event:
        case e.DeckShuffled():
            board.decks[event.row] = event.cards
            if event.again:
                board.discards[event.row] = ()
            elif event.row == "council":
                board.returned = ()
        case e.RowFilled():
            board.decks[event.row] = board.decks[event.row][1:]
            board.rows[event.row] = (event.card, *board.rows[event.row])
        case e.CardDiscarded():
            _leaves(board, event.row, event.card)
            board.discards[event.row] = (*board.discards[event.row], event.card)
        case e.TileTaken():
            _leaves(board, "atlas", event.tile)
            board.covered[event.place] = event.tile
        case e.RivalSailed():
            board.docks[event.place] = RIVAL
        case e.RivalErected():
            board.lights[event.place] = (RIVAL, event.number)
        case e.RivalChecked():
            pass
        case _:
            return False
    return True


def _points(board: Board, event: Event) -> bool:
    """Apply events of titles, meals, decrees, and the end of a period."""
    match event:
        case e.TitleEarned():
            player = _of(board, event)
            board.claims[event.title] = (*board.claims[event.title], event.seat)
            player.vp += event.points
            player.title_vp += event.points
        case e.Fed():
            player = _of(board, event)
            player.bread -= event.paid
            player.vp -= event.lost
        case e.DecreeScored():
            _of(board, event).vp += sum(event.parts.values())
        case e.ShipsReturned():
            for seat, player in board.players.items():
                player.bay += player.port + len(board.docked(seat))
                player.port = 0
            board.docks = {}
        case e.AllRefreshed():
            for player in board.players.values():
                player.engaged = ()
        case _:
            return False
    return True


def swapped(board: Board, seat: Seat, other: Seat) -> None:
    """Swap the colours of two players, and so their places at the table."""
    one, two = board.players[seat], board.players[other]
    board.players[seat] = replace(one, colour=two.colour)
    board.players[other] = replace(two, colour=one.colour)
