"""The players of a real server in a closed loop: they answer each letter, and time their receipts."""

import asyncio
import time
from itertools import count
from typing import Final

from pbem.bench.players import BenchGame, Players, Seat, Sets
from pbem.bench.smtp import Relay, SmtpSender
from pbem.config.settings import Settings

PATIENCE_S: Final = 90.0
"""How long a game may be silent before it counts as stuck."""
QUIET_S: Final = 2.0
"""How long after a letter a game that waits for somebody is taken to be complete though it did not write to all."""


class Loop:
    """The players of all games, and what they measure."""

    def __init__(self, settings: Settings, players: Players, games: int) -> None:
        """`games` are played at a time."""
        if settings.relay is None or settings.smtp_listen is None:
            raise LookupError("the bench needs an entrance and a relay")
        self.players, self.games = players, games
        self.relay, self.relay_port, self.door_port = (
            Relay(self._arrived),
            settings.relay.port,
            settings.smtp_listen.port,
        )
        self.senders = [SmtpSender(self.door_port) for _ in range(games)]
        self.next_games = list(players.games)
        self.news = {game.name: asyncio.Event() for game in players.games}
        self.sent_at: dict[str, float] = {}
        self.rounds = self.answers = 0
        self.receipts_s: list[float] = []
        self.stuck: list[str] = []
        self._letters, self._tasks = count(), set[asyncio.Task[None]]()

    def _arrived(self, recipient: str, raw: bytes) -> None:
        seat = self.players.by_address.get(recipient)
        if seat is None:
            return
        letter, sets = self.players.read(seat, raw)
        if letter.is_receipt and recipient in self.sent_at:
            self.receipts_s.append(time.monotonic() - self.sent_at[recipient])
        if sets:
            task = asyncio.ensure_future(self._write(seat, letter.reply_to, sets))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self.news[seat.table.name].set()

    @property
    def endings(self) -> int:
        """How many games have ended so far."""
        return sum(game.over for game in self.players.games)

    async def _write(self, seat: Seat, recipient: str, sets: Sets) -> None:
        sender = self.senders[next(self._letters) % len(self.senders)]
        await sender.send(seat.address, recipient, self.players.write(seat, recipient, sets))
        self.sent_at[seat.address] = time.monotonic()

    async def begin(self) -> None:
        """Bring all games to where all seats are asked at once; a game may ask them one by one at first."""

        async def begin(game: BenchGame) -> None:
            await self._asked(game)
            while len(game.waiting) < self.players.size and not game.over:
                await self._round(game)

        await asyncio.gather(*(begin(game) for game in self.players.games))

    async def play(self, rate: float | None, until: float) -> None:
        """Play `games` games at a time until a moment; `rate`: rounds a second in all, or as fast as possible."""
        began, beats = time.monotonic(), count()

        async def play() -> None:
            while time.monotonic() < until:
                if not self.next_games:
                    raise LookupError("all games ended before the time was over: play more games at a time")
                game = self.next_games.pop(0)
                while not game.over and time.monotonic() < until:
                    due = began + next(beats) / rate if rate else 0.0
                    await asyncio.sleep(max(0.0, due - time.monotonic()))
                    await self._round(game)
                if not game.over:
                    self.next_games.append(game)

        await asyncio.gather(*(play() for _ in range(self.games)))

    async def _round(self, game: BenchGame) -> None:
        """Answer all that is asked, and wait for what comes of it."""
        asked, game.waiting, game.told = game.waiting, {}, set()
        await asyncio.gather(*(self._write(game.seats[a], to, sets) for a, (to, sets) in asked.items()))
        await self._asked(game)
        self.rounds += 1
        self.answers += len(asked)

    async def _asked(self, game: BenchGame) -> None:
        """Wait until somebody is asked and all were written to, or no more letters come."""
        limit, news = time.monotonic() + PATIENCE_S, self.news[game.name]
        while not game.over and not (game.waiting and len(game.told) == self.players.size):
            news.clear()
            try:
                await asyncio.wait_for(news.wait(), QUIET_S if game.waiting else max(0.01, limit - time.monotonic()))
            except TimeoutError:
                if not game.waiting:
                    game.over = True
                    self.stuck.append(game.name)
                return
