"""What a worker can be told to do: each is one service call, each may come twice, each takes one id at most."""

from collections.abc import Callable, Mapping
from typing import Final

from pbem.service import announcing, deadlines, delivery, drawing, inbox, letters, outbox, visits
from pbem.service.office import Office

Task = Callable[[Office, str], None]


def ingest(office: Office, letter: str) -> None:
    """Read one letter, and a few others if they lie there."""
    letters.ingest(office, letter, inbox.answer, letters.BESIDE)


def deliver(office: Office, _: str) -> None:
    """Render and send what is due, until nothing is."""
    while delivery.deliver(office) == outbox.BATCH:
        pass


def play(office: Office, game: str) -> None:
    """Do whatever a game wants done."""
    visits.visit(office, game)


def tick(office: Office, _: str) -> None:
    """Look at the clock."""
    deadlines.tick(office)


def sweep(office: Office, _: str) -> None:
    """Find what was forgotten."""
    deadlines.sweep(office)


def tidy(office: Office, _: str) -> None:
    """Throw away what finished work has left."""
    deadlines.tidy(office)
    announcing.tidy(office)
    drawing.tidy(office)


def announce(office: Office, _: str) -> None:
    """Tell channels what there is to tell."""
    announcing.announce_aside(office)


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
