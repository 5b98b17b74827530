"""What play stores for each viewer of an entry: the redacted position, and what happened; `views` reads it.

A seat's position is stored beside that of the public, from which it differs by a hand or so.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.events import Event
from engine.kernel.position import Position
from engine.kernel.rules import Meta
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from pbem.crypto import ResolverKeys, View, ViewContext, seal_views
from pbem.service.game.journal import has_free_text
from pbem.service.game.seat_views import COUNTED
from pbem.store.models import SeatView


def store_views(
    keys: ResolverKeys,
    meta: Meta,
    game: str,
    entry: int,
    position: Position[Any],
    told: Mapping[str, tuple[tuple[int, Event], ...]],
    counted: Mapping[str, Sequence[object]],
) -> Sequence[SeatView]:
    """The rows of an entry, signed together.

    `told`: what each viewer is told, with the number of the entry, the public's among them; `counted`: by seat, what
    names its own orders that were counted.
    """
    common = dump(redact(position, PUBLIC)).encode()
    found = list[View]()
    for viewer, events in told.items():
        shown = common if viewer == PUBLIC else dump(redact(position, viewer)).encode()
        beside = b"" if viewer == PUBLIC else common
        found.append(View(ViewContext(game, entry, viewer, "view"), shown, compress=True, base=beside))
        compress = has_free_text(meta, (event for _, event in events))
        found.append(View(ViewContext(game, entry, viewer, "events"), dump(events).encode(), compress))
    for seat, named in counted.items():
        found.append(View(ViewContext(game, entry, seat, COUNTED), dump(tuple(named)).encode()))
    return [
        SeatView(game_id=game, viewer=view.context.viewer, kind=view.context.kind, entry=entry, sealed=sealed)
        for view, sealed in zip(found, seal_views(keys.view, keys.signing, found), strict=True)
    ]
