"""What play stores for each viewer of an entry: the redacted position, and what happened; `views` reads it.

A seat's position is stored beside that of the public, from which it differs by a hand or so.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.events import Event
from engine.kernel.names import PUBLIC
from engine.kernel.position import Position
from engine.kernel.rules import Meta
from engine.kernel.secrets import redact
from pbem.service.game.journal import wordless
from pbem.service.game.views import COUNTED
from pbem.store.models import ViewRow
from pbem.vault import PlayKeys, ViewContext, seal_view


def of_entry(
    keys: PlayKeys,
    meta: Meta,
    game: str,
    entry: int,
    position: Position[Any],
    told: Mapping[str, tuple[tuple[int, Event], ...]],
) -> Sequence[ViewRow]:
    """The rows of an entry; `told`: what each viewer is told, with the number of the entry, the public's among them."""
    common = dump(redact(position, PUBLIC)).encode()
    found = list[ViewRow]()
    for viewer, events in told.items():
        shown = common if viewer == PUBLIC else dump(redact(position, viewer)).encode()
        beside = b"" if viewer == PUBLIC else common
        found.append(_row(keys, game, entry, viewer, "view", shown, compress=True, beside=beside))
        compress = wordless(meta, (event for _, event in events))
        found.append(_row(keys, game, entry, viewer, "events", dump(events).encode(), compress=compress))
    return found


def counted(keys: PlayKeys, game: str, entry: int, seat: str, named: tuple[object, ...]) -> ViewRow:
    """The row that names a seat's own orders that were counted."""
    return _row(keys, game, entry, seat, COUNTED, dump(named).encode(), compress=False)


def _row(
    keys: PlayKeys,
    game: str,
    entry: int,
    viewer: str,
    kind: str,
    plain: bytes,
    *,
    compress: bool,
    beside: bytes = b"",
) -> ViewRow:
    context = ViewContext(game, entry, viewer, kind)
    sealed = seal_view(keys.view, keys.signing, context, plain, compress=compress, beside=beside)
    return ViewRow(game_id=game, viewer=viewer, kind=kind, entry=entry, sealed=sealed)
