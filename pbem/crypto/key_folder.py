"""Who holds which key: one folder of key files per process, and what each process loads from its own.

    web       view, web signing key, session secret
    mailer    view, mailer pair, mailer signing key; pairs that live a day
    resolver  master, view, resolver pair, resolver signing key
    smtp      smtp signing key

Each has the verify keys, and the public halves of the pairs that it seals to.

Emails are sealed to a pair of the mailer that lives a day (`daily_keys`), whose public half the mailer signs in the
database; what the mailer keeps for longer, addresses of webhooks and pictures, to the pair in its folder.  They are not
locked under a key that the mailer shares with others: the smtp process, the web server and the resolvers all write for
the mailer, and a web server that could also read would see each order letter in the seconds before it is parsed.
Public halves name no author, so every ciphertext is signed.

Each folder holds only its own process's files; on a machine with a user per process a folder is given away whole.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self, get_args

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pbem.crypto.daily_keys import DailyKeys
from pbem.crypto.key_files import (
    PRIVATE,
    PUBLIC,
    KeyFileError,
    load_verify_keys,
    read_ring,
    read_verify_keys,
    sync_folder,
    write_lines,
    write_ring,
)
from pbem.crypto.keys import (
    MailerKey,
    MailerPublicKey,
    MasterKeys,
    NonExportable,
    ResolverKey,
    ResolverPublicKey,
    Role,
    SessionSecret,
    SigningKey,
    VerifyKeys,
    ViewKey,
    new_pair_secret,
)

KeyName = Literal["master", "view", "session", "mailer", "resolver", "signing"]
"""What can be replaced by `KeyFolder.rotate`."""

REQUIRED_KEYS: Mapping[Role, tuple[str, ...]] = {
    "web": ("view.keys", "session.keys", "signing.keys", "mailer.pub", "resolver.pub", "verify.pub"),
    "mailer": ("view.keys", "mailer.keys", "signing.keys", "mailer.pub", "resolver.pub", "verify.pub"),
    "resolver": (
        "master.keys",
        "view.keys",
        "resolver.keys",
        "signing.keys",
        "mailer.pub",
        "resolver.pub",
        "verify.pub",
    ),
    "smtp": ("signing.keys", "mailer.pub", "verify.pub"),
}
"""The files of each process: a process is given these and no other."""


DAYS = "days"
"""The folder of the pairs that live a day."""


def _load_secrets(folder: Path, kind: str) -> dict[int, bytes]:
    return read_ring(folder / f"{kind}.keys", kind, PRIVATE)


def _load_public(folder: Path, kind: str) -> bytes:
    return list(read_ring(folder / f"{kind}.pub", f"{kind} public", PUBLIC).values())[-1]


def _load_signing(folder: Path, role: Role) -> SigningKey:
    ring = read_ring(folder / "signing.keys", f"{role} signing", PRIVATE)
    return SigningKey(role, list(ring.values())[-1])


@dataclass(frozen=True, repr=False, eq=False)
class WebKeys(NonExportable):
    """What the web server holds."""

    view: ViewKey
    session: SessionSecret
    signing: SigningKey
    mailer: MailerPublicKey
    resolver: ResolverPublicKey
    verify: VerifyKeys

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the files of `REQUIRED_KEYS["web"]`; `KeyFileError` if one is missing or open to others."""
        return cls(
            ViewKey(_load_secrets(folder, "view")),
            SessionSecret(_load_secrets(folder, "session")),
            _load_signing(folder, "web"),
            MailerPublicKey(_load_public(folder, "mailer")),
            ResolverPublicKey(_load_public(folder, "resolver")),
            load_verify_keys(folder / "verify.pub"),
        )


