"""People, and what opens doors to them: capabilities, programs, accounts elsewhere."""

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import KEY, TAG, Base, SignedRow


class User(SignedRow, Base):
    """A person, known by the address of record.  `version`: see `pbem.store.versions`."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    email: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    language: Mapped[str] = mapped_column(TAG)
    time_zone: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[int]
    muted_at: Mapped[int | None]
    bounced_at: Mapped[int | None]
    unsubscribe_token_ciphertext: Mapped[bytes | None]
    turns_asked: Mapped[int] = mapped_column(default=0)
    turns_on_time: Mapped[int] = mapped_column(default=0)
    games_begun: Mapped[int] = mapped_column(default=0)
    games_finished: Mapped[int] = mapped_column(default=0)
    version: Mapped[int] = mapped_column(default=0)


class Capability(SignedRow, Base):
    """A capability: only its hash lies here.  A reply token is for one seat and the questions of one entry.

    `last_words`: a keyed digest of the last email to this address, if it held neither an order nor a command.
    """

    __tablename__ = "capabilities"
    hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    purpose: Mapped[str] = mapped_column(String(20))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str | None] = mapped_column(String(8))
    entry: Mapped[int | None]
    created_at: Mapped[int]
    expires_at: Mapped[int | None]
    used_at: Mapped[int | None]
    revoked_at: Mapped[int | None]
    last_words: Mapped[bytes | None] = mapped_column(LargeBinary(32))


class DiscordAccount(SignedRow, Base):
    """Whose account at Discord this is: one for each person, one person for each."""

    __tablename__ = "discord_accounts"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    discord_id: Mapped[str] = mapped_column(String(24), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    linked_at: Mapped[int]


class ApiToken(SignedRow, Base):
    """A program that its owner lets in: its name for them, and its `scope` (`read`, `play` or `master`).

    Its owner, its seat and how long it holds stand with all other capabilities in `tokens`, under the same hash.
    """

    __tablename__ = "api_tokens"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32), ForeignKey("capabilities.hash"), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(60))
    scope: Mapped[str] = mapped_column(String(8))


class MailPreference(Base):
    """Which letters a person wants, where they said so: only while something is owed, receipts of the page, pictures.

    That they want none but the last of each game is `muted_at` of the person.
    """

    __tablename__ = "mail_preferences"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    only_when_due: Mapped[bool] = mapped_column(default=False)
    web_receipts: Mapped[bool] = mapped_column(default=True)
    pictures: Mapped[bool] = mapped_column(default=True)


class InvitationOptOut(Base):
    """A mailbox whose owner wants no invitations, by its digest; it stays whatever becomes of the person's row."""

    __tablename__ = "invitation_opt_outs"
    email_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    created_at: Mapped[int]


class GameMute(Base):
    """A table whose letters a person does not want."""

    __tablename__ = "game_mutes"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    created_at: Mapped[int]


class AddressChange(SignedRow, Base):
    """A change of address that waits until both ends have agreed: by which links, until when, and who has.

    `to_user_id`: the person of the new address, who is nobody else here, or nothing is changed.
    """

    __tablename__ = "address_changes"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    to_user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    old_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    new_hash: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    expires_at: Mapped[int]
    old_confirmed_at: Mapped[int | None]
    new_confirmed_at: Mapped[int | None]


class AccountDeletion(SignedRow, Base):
    """A person who wants to be forgotten: their tables under way go first, by the rules that they have for that."""

    __tablename__ = "account_deletions"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    requested_at: Mapped[int]
