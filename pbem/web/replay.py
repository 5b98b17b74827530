"""What happened, to be watched: the entries of a game under way, and for each sentence its movements, its dice, and the
board after it.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Response, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel.charts import FigureLabel, HasStatistics
from engine.kernel.movements import CARD, Moment, Movement, Piece, Spot, trace
from engine.kernel.narration_hooks import hooks_of
from engine.kernel.pictures import DrawsBoard
from engine.kernel.position import Position
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.service.archive import library
from pbem.web import maps
from pbem.web.access import redirect_to
from pbem.web.differences import compute_hunks, hash_pieces
from pbem.web.form_input import parse_number
from pbem.web.presenter import Presenter
from pbem.web.site import PageRequest, board_template, render_page


@dataclass(frozen=True)
class Chapter:
    """An entry on a slider. `step`: its place, from 1. `is_turn`: it is the first of its turn."""

    step: int
    entry: int
    name: str
    is_turn: bool


def list_chapters(told: Presenter, then: library.EntryPage) -> Sequence[Chapter]:
    """The entries that can be looked at, by their turns and what was resolved in them."""
    found, turn, before = list[Chapter](), 0, 0
    for step, entry in enumerate(then.entries, 1):
        resolved = [then.gates[n] for n in range(before + 1, entry + 1) if n in then.gates]
        now = max((gate.turn or 0 for gate in resolved), default=0) or turn
        topics = [told.topic(gate.topic, gate.number) for gate in resolved]
        name = " · ".join(filter(None, (told.turn(now), next(filter(None, reversed(topics)), ""))))
        found.append(Chapter(step, entry, name or told.visit.translate("replay.start"), now != turn))
        before, turn = entry, now
    return found


def go_to_entry(visit: PageRequest) -> ResponseReturnValue:
    """On to the entry at the place where the slider stands; without one, to the last."""
    step = parse_number(request.args, "step", otherwise=sys.maxsize)
    entry = library.entry_at_step(visit.services, visit.me.id, visit.game, visit.seat, step, own=True)
    return redirect_to(f"/games/{visit.game}/history/{entry}")


def entry_page(visit: PageRequest, entry: int) -> ResponseReturnValue:
    """The game as one's seat was shown it at an entry."""
    found = library.load_seat_entry(visit.services, visit.me.id, visit.game, visit.seat, entry)
    return _page(visit, found, "history")


def go_to_public_entry(visit: PageRequest) -> ResponseReturnValue:
    """On to the entry at the place where the slider stands, as everybody sees the table; without one, to the first."""
    step = parse_number(request.args, "step", otherwise=1)
    entry = library.entry_at_step(visit.services, visit.me.id, visit.game, PUBLIC, step)
    return redirect_to(f"/games/{visit.game}/replay/{entry}")


def public_entry_page(visit: PageRequest, entry: int) -> ResponseReturnValue:
    """The game as everybody at the table was shown it at an entry."""
    return _page(visit, library.load_entry(visit.services, visit.me.id, visit.game, PUBLIC, entry), "replay")


def _page(visit: PageRequest, found: library.EntryPage | None, here: str) -> ResponseReturnValue:
    if found is None:
        raise NotFound
    shown = found.page
    told = Presenter(visit, shown.frame, shown.seen)
    facts: dict[str, Any] = {"then": found, "shown": shown, "told": told, "here": here}
    facts["chapters"] = list_chapters(told, found)
    drawn = maps.draw_map(told.rules, shown.view, visit.language)
    return render_page(visit, "history.html", board=board_template(shown.meta.name), **drawn, **facts)


@dataclass
class Step:
    """A sentence of the story: what moved and was rolled with it, and the position after it."""

    after: Position[Any]
    movements: list[Movement] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


def seat_steps(visit: PageRequest, entry: int) -> Response:
    """The steps of an entry as one's own seat was shown it."""
    return _answer(visit, visit.seat, entry, own=True)


def public_steps(visit: PageRequest, entry: int) -> Response:
    """The steps of an entry as everybody at the table was shown it."""
    return _answer(visit, PUBLIC, entry)


def archived_steps(visit: PageRequest, viewer: str, entry: int) -> Response:
    """The steps of an entry of a finished game, as one viewer was shown it."""
    return _answer(visit, viewer, entry)


def _answer(visit: PageRequest, viewer: str, entry: int, *, own: bool = False) -> Response:
    """The steps as JSON, worked out once for each reader and language."""
    found = library.load_steps(visit.services, visit.me.id, visit.game, viewer, entry, own=own)
    if found is None:
        raise NotFound
    told = Presenter(visit, found.frame, found.after)
    key = ("steps", visit.game, viewer, entry, visit.me.id, found.before is None, visit.language)
    text = visit.site.fragments.get_or_create(key, lambda: jsonify(build_part(told, found)).get_data(as_text=True))
    answer = Response(str(text), mimetype="application/json")
    answer.set_etag(hash_pieces(str(text)))
    return answer


