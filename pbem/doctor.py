"""What a server needs beside its own processes, asked: broker, relay, disk, schema.  Each trouble is a sentence."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from redis.exceptions import RedisError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from pbem import broker_client
from pbem.config import Settings
from pbem.door import box_of
from pbem.mail import imap, wire
from pbem.store.database import Database
from pbem.store.schema import trouble

PATIENCE_S: Final = 5.0
"""How long one question may take."""
ROOM_BYTES: Final = 500_000_000
"""A disk with less room than this will be full before somebody looks again."""


def complaints(settings: Settings, relay: wire.Relay) -> list[str]:
    """A sentence for each thing that is away or too small; empty where all is well.  The schema is asked apart."""
    return [*_broker(settings), *_relay(relay), *_mailbox(settings), *_disks(settings)]


def schema(url: str) -> list[str]:
    """What is wrong with the tables of a database, in a sentence; nothing where they fit this version."""
    database = Database(url)
    try:
        said = trouble(database)
    except SQLAlchemyError as error:
        said = f"The database does not answer ({type(error).__name__}): check PBEM_DATABASE_URL."
    finally:
        database.close()
    return [said] if said else []


def _broker(settings: Settings) -> Iterator[str]:
    with broker_client.client(settings.redis_url, PATIENCE_S) as client:
        try:
            client.ping()
        except (RedisError, OSError) as error:
            why = type(error).__name__
            yield f"The broker does not answer ({why}), so no worker takes a task: check PBEM_BROKER_URL and start it."


def _relay(relay: wire.Relay) -> Iterator[str]:
    if why := wire.unreachable(replace(relay, timeout=PATIENCE_S)):
        yield f"The relay does not answer ({why}), so no letter goes out: check PBEM_RELAY_HOST and what belongs to it."


def _mailbox(settings: Settings) -> Iterator[str]:
    box = box_of(settings)
    if box is not None and (why := imap.unreachable(replace(box, timeout=PATIENCE_S))):
        told = f"The mailbox does not answer ({why}), so no letter comes in"
        yield f"{told}: check PBEM_MAILBOX_HOST and what belongs to it; nothing in the mailbox is lost."


def _disks(settings: Settings) -> Iterator[str]:
    url = make_url(settings.database_url)
    own = Path(url.database).parent if url.get_backend_name() == "sqlite" and url.database else settings.state_dir
    for folder in dict.fromkeys((settings.state_dir, own)):
        if not os.access(folder, os.W_OK | os.X_OK):
            yield f"Nothing can be written to {folder}: check who owns it."
        elif (room := shutil.disk_usage(folder).free) < ROOM_BYTES:
            yield f"The disk of {folder} has {room // 1_000_000} MB left: make room before it is full."
