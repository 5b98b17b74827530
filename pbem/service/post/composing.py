"""Letters put together by post from what play laid out and stored."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy.orm import Session

from engine.kernel.codec import saved
from engine.kernel.events import AheadTaken, Event, RiderPassed, RiderUsed
from engine.kernel.events import RiderEnded as RiderOver
from engine.kernel.names import PUBLIC
from engine.kernel.position import Core, Position
from engine.kernel.secrets import Secret
from pbem.narration.facts import (
    BallotCounted,
    OrdersStand,
    OverFacts,
    ReceiptFacts,
    ReportFacts,
    RiderEnded,
    RiderStands,
    RoundDrawn,
    SpectatorFacts,
    StartedFacts,
)
from pbem.service.base.services import Services
from pbem.service.game import frames, views
from pbem.service.game.audit_log import untold
from pbem.service.game.frames import awaited, digest_of, frame_of, owed_by
from pbem.service.game.views import counted_of, known_since, story_of, view_of, view_then
from pbem.store.games import seat_named
from pbem.store.models import Game, LetterOut, User
from pbem.vault.receipts import sign_deal

_UNSEEN: Position[Any] = Position(Core((), {}, Secret(b"", frozenset())), None)


@saved("pbem.ReportDraft")
@dataclass(frozen=True)
class ReportDraft:
    """All that a report's draft holds: the token of its reply address, and what the seat has on file.

    `ridden`: the gates at which a rider stands in for an answer.  `marked`: a picture is drawn for it, which marks what
    has changed from this entry on.
    """

    token: str
    ridden: tuple[str, ...] = ()
    standing: tuple[OrdersStand, ...] = ()
    riders: tuple[RiderStands, ...] = ()
    marked: int | None = None


def laid_down(facts: ReceiptFacts) -> ReceiptFacts:
    """A receipt as it waits to be written: without the view, which is stored already."""
    return replace(facts, view=_UNSEEN)


def taken_up(services: Services, session: Session, row: LetterOut, facts: ReceiptFacts) -> ReceiptFacts:
    """The same receipt with the view on which its letter was judged."""
    return replace(facts, view=view_then(services, session, str(row.game_id), str(row.seat), int(row.entry or 0)))


def report_facts(
    services: Services, session: Session, row: LetterOut, game: Game, user: User, draft: ReportDraft
) -> ReportFacts | StartedFacts | OverFacts:
    """The facts of a report, a welcome or an ending, from what was stored for its seat."""
    seat, entry, since = str(row.seat), int(row.entry or 0), int(row.since or 0)
    after = view_of(services, session, game.id, seat, entry)
    if after is None:
        raise LookupError(f"no view of entry {entry} was stored")
    frame = frame_of(services, session, game, seat, user, draft.token, row.made_at, entry)
    known_from = known_since(session, game.id, seat)
    before = view_of(services, session, game.id, seat, since) if since and since >= known_from else None
    events = story_of(services, session, game.id, seat, since, entry)
    owed = tuple(
        replace(o, answered=o.answered or o.decision.gate in draft.ridden)
        for o in owed_by(session, game.id, seat, after.core.open)
    )
    if row.kind == "over":
        story, _ = _parted(story_of(services, session, game.id, seat, 0, entry))
        links = replace(frame.links, mute="", archive=f"{services.public_url}/records/{game.id}")
        return OverFacts(replace(frame, links=links), after, before, events, story, digest_of(session, game.id, entry))
    if row.kind == "started":
        words, proofs = _dealt(services, session, game.id, seat)
        return StartedFacts(frame, after, owed, str(game.seed_digest or ""), events, words=words, proofs=proofs)
    plain, notes = _parted(events)
    counted = counted_of(services, session, game.id, seat, max(since, known_from), entry)
    return ReportFacts(
        frame,
        after,
        before,
        plain,
        owed,
        riders_ended=tuple(_rider_note(n) for n in notes if isinstance(n, RiderUsed | RiderPassed | RiderOver)),
        riders=draft.riders,
        standing=draft.standing,
        awaited=awaited(session, game.id, seat),
        recap=since < known_from,
        acts=untold(session, game.id, since, entry),
        counted=tuple(one for one in counted if isinstance(one, BallotCounted)),
        rounds=tuple(one for one in counted if isinstance(one, RoundDrawn)),
    )


def _dealt(services: Services, session: Session, game: str, seat: str) -> tuple[str, tuple[str, ...]]:
    """What a seat put into the deal, and the receipt for it."""
    row = seat_named(session, game, seat)
    if row is None or row.nonce is None:
        return "", ()
    return row.words, (str(sign_deal(services.posting.signing, game, seat, row.words, row.nonce)),)


_NOTES = (RiderUsed, RiderPassed, RiderOver, AheadTaken)


def _parted(events: Sequence[Event]) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """The story, and what the server tells of things filed ahead."""
    story = tuple(e for e in events if not isinstance(e, _NOTES))
    return story, tuple(e for e in events if isinstance(e, _NOTES))


def _rider_note(note: RiderUsed | RiderPassed | RiderOver) -> RiderEnded:
    if isinstance(note, RiderUsed):
        return RiderEnded(note.asks, note.orders, used=True)
    return RiderEnded(note.asks, (), used=False, reason=note.reason if isinstance(note, RiderPassed) else None)


KIND: Final = "onlooker"
"""Of these letters; and the purpose of the link in each that ends them."""


@saved("pbem.OnlookerDraft")
@dataclass(frozen=True)
class SpectatorDraft:
    """What the draft of such a letter holds: the token of its link, and from which entry on its picture marks."""

    token: str
    marked: int | None = None


def facts_of(
    services: Services, session: Session, row: LetterOut, game: Game, user: User, draft: SpectatorDraft
) -> SpectatorFacts:
    """The facts of such a letter, from what was stored for everybody."""
    entry, since = int(row.entry or 0), int(row.since or 0)
    after = views.view_of(services, session, game.id, PUBLIC, entry)
    if after is None:
        raise LookupError(f"no view of entry {entry} was stored")
    frame = frames.frame_of(services, session, game, "", user, "", row.made_at, entry)
    page = f"{services.public_url}/games/{game.id}/table"
    links = replace(frame.links, page=page, leave="", mute=f"{services.public_url}/onlooker/{draft.token}")
    return SpectatorFacts(
        replace(frame, links=links),
        after,
        views.events_of(services, session, game.id, PUBLIC, since, entry),
        frames.awaited(session, game.id),
        acts=untold(session, game.id, since, entry),
    )