def build_part(told: Presenter, found: library.EntrySteps) -> Mapping[str, Any]:
    """The board before an entry, and for each sentence what changes it; nothing to draw for a game without a board."""
    steps = list(collect_steps(told, found))
    if not isinstance(told.rules, DrawsBoard):
        return {"picture": "", "steps": [_step(told, step, [], "") for step in steps]}
    picture = held = _draw(told, found.before or found.after)
    shown, parts = found.before, list[Mapping[str, Any]]()
    for step in steps:
        same = step is not steps[-1] and shown is not None and shown.board == step.after.board
        now = held if same else _draw(told, step.after)
        parts.append(_step(told, step, compute_hunks(held, now), now))
        held, shown = now, step.after
    return {"picture": picture, "steps": parts}


def collect_steps(told: Presenter, found: library.EntrySteps) -> Iterator[Step]:
    """Yield a step for each sentence of an entry, in order.

    What moves without a sentence moves with the next one, or with the last.
    """
    moments = _moments(told, found)
    steps, open_step = list[Step](), Step(found.after)
    sentences = iter(told.sentences([moment.event for moment in moments if moment.event is not None]))
    for moment in moments:
        open_step.after = moment.after
        open_step.movements += moment.movements
        open_step.dice += moment.dice
        if moment.event is not None and next(sentences):
            open_step.names |= set(_texts(moment.event)) - set(found.after.core.seats)
            steps.append(open_step)
            open_step = Step(moment.after)
    if steps:
        steps[-1].movements += open_step.movements
        steps[-1].after = found.after
    yield from steps


def _moments(told: Presenter, found: library.EntrySteps) -> Sequence[Moment]:
    """What moved with each event; nothing from nowhere, at the first entry that the reader knows."""
    if found.before is None:
        return [Moment(event, (), (), found.after) for event in found.events]
    return list(trace(told.rules, found.before, found.events, found.after, told.viewer))


def _texts(event: object) -> Iterator[str]:
    """The texts in the fields of an event, of which some name places of the picture."""
    for value in vars(event).values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple | frozenset):
            yield from (one for one in value if isinstance(one, str))


def _draw(told: Presenter, position: Position[Any]) -> str:
    """The board to choose places from, without marks of change: the movements tell them."""
    assert isinstance(told.rules, DrawsBoard)
    with seen_by(told.viewer):
        view = told.rules.present_view(position, Seat(told.viewer))
    return told.rules.draw(view, told.language, live=True)


# --- as JSON


def _step(told: Presenter, step: Step, changes: Sequence[object], picture: str) -> Mapping[str, Any]:
    """A step: `changes` make the picture after it from the one before; `names`: places that its sentence names."""
    labels = _labels(told, step.after)
    return {
        "moves": [_move(told, movement, labels) for movement in step.movements],
        "dice": step.dice,
        "changes": changes,
        "names": sorted(name for name in step.names if _is_drawn(name, picture)),
    }


def _is_drawn(name: str, picture: str) -> bool:
    return f'data-province="{name}"' in picture or picture.count(f'data-item="{name}"') == 1


def _labels(told: Presenter, position: Position[Any]) -> Mapping[str, FigureLabel]:
    """What the seats play under, with their colours."""
    if not isinstance(told.rules, HasStatistics):
        return {}
    with seen_by(told.viewer):
        return told.rules.labels(told.rules.present_view(position, Seat(told.viewer)), told.language)


def _move(told: Presenter, movement: Movement, labels: Mapping[str, FigureLabel]) -> Mapping[str, Any]:
    piece, label = movement.piece, labels.get(movement.piece.owner)
    return {
        "from": _spot(movement.origin),
        "to": _spot(movement.target),
        "count": movement.count,
        "card": piece.kind == CARD,
        "face": _face(told, piece),
        "back": movement.turned is not None and not movement.turned.face,
        "look": label.look if label is not None else None,
        "letter": label.name[:1] if label is not None else "",
    }


def _spot(spot: Spot | None) -> Iterable[str] | None:
    return (spot.zone, spot.item) if spot is not None else None


def _face(told: Presenter, piece: Piece) -> str:
    """What a card is called; nothing for one that lies face down, or for a token."""
    if piece.kind != CARD or not piece.face:
        return ""
    name = told.name(*hooks_of(told.rules).card(piece.face))
    return name[:1].upper() + name[1:]
