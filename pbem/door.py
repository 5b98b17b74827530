"""The door: the process that takes mail in.  It stores a letter, then says yes, and can do nothing else."""

import signal
import threading

from pbem.config import Address, Settings
from pbem.mail.addresses import UNTABLED, AddressKind, in_domain, parse_address
from pbem.mail.lmtp import Entrance, Envelope, Listener
from pbem.service.base.services import Services
from pbem.service.post import inbox_queue
from pbem.service.run.our_addresses import exists

PER_PEER = {"lmtp": 100, "smtp": 20}
"""Connections that one peer may hold of the 200 of an entrance; a mail server of one's own opens twenty."""


def listeners(services: Services, settings: Settings) -> list[Listener]:
    """The entrances that the settings ask for: LMTP behind a mail server, SMTP for a demo."""

    def store(envelope: Envelope) -> None:
        inbox_queue.take_in(services, envelope.recipients, envelope.raw, envelope.sender == "")

    def knows(address: str) -> bool:
        return is_ours(services, address)

    def entrance(protocol: str, at: Address) -> Listener:
        most = PER_PEER[protocol]
        size = settings.limits.letter_bytes * 2
        wish = Entrance(at.host, at.port, protocol, services.mail_domain, max_bytes=size, connections_per_peer=most)
        return Listener(store, knows, wish)

    wanted = (("lmtp", settings.lmtp), ("smtp", settings.smtp))
    return [entrance(protocol, at) for protocol, at in wanted if at is not None]


def is_ours(services: Services, address: str) -> bool:
    """Return True if a letter to this address is taken; a wrong letter in it is told to its sender at once."""
    if not in_domain(address, services.mail_domain):
        return False
    found = parse_address(address)
    at_no_table = found.kind is AddressKind.TABLE and found.token in UNTABLED
    return at_no_table or exists(services, found.kind.name.lower(), found.token)


def serve(services: Services, settings: Settings) -> None:
    """Listen until a signal to stop comes."""
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda number, frame: stop.set())
    open_now = listeners(services, settings)
    for listener in open_now:
        listener.start()
    try:
        stop.wait()
    finally:
        for listener in open_now:
            listener.stop()
