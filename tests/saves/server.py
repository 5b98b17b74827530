"""A whole server as each version of the tables left it: its database and its keys, with games under way.

One file for a version of the tables, `servers/NUMBER.tar.xz`: the folder of keys, the database, and what a browser,
a letter and a player brought with them.  `python -m tests.saves.make_server` writes the one of the present version if
it is missing; those of earlier versions are never written again.
"""

import io
import json
import tarfile
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

import engine
from pbem.app import arrived, write_letter
from pbem.config import Settings
from pbem.discord.notify import Webhooks
from pbem.service.base.services import Addressed, Arrived, Outgoing
from pbem.service.post import key_rotation
from pbem.service.run.vouching import vouch
from pbem.store.database import Database
from pbem.store.schema import configuration
from pbem.vault import KeyFolder
from tests import unpacked
from tests.service.hall import Hall, staffed

HERE = Path(__file__).parent / "servers"
DOMAIN = "rooms.test"
"""Where the server has its addresses; its players live elsewhere."""
DATABASE, KEYS, ABOUT = "server.sqlite3", "keys", "about.json"


@dataclass(frozen=True)
class About:
    """What its visitors have, and what they were promised.

    `moment`: seconds since 1970. `rose` is asked for orders: `filed` stands for s1 under `commitment`, `letter` is s2's
    answer to a report, `cookie` the browser of s3. At `thorn` the reports wait to be sent.
    """

    moment: int
    rose: str
    thorn: str
    filed: tuple[str, ...]
    commitment: str
    recipient: str
    letter: str
    cookie: str
    program: str


def newest() -> str:
    """The number of the last migration."""
    head = ScriptDirectory.from_config(configuration("")).get_current_head()
    assert head is not None
    return head


def path_of(version: str) -> Path:
    """Where the server of a version of the tables is kept."""
    return HERE / f"{version}.tar.xz"


def pack(folder: Path, about: About, path: Path) -> None:
    """Write one file of a server's folder."""
    (folder / ABOUT).write_text(json.dumps(asdict(about), indent=1), encoding="utf-8")
    with tarfile.open(path, "w:xz", preset=9) as tar:
        for name in (ABOUT, DATABASE, KEYS):
            tar.add(folder / name, name, filter=_nobody)


def _nobody(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A member without its owner's name."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mtime = 0
    return member


def unpack(path: Path, folder: Path) -> About:
    """Lay a kept server out in an empty folder."""
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as tar:
        unpacked.unpack(tar, folder)
    kept = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    return About(**{**kept, "filed": tuple(kept["filed"])})


def opened(folder: Path, moment: int, url: str = "") -> Hall:
    """The server of a folder, whose letters are read and written as they are in earnest."""
    settings = replace(Settings.embedded(folder), mail_domain=DOMAIN)
    db = Database(url or f"sqlite:///{folder}/{DATABASE}")
    KeyFolder(folder / KEYS).complete()
    hall = staffed(db, KeyFolder(folder / KEYS), engine.GAMES)
    vouch(hall.play, db, KeyFolder(folder / KEYS))
    hall.moment = datetime.fromtimestamp(moment, UTC)
    key_rotation.turn(hall.post)

    def read(raw: bytes, recipient: str, null_sender: bool) -> Arrived:
        known = hall.arrivals[int(raw)] if raw.isdigit() else None
        return known or arrived(settings, raw, recipient, null_sender)

    def write(facts: object, address: Addressed) -> Outgoing:
        hall.sent.append((address, facts))
        return write_letter(settings, facts, address)

    hall.everywhere(mail_domain=DOMAIN, webhook_port=Webhooks(hall.web.public_url, hall.web.clock))
    hall.post = replace(hall.post, read_letter=read, write=write)
    return hall


def signing_then(patch: pytest.MonkeyPatch, moment: int) -> None:
    """Cookies are signed, and their age is judged, as if it were that moment."""
    patch.setattr("itsdangerous.TimestampSigner.get_timestamp", lambda signer: moment)