@dataclass(frozen=True, repr=False, eq=False)
class MailerKeys(NonExportable):
    """What a mailer holds."""

    view: ViewKey
    opening: MailerKey
    days: DailyKeys
    signing: SigningKey
    mailer: MailerPublicKey
    resolver: ResolverPublicKey
    verify: VerifyKeys

    @classmethod
    def load(cls, folder: Path, days: Path | None = None) -> Self:
        """Read the files of `REQUIRED_KEYS["mailer"]`; `KeyFileError` if one is missing or open to others.

        `days`: where the pairs lie that live a day, if that is not beside these files, which a mailer may only read.
        """
        return cls(
            ViewKey(_load_secrets(folder, "view")),
            MailerKey(_load_secrets(folder, "mailer").values()),
            DailyKeys(days or folder / DAYS),
            _load_signing(folder, "mailer"),
            MailerPublicKey(_load_public(folder, "mailer")),
            ResolverPublicKey(_load_public(folder, "resolver")),
            load_verify_keys(folder / "verify.pub"),
        )

    def opening_keys_for(self, ciphertext: bytes) -> MailerKey:
        """What opens a ciphertext: the pair of its day, or that of the folder, by which others are sealed."""
        return self.days.load_opening_keys(ciphertext) or self.opening


@dataclass(frozen=True, repr=False, eq=False)
class ResolverKeys(NonExportable):
    """What a resolver holds."""

    master: MasterKeys
    view: ViewKey
    opening: ResolverKey
    signing: SigningKey
    mailer: MailerPublicKey
    resolver: ResolverPublicKey
    verify: VerifyKeys

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the files of `REQUIRED_KEYS["resolver"]`; `KeyFileError` if one is missing or open to others."""
        return cls(
            MasterKeys(_load_secrets(folder, "master")),
            ViewKey(_load_secrets(folder, "view")),
            ResolverKey(_load_secrets(folder, "resolver").values()),
            _load_signing(folder, "resolver"),
            MailerPublicKey(_load_public(folder, "mailer")),
            ResolverPublicKey(_load_public(folder, "resolver")),
            load_verify_keys(folder / "verify.pub"),
        )


@dataclass(frozen=True, repr=False, eq=False)
class SmtpKeys(NonExportable):
    """What the listener holds that takes mail in: it seals each letter to the mailers, and can read none again."""

    signing: SigningKey
    mailer: MailerPublicKey
    verify: VerifyKeys

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the files of `REQUIRED_KEYS["smtp"]`; `KeyFileError` if one is missing or open to others."""
        return cls(
            _load_signing(folder, "smtp"),
            MailerPublicKey(_load_public(folder, "mailer")),
            load_verify_keys(folder / "verify.pub"),
        )


def _new_symmetric() -> bytes:
    return AESGCM.generate_key(256)


def _new_ed25519() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes_raw()


KEY_GENERATORS: Mapping[str, Callable[[], bytes]] = {
    "master": _new_symmetric,
    "view": _new_symmetric,
    "session": _new_symmetric,
    "mailer": new_pair_secret,
    "resolver": new_pair_secret,
}
"""How a new secret of each kind is made, by the library's own generator."""


def _public_halves(secrets: Mapping[Role, bytes]) -> list[tuple[Role, bytes]]:
    return [(role, SigningKey(role, secret).public_bytes()) for role, secret in secrets.items()]


