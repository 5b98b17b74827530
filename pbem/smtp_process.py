"""The process that takes mail in.  It stores a letter, then says yes, and can do nothing else.

Letters are handed to it by a mail server, or it fetches them from a mailbox.
"""

import re
import signal
import threading
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path

from pbem.common.outage_log import is_connection_error
from pbem.config.settings import Address, Settings
from pbem.mail import imap_message
from pbem.mail.addresses import NO_GAME, AddressKind, has_token_form, parse_address
from pbem.mail.imap import ImapPoller, TryLater, imap_settings
from pbem.mail.smtp_server import Envelope, Server, ServerConfig
from pbem.ops import systemd_notify
from pbem.ops.memory import freeze_gc
from pbem.service.base.services import NoMailKey, Services
from pbem.service.mail import inbox_queue
from pbem.service.tasks.recipients import exists, find_payers

PER_PEER = {"lmtp": 100, "smtp": 20}
"""Connections that one peer may hold of the 200 of an entrance; a mail server of one's own opens twenty."""

STOPPING_S = 10.0
"""How long the process waits for the letter that it is about to fetch."""


def build_servers(services: Services, settings: Settings) -> list[Server]:
    """The entrances that the settings ask for: LMTP behind a mail server, SMTP for a demo."""

    def store(envelope: Envelope, protocol: str) -> None:
        relayed = protocol == "lmtp"
        payers = find_payers(
            services, envelope.recipients, sender_network(envelope.peer, envelope.raw, relayed=relayed)
        )
        inbox_queue.store_message(services, envelope.recipients, envelope.raw, envelope.sender == "", payers=payers)

    def knows(address: str) -> bool:
        return is_local_recipient(services, address)

    def entrance(protocol: str, at: Address) -> Server:
        most = PER_PEER[protocol]
        size = settings.limits.max_message_bytes * 2
        wish = ServerConfig(at.host, at.port, protocol, services.mail_domain, max_bytes=size, connections_per_peer=most)
        return Server(partial(store, protocol=protocol), knows, wish)

    wanted = (("lmtp", settings.lmtp_listen), ("smtp", settings.smtp_listen))
    return [entrance(protocol, at) for protocol, at in wanted if at is not None]


def is_local_recipient(services: Services, address: str) -> bool:
    """Return True if a letter to this address is taken; a wrong letter in it is told to its sender at once."""
    if not has_token_form(address, services.mail_domain, services.mailbox_local_part):
        return False
    found = parse_address(address)
    at_no_table = found.kind in (AddressKind.TABLE, AddressKind.BOUNCE) and found.token in NO_GAME
    return at_no_table or exists(services, found.kind.name.lower(), found.token)


_RECEIVED = re.compile(rb"^Received:(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_LITERAL = rb"\[(?:IPv6:)?([0-9A-Fa-f:.]{3,45})\]"
_PEER = re.compile(rb"\((?:[^()\[\]=]*\s)?" + _LITERAL)
"""What a server itself knows of who connects (TCP-info).  The name before it, maybe an address, is their word."""
_HEAD_BYTES = 4_096


def sender_network(peer: str, raw: bytes, *, relayed: bool) -> str:
    """The network that a letter comes from; empty if unknown.

    `relayed`: our own mail server hands it over: the header that it has put on top says from where (RFC 5321 §4.4).
    """
    if relayed:
        received = _RECEIVED.search(raw[:_HEAD_BYTES])
        named = _PEER.search(received[1]) if received is not None else None
        peer = named[1].decode("ascii") if named is not None else ""
    try:
        address = ip_address(peer)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return str(ip_network((address, 24 if address.version == 4 else 48), strict=False))


def build_poller(services: Services, settings: Settings) -> ImapPoller | None:
    """What fetches letters from the mailbox that the settings name; None where they name none."""
    box = imap_settings(settings)
    if box is None:
        return None
    return ImapPoller(
        lambda raw, mark: accept_message(services, raw, mark),
        box,
        settings.state_dir / JOURNAL_FILE,
        services.fault_point,
    )


JOURNAL_FILE = Path("fetched")
"""The file, in the folder for state, of letters that were taken and not yet moved."""


def accept_message(services: Services, raw: bytes, mark: str) -> bool:
    """Store a letter out of a mailbox, once for each mark; False if it came to no address of ours.

    Raises TryLater where nothing can be stored.
    """
    letter = imap_message.parse_fetched(raw, services.mail_domain, services.mailbox_local_part)
    try:
        ours = tuple(one for one in letter.recipients if is_local_recipient(services, one))
        if ours:
            payers = find_payers(services, ours, "")
            inbox_queue.store_message(services, ours, letter.raw, letter.null_sender, mark=mark, payers=payers)
    except NoMailKey as error:
        raise TryLater(type(error).__name__) from None
    except Exception as error:
        if is_connection_error(error):
            raise TryLater(type(error).__name__) from None
        raise
    return bool(ours)


def serve(services: Services, settings: Settings) -> None:
    """Listen until a signal to stop comes."""
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda number, frame: stop.set())
    open_now = build_servers(services, settings)
    fetching = build_poller(services, settings)
    errand = None
    if fetching is not None:
        errand = threading.Thread(target=fetching.run, args=(stop,), name="mailbox", daemon=True)
    for listener in open_now:
        listener.start()
    if errand is not None:
        errand.start()
    freeze_gc()
    systemd_notify.notify(systemd_notify.READY)
    try:
        while not stop.wait(systemd_notify.CHECK_INTERVAL_S):
            if all(listener.is_listening() for listener in open_now) and (errand is None or errand.is_alive()):
                systemd_notify.notify(systemd_notify.ALIVE)
    finally:
        stop.set()
        for listener in open_now:
            listener.stop()
        if errand is not None:
            errand.join(STOPPING_S)
