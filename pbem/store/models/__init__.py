"""The tables.

Times are whole milliseconds since 1970, UTC.  Every column whose name ends in `ciphertext` holds what `pbem.crypto`
made; the store cannot read it.  Nothing that a player wrote lies here in the clear but their name and address.
"""

from pbem.store.models.base import Base, column_length
from pbem.store.models.bots import Bot, JoinLink, PracticeGame, RematchInvitation
from pbem.store.models.channels import Webhook, WebhookMessage, WebhookRateLimit
from pbem.store.models.games import (
    Game,
    OpenTable,
    OrderRevision,
    PendingDraw,
    QuestionRow,
    ResolverRequest,
    SealedOrdersRow,
    SeatRow,
    SeatTenure,
)
from pbem.store.models.journal import JournalEntry, SeatView, TurnStatistics
from pbem.store.models.masters import Application, AuditEntry, Master, MasterSettings, PendingConfirmation, Vote
from pbem.store.models.operators import OperatorAction, SecondFactor
from pbem.store.models.people import (
    AccountDeletion,
    AddressChange,
    ApiToken,
    Capability,
    DiscordAccount,
    GameMute,
    InvitationOptOut,
    MailPreference,
    User,
)
from pbem.store.models.post import (
    BoardImage,
    DailyKey,
    InboundEmail,
    InboundEmailBody,
    OutboundEmail,
    OutboundEmailBody,
    PrintedEmail,
)
from pbem.store.models.records import ArchiveSearchTerm, GameResult
from pbem.store.models.seats import Deputy, Spectator
from pbem.store.models.talk import Message, MessageReader, TalkAddress, TalkMute
from pbem.store.models.time import Absence, DeadlineExtension, Heartbeat, Outage

__all__ = [
    "Absence",
    "AccountDeletion",
    "AddressChange",
    "ApiToken",
    "Application",
    "ArchiveSearchTerm",
    "AuditEntry",
    "Base",
    "BoardImage",
    "Bot",
    "Capability",
    "DailyKey",
    "DeadlineExtension",
    "Deputy",
    "DiscordAccount",
    "Game",
    "GameMute",
    "GameResult",
    "Heartbeat",
    "InboundEmail",
    "InboundEmailBody",
    "InvitationOptOut",
    "JoinLink",
    "JournalEntry",
    "MailPreference",
    "Master",
    "MasterSettings",
    "Message",
    "MessageReader",
    "OpenTable",
    "OperatorAction",
    "OrderRevision",
    "Outage",
    "OutboundEmail",
    "OutboundEmailBody",
    "PendingConfirmation",
    "PendingDraw",
    "PracticeGame",
    "PrintedEmail",
    "QuestionRow",
    "RematchInvitation",
    "ResolverRequest",
    "SealedOrdersRow",
    "SeatRow",
    "SeatTenure",
    "SeatView",
    "SecondFactor",
    "Spectator",
    "TalkAddress",
    "TalkMute",
    "TurnStatistics",
    "User",
    "Vote",
    "Webhook",
    "WebhookMessage",
    "WebhookRateLimit",
    "column_length",
]