class KeyFolder:
    """All the key files of one installation: a folder for each process inside one folder.

    Only the person who installs or rotates sees it whole; a running process is given its own part.
    """

    def __init__(self, path: Path) -> None:
        """Name the folder; nothing is read."""
        self.path = path

    def folder_of(self, role: Role) -> Path:
        """The folder of one process, to be passed to `WebKeys.load` and the like."""
        return self.path / role

    @classmethod
    def create(cls, path: Path) -> Self:
        """Write new keys for all processes.  The folder appears whole or not at all, and none is overwritten."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as beside:
                draft = cls(Path(beside) / path.name)
                draft._fill()
                os.rename(draft.path, path)
            sync_folder(path.parent)
        except OSError as error:
            raise KeyFileError(
                f"No keys were written to {path} ({error.strerror}); they need a new or empty folder, "
                "since what is sealed under lost keys cannot be opened again."
            ) from None
        return cls(path)

    def _fill(self) -> None:
        self.path.mkdir(mode=0o700)
        for role in get_args(Role):
            self.folder_of(role).mkdir(mode=0o700)
        for kind in KEY_GENERATORS:
            self._write(kind, {1: KEY_GENERATORS[kind]()})
        signers: dict[Role, bytes] = {role: _new_ed25519() for role in get_args(Role)}
        self._write_verify(_public_halves(signers))
        for role, secret in signers.items():
            write_ring(self.folder_of(role) / "signing.keys", f"{role} signing", {1: secret}, PRIVATE)

    def _roles_with(self, file: str) -> list[Path]:
        return [self.folder_of(role) / file for role in get_args(Role) if file in REQUIRED_KEYS[role]]

    def _write(self, kind: str, ring: Mapping[int, bytes]) -> None:
        for path in self._roles_with(f"{kind}.keys"):
            write_ring(path, kind, ring, PRIVATE)
        if kind in ("mailer", "resolver"):
            pair = MailerKey(ring[version] for version in sorted(ring))
            for path in self._roles_with(f"{kind}.pub"):
                write_ring(path, f"{kind} public", {max(ring): pair.public_key()}, PUBLIC)

    def _write_verify(self, lines: list[tuple[Role, bytes]]) -> None:
        for path in self._roles_with("verify.pub"):
            write_lines(path, "verify", lines, PUBLIC)

    def _read_ring(self, kind: str) -> dict[int, bytes]:
        """All versions that any holder has: a rotation cut short is completed by the next one."""
        ring: dict[int, bytes] = {}
        for path in self._roles_with(f"{kind}.keys"):
            ring |= read_ring(path, kind, PRIVATE)
        return ring

    def signing_keys(self) -> dict[Role, SigningKey]:
        """The newest signing key of each role; for who installs, never for a running process."""
        return {role: _load_signing(self.folder_of(role), role) for role in get_args(Role)}

    def verify_keys(self) -> VerifyKeys:
        """The public halves that all processes know."""
        return load_verify_keys(self.folder_of("resolver") / "verify.pub")

    def rotate(self, kind: KeyName) -> None:
        """Add a new version of one kind of key and keep the old for reading; processes see it at their next start.

        After a new master version every game's keys are to be wrapped anew (`rewrap`), then `prune` drops
        the old.
        """
        if kind == "signing":
            self._rotate_signing()
        else:
            ring = self._read_ring(kind)
            self._write(kind, ring | {max(ring) + 1: KEY_GENERATORS[kind]()})

    def _rotate_signing(self) -> None:
        """Make the new public halves known everywhere before the first signature under a new key."""
        fresh: dict[Role, bytes] = {role: _new_ed25519() for role in get_args(Role)}
        known = read_verify_keys(self.folder_of("resolver") / "verify.pub")
        self._write_verify(known + _public_halves(fresh))
        for role, secret in fresh.items():
            path = self.folder_of(role) / "signing.keys"
            before = max(read_ring(path, f"{role} signing", PRIVATE))
            write_ring(path, f"{role} signing", {before + 1: secret}, PRIVATE)

    def prune(self, kind: KeyName) -> None:
        """Forget all versions but the newest: what was sealed under the others can never be opened again.

        Likewise what was signed: sealed orders still waiting under a retired signature are refused when their gate
        closes, so unless a key was stolen, signing keys are retired once those gates are over.
        """
        if kind == "signing":
            self._prune_signing()
        else:
            ring = self._read_ring(kind)
            self._write(kind, {max(ring): ring[max(ring)]})

    def _prune_signing(self) -> None:
        self._write_verify(
            [(role, _load_signing(self.folder_of(role), role).public_bytes()) for role in get_args(Role)]
        )
