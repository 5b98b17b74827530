"""What a server needs beside its own processes, asked: broker, relay, disk, schema.  Each trouble is a sentence.

Asked by whoever may: what their user cannot read is named, and not looked at.  A timer mails what has changed.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Any, Final

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from pbem.broker import redis_client
from pbem.broker.worker_heartbeats import SilentRoles
from pbem.common.network_errors import describe
from pbem.config.env_reader import ConfigError, Role
from pbem.config.settings import Settings
from pbem.mail import imap, smtp_client
from pbem.mail.imap import imap_settings
from pbem.ops import disk_space, outside
from pbem.ops.systemd_notify import SILENT_S
from pbem.store.database import Database
from pbem.store.schema import incompatibility

PATIENCE_S: Final = 5.0
"""How long one question may take."""

ASKERS: Final[tuple[Role, ...]] = ("all", "resolver", "mailer", "web", "scheduler")
"""As whom the settings are read, the first that can be: in a container, or as a user who may not read all keys."""
UNSEEN: Final[Mapping[Role, str]] = {
    "all": "",
    "resolver": "Not looked at here, without the settings of the mailer: relay and mailbox.",
    "mailer": "Not looked at here, without the keys of the resolver: the keys of games.",
    "web": "Not looked at here, with the keys of web alone: the keys of games, relay and mailbox.",
    "scheduler": "Not looked at here, without any key: the keys of games, the seals of rows, relay and mailbox.",
}
REPORT_FILE: Final = "doctor.json"
"""In the folder for state: what was mailed last."""


def settings_of_role(env: Mapping[str, str]) -> Settings:
    """The settings of the whole server, or of that part which this user may read; raises ConfigError."""
    first: ConfigError | None = None
    for role in ASKERS:
        try:
            return Settings.from_env(env, role)
        except ConfigError as error:
            first = first or error
    raise first or ConfigError(())


def list_problems(settings: Settings, relay: smtp_client.Relay | None) -> list[str]:
    """A sentence for each thing that is away or too small; empty where all is well.  The schema is asked apart."""
    return [
        *_check_broker(settings),
        *(_check_relay(relay) if relay is not None else ()),
        *_check_mailbox(settings),
        *_check_disks(settings),
        *outside.list_problems(settings),
    ]


def list_off(settings: Settings) -> list[str]:
    """A sentence for each thing that is off because nothing is set for it; none of them is a problem by itself."""
    backup_key = settings.variables.get("PBEM_BACKUP_AGE_RECIPIENT", "")
    return [
        sentence
        for is_on, sentence in (
            (settings.admin_email, "Alerts: nobody is told of problems by letter. Set PBEM_ADMIN_EMAIL."),
            (settings.operator_emails, "The operator's page: nobody may see it. Set PBEM_OPERATOR_EMAILS."),
            (
                settings.operator_emails or settings.sign_up == "open",
                "The first account: sign-up is not open, and no operator may come in. Set PBEM_OPERATOR_EMAILS.",
            ),
            (backup_key, "Encrypted backups: a copy can be read by whoever gets it. Set PBEM_BACKUP_AGE_RECIPIENT."),
            (settings.variables.get("PBEM_METRICS_LISTEN"), "Figures for Prometheus. Set PBEM_METRICS_LISTEN."),
            (
                settings.has_public_pages,
                "Pages for players: PBEM_PUBLIC_URL leads to this machine only, so letters hold no web links.",
            ),
        )
        if not is_on
    ]


def check_schema(url: str) -> list[str]:
    """What is wrong with the tables of a database, in a sentence; nothing where they fit this version."""
    database = Database(url)
    try:
        said = incompatibility(database)
    except SQLAlchemyError as error:
        said = f"The database does not answer ({describe(error)}): check PBEM_DATABASE_URL, and start it."
    finally:
        database.close()
    return [said] if said else []


def _check_broker(settings: Settings) -> Iterator[str]:
    with redis_client.connect(settings.redis_url, PATIENCE_S) as client:
        try:
            client.ping()
        except (RedisError, OSError) as error:
            told = f"The broker does not answer ({describe(error)}), so no worker takes a task"
            yield f"{told}: check PBEM_BROKER_URL, and start it."
            return
        if policy := _eviction_policy(client):
            yield (
                f"The broker drops calls for work when its memory is full (maxmemory-policy {policy}): "
                "set maxmemory-policy noeviction."
            )
    for role in SilentRoles(settings.redis_url)():
        yield (
            f"No {role} has given a sign of life for {SILENT_S:.0f} s: start one, or start again the one that is "
            f"stopped (pbem run {role})."
        )


def _eviction_policy(client: Any) -> str:
    """The policy of a broker whose memory is bounded, if it drops keys; "" if it does not, or does not say."""
    try:
        limits = {**client.config_get("maxmemory"), **client.config_get("maxmemory-policy")}
    except RedisError:
        return ""
    policy = str(limits.get("maxmemory-policy", ""))
    return policy if int(limits.get("maxmemory", 0)) and policy != "noeviction" else ""


def _check_relay(relay: smtp_client.Relay) -> Iterator[str]:
    if why := smtp_client.connection_problem(replace(relay, timeout=PATIENCE_S)):
        yield f"The relay does not answer ({why}), so no letter goes out: check PBEM_RELAY_HOST, _PORT, _TLS and _USER."


def _check_mailbox(settings: Settings) -> Iterator[str]:
    box = imap_settings(settings)
    if box is not None and (why := imap.connection_problem(replace(box, timeout=PATIENCE_S))):
        told = f"The mailbox does not answer ({why}), so no letter comes in"
        yield f"{told}: check PBEM_MAILBOX_HOST, _PORT, _TLS and _USER; nothing in it is lost."


def _check_disks(settings: Settings) -> Iterator[str]:
    for folder in disk_space.folders(settings):
        if not os.access(folder, os.W_OK | os.X_OK) and settings.role != "scheduler":
            yield f"Nothing can be written to {folder}: check who owns it."
        elif (room := disk_space.check(folder)) is not None:
            yield f"The disk of {folder} has {room // 1_000_000} MB left: make room before it is full."


# --- a letter when something has changed


def format_changes(folder: Path, found: Sequence[str]) -> str:
    """What to write of it: what is new, what is gone, what is as before; empty where nothing is other than last time.

    Numbers do not count, for every minute that something waits is another.
    """
    before: list[str] = json.loads(_load_last_report(folder / REPORT_FILE))
    old, new = {_mask_numbers(line) for line in before}, {_mask_numbers(line) for line in found}
    if old == new:
        return ""
    parts = (
        ("New:", [line for line in found if _mask_numbers(line) not in old]),
        ("Gone:", [line for line in before if _mask_numbers(line) not in new]),
        ("As before:", [line for line in found if _mask_numbers(line) in old]),
    )
    said = ["\n".join((title, *(f"- {line}" for line in lines))) for title, lines in parts if lines]
    return "\n\n".join((*said, "" if found else "No problems are left.\n")).strip() + "\n"


def _mask_numbers(line: str) -> str:
    return re.sub(r"[0-9]+", "#", line)


def _load_last_report(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return "[]"


def write_report(settings: Settings, relay: smtp_client.Relay, found: Sequence[str]) -> str:
    """Mail what has changed to the person of the settings; why it could not be, or nothing.

    What was not taken counts as not told: it goes out the next time.
    """
    text = format_changes(settings.state_dir, found)
    if not text:
        return ""
    sender = f"postmaster@{settings.mail_domain}"
    letter = EmailMessage()
    letter["From"], letter["To"] = sender, settings.admin_email
    letter["Subject"] = f"{settings.mail_domain}: {len(found) or 'no'} problem{'' if len(found) == 1 else 's'}"
    letter["Date"], letter["Message-ID"] = formatdate(), make_msgid(domain=settings.mail_domain)
    letter["Auto-Submitted"] = "auto-generated"  # RFC 3834 §5: nobody answers it
    letter.set_content(text)
    answer = smtp_client.send_message(relay, letter.as_bytes(), sender, settings.admin_email)
    if isinstance(answer, smtp_client.Rejected):
        return f"The letter was not taken: {answer.code} {answer.status}."
    path = settings.state_dir / REPORT_FILE
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(list(found)), encoding="utf-8")
    fresh.replace(path)
    return ""
