"""What a worker can be told to do: each is one service call, each may come twice, each takes one id at most."""

from collections.abc import Callable, Mapping
from typing import Final

from pbem.service.base.services import Office
from pbem.service.channels import webhook_sender
from pbem.service.post import delivery, drawing, inbox_queue, outbox
from pbem.service.run import clock_tick, game_visit, letter_came

Task = Callable[[Office, str], None]


def ingest(office: Office, letter: str) -> None:
    """Read one letter, and a few others if they lie there."""
    inbox_queue.ingest(office, letter, letter_came.answer, inbox_queue.BESIDE)


def deliver(office: Office, _: str) -> None:
    """Render and send what is due, until nothing is."""
    while delivery.deliver(office) == outbox.BATCH:
        pass


def play(office: Office, game: str) -> None:
    """Do whatever a game wants done."""
    game_visit.visit(office, game)


def tick(office: Office, _: str) -> None:
    """Look at the clock."""
    clock_tick.tick(office)


def sweep(office: Office, _: str) -> None:
    """Find what was forgotten."""
    clock_tick.sweep(office)


def tidy(office: Office, _: str) -> None:
    """Throw away what finished work has left."""
    clock_tick.tidy(office)
    webhook_sender.tidy(office)
    drawing.tidy(office)


def announce(office: Office, _: str) -> None:
    """Tell channels what there is to tell."""
    webhook_sender.announce_aside(office)


def draw(office: Office, _: str) -> None:
    """Draw one picture that a letter waits for."""
    drawing.draw(office)


TASKS: Final[Mapping[str, Task]] = {
    "ingest": ingest,
    "deliver": deliver,
    "play": play,
    "tick": tick,
    "sweep": sweep,
    "tidy": tidy,
    "announce": announce,
    "draw": draw,
}
