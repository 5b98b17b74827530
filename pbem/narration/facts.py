"""What a letter is made of: plain frozen facts, filled in by the service, worded by the narrator.

Every position and event in here is already redacted for the reader.  Moments are whole seconds since 1970, UTC;
the narrator shows them in the reader's zone and in UTC.  All are registered with the codec, so that they can be
sealed, stored and rendered later by another process.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.kernel.codec import serializable
from engine.kernel.events import Event
from engine.kernel.orders import Clause, Line, Orders, Problem, Question
from engine.kernel.position import Position
from engine.kernel.viewers import Seat
from pbem.narration.letter_parts import EmailContext as EmailContext
from pbem.narration.letter_parts import EndedReaction as EndedReaction
from pbem.narration.letter_parts import Links as Links
from pbem.narration.letter_parts import Message as Message
from pbem.narration.letter_parts import Moment
from pbem.narration.letter_parts import OpenQuestion as OpenQuestion
from pbem.narration.letter_parts import PendingRound as PendingRound
from pbem.narration.letter_parts import Reader as Reader
from pbem.narration.letter_parts import StoredOrders as StoredOrders
from pbem.narration.letter_parts import StoredReaction as StoredReaction
from pbem.narration.letter_parts import TableFacts as TableFacts
from pbem.narration.notifications import BOUNCED_VIA as BOUNCED_VIA
from pbem.narration.notifications import NOTICES as NOTICES
from pbem.narration.notifications import WARNINGS as WARNINGS

# --- the letters of a game


@serializable("letter.CountedOrders")
@dataclass(frozen=True)
class CountedOrders:
    """Orders of the reader that were counted: at which gate, in which entry, and what their receipt named them by."""

    gate: str
    entry: int
    commitment: str


@serializable("letter.DrawnRound")
@dataclass(frozen=True)
class DrawnRound:
    """An entry was drawn with this round of the public beacon; its signature in hex."""

    entry: int
    round: int
    signature: str


@serializable("letter.ReportFacts")
@dataclass(frozen=True)
class ReportFacts:
    """What happened since the reader's last report, and what is asked of them now.

    `before`: the position of that report (None: there was none). `events`: in order, of all entries since.
    `recap`: the letter tells a newcomer at this seat the game so far. `acts`: what game masters did meanwhile.
    `counted`: the reader's own orders that were.  `rounds`: of the beacon, that were drawn with.  `abridges`: it need
    not repeat what the last report said.
    """

    frame: EmailContext
    after: Position[Any]
    before: Position[Any] | None = None
    events: tuple[Event, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    reactions: tuple[StoredReaction, ...] = ()
    ended_reactions: tuple[EndedReaction, ...] = ()
    stored_orders: tuple[StoredOrders, ...] = ()
    awaited: tuple[Seat, ...] = ()
    recap: bool = False
    picture: str = ""
    abridges: bool = False
    acts: tuple[Message, ...] = ()
    counted: tuple[CountedOrders, ...] = ()
    rounds: tuple[DrawnRound, ...] = ()


@serializable("letter.ReceiptLine")
@dataclass(frozen=True)
class ReceiptLine:
    """One written line: its number and text, what was understood, why it cannot stand, and notes of the preview."""

    number: int
    written: str
    line: Line | None = None
    problem: Problem | None = None
    notes: tuple[Problem, ...] = ()
    chosen: Clause | None = None


@serializable("letter.ReceiptSet")
@dataclass(frozen=True)
class ReceiptSet:
    """One set of a letter: its question (None: none is open, the form alone was checked), its lines, whether it counts.

    `passed`: the confirmed empty set. `problem`: what is wrong with the set as a whole. `replaces`: the commitment
    of the set that it takes the place of. `number`: which of several questions of its topic in its turn.
    """

    topic: str
    lines: tuple[ReceiptLine, ...] = ()
    taken: bool = False
    decision: Question | None = None
    turn: int | None = None
    passed: bool = False
    problem: Problem | None = None
    commitment: str = ""
    replaces: str = ""
    number: int | None = None


@serializable("letter.ReceiptReaction")
@dataclass(frozen=True)
class ReceiptReaction:
    """One reaction of a letter: filed, withdrawn, or refused with its problem."""

    topic: str
    number: int
    written: str
    orders: Orders = ()
    withdrawn: bool = False
    problem: Problem | None = None
    turn: int | None = None


@serializable("letter.ExecutedCommand")
@dataclass(frozen=True)
class ExecutedCommand:
    """A command beside orders (`status`, `help`, `report`, `withdraw`, `preview`), its argument, and what came of it.

    `outcome`: `done`, `sent` (another letter brings the answer), `nothing` (there was nothing to do), `unknown`.
    """

    name: str
    argument: str = ""
    outcome: str = "done"
    number: int | None = None


@serializable("letter.ReceiptFacts")
@dataclass(frozen=True)
class ReceiptFacts:
    """The answer to one letter: what was written, understood, refused; what stands; what is awaited and until when.

    `view`: the reader's position when the letter was judged. `preview`: events that their lines would bring on their
    own view (only if they asked). `warnings`: codes of WARNINGS. `settled`: nobody else is awaited, play goes on now.
    `uncovered`: lines that were found in the quoted template. `signed`: orders below the line that begins a signature,
    which were not read. `unread`: orders and commands in quoted text, below it, or below END, which were not read.
    `doubtful`: those of the skipped lines that may be orders gone wrong.
    """

    frame: EmailContext
    view: Position[Any]
    sets: tuple[ReceiptSet, ...] = ()
    reactions: tuple[ReceiptReaction, ...] = ()
    commands: tuple[ExecutedCommand, ...] = ()
    luck: tuple[str, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()
    stored_orders: tuple[StoredOrders, ...] = ()
    stored_reactions: tuple[StoredReaction, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    awaited: tuple[Seat, ...] = ()
    preview: tuple[Event, ...] = ()
    warnings: tuple[str, ...] = ()
    settled: bool = False
    uncovered: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()


@serializable("letter.ReminderFacts")
@dataclass(frozen=True)
class ReminderFacts:
    """The reader still owes an answer; `last`: no further reminder comes before the deadline."""

    frame: EmailContext
    view: Position[Any]
    questions: tuple[OpenQuestion, ...]
    last: bool = False


@serializable("letter.StartedFacts")
@dataclass(frozen=True)
class StartedFacts:
    """The game has begun: who sits where, the seed's digest, what the reader sees and owes first.

    `words`: what the reader put into the deal. `proofs`: a signed receipt for it.
    """

    frame: EmailContext
    view: Position[Any]
    questions: tuple[OpenQuestion, ...] = ()
    seed_digest: str = ""
    events: tuple[Event, ...] = ()
    picture: str = ""
    words: str = ""
    proofs: tuple[str, ...] = ()


@serializable("letter.GameOverFacts")
@dataclass(frozen=True)
class GameOverFacts:
    """The game is over: the last events, the final position, how to check it all.

    `story`: all that the reader was told since the beginning; the letter tells what weighed most.
    """

    frame: EmailContext
    after: Position[Any]
    before: Position[Any] | None = None
    events: tuple[Event, ...] = ()
    story: tuple[Event, ...] = ()
    root_digest: str = ""
    picture: str = ""


# --- the letters around a game


@serializable("letter.InvitationFacts")
@dataclass(frozen=True)
class InvitationFacts:
    """A person is invited: by whom, to a table of how many, with which pace of deadlines (hours; 0: none).

    `keys_digest`: of the keys with which the server signs its receipts, as its page of keys shows them.  `picture`:
    whether the reader is shown a board of the game, and by which name the letter calls it.
    """

    frame: EmailContext
    host: str
    seats: int
    seed_digest: str
    hours: int = 0
    words: str = ""
    expires: Moment | None = None
    keys_digest: str = ""
    picture: str = ""


@serializable("letter.JoinedFacts")
@dataclass(frozen=True)
class JoinedFacts:
    """The reader has taken a seat: how many are still missing."""

    frame: EmailContext
    present: tuple[str, ...]
    missing: int


@serializable("letter.SigninFacts")
@dataclass(frozen=True)
class SigninFacts:
    """A sign-in link was asked for (`links.act`); it holds until `expires`.

    `table`, `name`: it also passes the seat at this table to its reader, which a guest of this name has taken.
    """

    frame: EmailContext
    expires: Moment
    table: str = ""
    name: str = ""


@serializable("letter.AccountFacts")
@dataclass(frozen=True)
class AccountFacts:
    """Something about what is kept of a person.

    `move_old`, `move_new`: to both ends of a change of address, `moved`: it is done, `forget`: whether they mean it.
    `links.act` agrees until `expires`, and so does a yes to `links.answer`; `about`: the other address, masked.
    What came of such an answer: `half`, `taken`, `over`, `kept` (they said no), `leaving`, `unsure` (neither yes nor
    no),
    `elsewhere` (it came from another address).  `file`: what is kept of them, as JSON, with `kind` `file`;
    `large`: it is more than a letter holds, and the page at `links.act` has it.
    """

    frame: EmailContext
    kind: str
    expires: Moment = 0
    about: str = ""
    file: str = ""


ACCOUNT_KINDS: Final = (
    "move_old",
    "move_new",
    "moved",
    "forget",
    "half",
    "taken",
    "over",
    "kept",
    "leaving",
    "unsure",
    "elsewhere",
    "file",
    "large",
)


@serializable("letter.RulingFacts")
@dataclass(frozen=True)
class RulingFacts:
    """The game master ruled: who, why, the events, and what differs for the reader (their positions before and after).

    `drafts`: what they had sent since the entry that the game goes back to; none of it counts any more.
    """

    frame: EmailContext
    master: str
    reason: str
    before: Position[Any]
    after: Position[Any]
    events: tuple[Event, ...]
    rewound_to: int | None = None
    questions: tuple[OpenQuestion, ...] = ()
    drafts: tuple[StoredOrders, ...] = ()


@serializable("letter.DeadlineChangedFacts")
@dataclass(frozen=True)
class DeadlineChangedFacts:
    """A deadline moved.

    `cause`: `master` (by `changed_by`), `outage`, `bounce` (letters to `changed_by` came back), `absence`, `pause`,
    `resumed`,
    `halt`, `excused` ... `copied`: with the cause `restored`, when the copy was made that the server was put back to.
    """

    frame: EmailContext
    questions: tuple[OpenQuestion, ...]
    before: Moment | None
    after: Moment | None
    cause: str
    changed_by: str = ""
    reason: str = ""
    copied: Moment | None = None


DEADLINE_CAUSES: Final = (
    "master",
    "outage",
    "bounce",
    "absence",
    "pause",
    "resumed",
    "halt",
    "excused",
    "released",
    "restored",
)


@serializable("letter.BouncedFacts")
@dataclass(frozen=True)
class BouncedFacts:
    """Mail to the reader came back, so this comes another way (`via`: `discord`, `page`, `other_address`)."""

    frame: EmailContext
    bounced: Moment
    via: str
    count: int = 1


@serializable("letter.MasterCommandResult")
@dataclass(frozen=True)
class MasterCommandResult:
    """One line of a game master: what was written, what was understood, and what it would do or did.

    `outcome`: `done`, `preview`, `confirm` (it acts when it comes again with `word`), `agree` (another person must
    agree with `word`), `refused`.  `events`: facts of the game, as everybody may know them.
    """

    number: int
    written: str
    line: str
    outcome: str
    said: tuple[Message, ...] = ()
    problem: Problem | None = None
    word: str = ""
    events: tuple[Event, ...] = ()


@serializable("letter.MasterFacts")
@dataclass(frozen=True)
class MasterFacts:
    """The answer to a game master's lines, by any channel; or what they should know (`lead`).

    `view`: the public position (None before the game). `forms`: how acts are written (line and what it does).
    `until`: how long a word of confirmation holds. `corrections`: how what CORRECT can put right is written (line, what
    it does, an example that is possible now, or "").
    """

    frame: EmailContext
    acts: tuple[MasterCommandResult, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()
    lead: tuple[Message, ...] = ()
    view: Position[Any] | None = None
    forms: tuple[tuple[str, str], ...] = ()
    until: Moment | None = None
    corrections: tuple[tuple[str, str, str], ...] = ()


@serializable("letter.AnnouncementFacts")
@dataclass(frozen=True)
class AnnouncementFacts:
    """What a game master did, told to a player: sentences, and facts of the game as everybody may know them."""

    frame: EmailContext
    master: str
    said: tuple[Message, ...]
    reason: str = ""
    events: tuple[Event, ...] = ()
    view: Position[Any] | None = None
    questions: tuple[OpenQuestion, ...] = ()


@serializable("letter.TalkFacts")
@dataclass(frozen=True)
class TalkFacts:
    """A message at the table: by whom (empty: unsigned), to whom, line by line.

    `kind`: `public`, `private`, or `master` (to a game master or from one). `to`: the names of all who hear it, where
    it is not for everybody. `powers`: the ids of the powers that seats play.
    """

    frame: EmailContext
    author: str
    kind: str
    to: tuple[str, ...]
    lines: tuple[str, ...]
    powers: Mapping[Seat, str] = field(default_factory=dict)


@serializable("letter.SpectatorFacts")
@dataclass(frozen=True)
class SpectatorFacts:
    """What everybody was told since the last letter to a reader who looks on; `after`: the public view."""

    frame: EmailContext
    after: Position[Any]
    events: tuple[Event, ...] = ()
    awaited: tuple[Seat, ...] = ()
    picture: str = ""
    acts: tuple[Message, ...] = ()


@serializable("letter.DeputyFacts")
@dataclass(frozen=True)
class DeputyFacts:
    """The reader is asked to answer for another player's seat during an absence, from one moment to another."""

    frame: EmailContext
    owner: str
    starts_at: Moment
    ends_at: Moment


@serializable("letter.SeatOfferFacts")
@dataclass(frozen=True)
class SeatOfferFacts:
    """A master offers the reader a seat of a game under way, in place of a player (empty: nobody sits there)."""

    frame: EmailContext
    master: str
    before: str
    seats: int
    hours: int
    expires_at: Moment


@serializable("letter.NoticeFacts")
@dataclass(frozen=True)
class NoticeFacts:
    """A letter that cannot be taken as orders, or something to know: its family, and the terms that family needs.

    Each notice has one thing to do next.  `subject`: that of the letter answered, echoed back.
    """

    frame: EmailContext
    kind: str
    terms: Mapping[str, object] = field(default_factory=dict)
    subject: str = ""


EmailFacts = (
    ReportFacts | ReceiptFacts | ReminderFacts | StartedFacts | GameOverFacts | InvitationFacts | JoinedFacts
    | SigninFacts | RulingFacts | DeadlineChangedFacts | BouncedFacts | MasterFacts | AnnouncementFacts | TalkFacts
    | DeputyFacts | SpectatorFacts | SeatOfferFacts | NoticeFacts | AccountFacts
)  # fmt: skip
"""Whatever a letter can be made of."""
