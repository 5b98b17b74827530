"""The tables.

Times are whole milliseconds since 1970, UTC.  Every column whose name ends in `_sealed` holds what the vault made;
the store cannot read it.  Nothing that a player wrote lies here in the clear but their name and address.
"""

from pbem.store.models.base import Base
from pbem.store.models.bots import AskedAgain, Bot, Practice, TableLink
from pbem.store.models.channels import Allowance, Bulletin, Channel
from pbem.store.models.games import (
    BallotRow,
    Command,
    DecisionRow,
    Game,
    Holding,
    Listed,
    RevisionRow,
    RoundRow,
    SeatRow,
)
from pbem.store.models.journal import EntryRow, PlotRow, ViewRow
from pbem.store.models.masters import Application, Asking, Audit, Master, Mastering, Vote
from pbem.store.models.operators import OperatorAct, SecondFactor
from pbem.store.models.people import (
    Account,
    AddressChange,
    Leaving,
    LetterChoice,
    ProgramRow,
    QuietTable,
    TokenRow,
    Uninvited,
    User,
)
from pbem.store.models.post import DayKey, LetterIn, LetterInContent, LetterOut, LetterOutContent, PictureRow
from pbem.store.models.records import RecordWord, ResultRow
from pbem.store.models.seats import Deputy, Watcher
from pbem.store.models.talk import Message, MessageReader, TalkAddress, TalkMute
from pbem.store.models.time import Absence, Beat, GivenBack, Outage

__all__ = [
    "Absence",
    "Account",
    "AddressChange",
    "Allowance",
    "Application",
    "AskedAgain",
    "Asking",
    "Audit",
    "BallotRow",
    "Base",
    "Beat",
    "Bot",
    "Bulletin",
    "Channel",
    "Command",
    "DayKey",
    "DecisionRow",
    "Deputy",
    "EntryRow",
    "Game",
    "GivenBack",
    "Holding",
    "Leaving",
    "LetterChoice",
    "LetterIn",
    "LetterInContent",
    "LetterOut",
    "LetterOutContent",
    "Listed",
    "Master",
    "Mastering",
    "Message",
    "MessageReader",
    "OperatorAct",
    "Outage",
    "PictureRow",
    "PlotRow",
    "Practice",
    "ProgramRow",
    "QuietTable",
    "RecordWord",
    "ResultRow",
    "RevisionRow",
    "RoundRow",
    "SeatRow",
    "SecondFactor",
    "TableLink",
    "TalkAddress",
    "TalkMute",
    "TokenRow",
    "Uninvited",
    "User",
    "ViewRow",
    "Vote",
    "Watcher",
]
