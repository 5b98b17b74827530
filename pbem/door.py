"""The door: the process that takes mail in.  It stores a letter, then says yes, and can do nothing else."""

import signal
import threading

from pbem.config import Address, Settings
from pbem.mail.addresses import AddressKind, in_domain, parse_address
from pbem.mail.lmtp import Entrance, Envelope, Listener
from pbem.service.base.services import Services
from pbem.service.post import inbox_queue


def listeners(services: Services, settings: Settings) -> list[Listener]:
    """The entrances that the settings ask for: LMTP behind a mail server, SMTP for a demo."""

    def store(envelope: Envelope) -> None:
        inbox_queue.take_in(services, envelope.recipients, envelope.raw, envelope.sender == "")

    def knows(address: str) -> bool:
        return in_domain(address, services.mail_domain) and parse_address(address).kind is not AddressKind.UNKNOWN

    def entrance(protocol: str, at: Address) -> Listener:
        wish = Entrance(at.host, at.port, protocol, services.mail_domain, max_bytes=settings.limits.letter_bytes * 2)
        return Listener(store, knows, wish)

    wanted = (("lmtp", settings.lmtp), ("smtp", settings.smtp))
    return [entrance(protocol, at) for protocol, at in wanted if at is not None]


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
