"""What a worker can be told to do: each is one service call, each may come twice, each takes one id at most."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

from pbem.service.base.services import Services
from pbem.service.channels import webhook_sender
from pbem.service.post import delivery, drawing, inbox_queue
from pbem.service.run import beacon_rounds, bots, clock_tick, game_visit, letter_came, operating
from worker.schedule import EVERY_S

Task = Callable[[Services, str], None]


class Punctual:
    """Sees to it that the clock is looked at in time, however many letters' tasks wait before the one that says so."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """`clock`: in seconds, and never set back."""
        self._clock = clock
        self._next = clock()

    def look(self, services: Services) -> None:
        """Look whether it was, once in a few seconds."""
        now = self._clock()
        if now >= self._next:
            self._next = now + EVERY_S["attend"]
            clock_tick.attend_if_late(services)


_PUNCTUAL: Final = Punctual()


def ingest(services: Services, letter: str) -> None:
    """Read one letter, and a few others if they lie there; those alone where that one is read already."""
    _PUNCTUAL.look(services)
    inbox_queue.ingest_any(services, letter, letter_came, delivery)


def deliver(services: Services, _: str) -> None:
    """Render and send what is due, for a while."""
    _PUNCTUAL.look(services)
    delivery.deliver_for_a_while(services)


def play(services: Services, game: str) -> None:
    """Do whatever a game wants done."""
    game_visit.visit(services, game)


def operate(services: Services, _: str) -> None:
    """Do what an operator asked for."""
    operating.carry_out(services)


def attend(services: Services, _: str) -> None:
    """Do what time asks of the post."""
    clock_tick.attend(services)


def tick(services: Services, _: str) -> None:
    """Look at the clock."""
    clock_tick.tick(services)


def sweep(services: Services, _: str) -> None:
    """Find what was forgotten."""
    clock_tick.sweep(services)


def tidy(services: Services, _: str) -> None:
    """Throw away what finished work has left."""
    clock_tick.tidy(services)
    webhook_sender.tidy(services)
    drawing.tidy(services)


def announce(services: Services, _: str) -> None:
    """Tell channels what there is to tell."""
    webhook_sender.announce_aside(services)


def beacon(services: Services, _: str) -> None:
    """Ask for the rounds of the beacon that gates wait for."""
    beacon_rounds.fetch_aside(services)


def answer(services: Services, game: str) -> None:
    """Let the bots of a game answer what they owe."""
    bots.answer(services, game)


def draw(services: Services, _: str) -> None:
    """Draw one picture that a letter waits for."""
    drawing.draw(services)


TASKS: Final[Mapping[str, Task]] = {
    "ingest": ingest,
    "deliver": deliver,
    "play": play,
    "operate": operate,
    "attend": attend,
    "tick": tick,
    "sweep": sweep,
    "tidy": tidy,
    "announce": announce,
    "draw": draw,
    "beacon": beacon,
    "answer": answer,
}
