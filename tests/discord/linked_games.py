"""A server whose tables are linked to a false Discord."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import update

from engine import GAMES
from pbem.discord.notify import Webhooks
from pbem.service.channels import webhook_sender, webhooks
from pbem.service.seats import tables
from pbem.store.models import DiscordAccount, QuestionRow, Webhook, WebhookMessage
from tests.archive.bots import play_on
from tests.discord.fake_discord import Fake
from tests.service.server_fixtures import Hall, build, seated


@dataclass
class Town:
    """A hall, its false Discord, and one table."""

    hall: Hall
    fake: Fake
    game: str = ""

    def user(self, address: str) -> int:
        """Somebody's number."""
        with self.hall.web.db.transaction() as session:
            return tables.get_or_create_user(self.hall.web, session, address).id

    @property
    def host(self) -> int:
        """The host of the table."""
        return self.user("p1@games.test")

    def link(self, form: str = "discord", language: str = "en") -> str:
        """Link the table to a channel; and say hello there."""
        number = webhooks.add_webhook(self.hall.web, self.host, self.game, form, language, self.fake.address(form))
        self.announce()
        return number

    def account(self, address: str, outside: str) -> None:
        """Let somebody have an account at Discord."""
        with self.hall.web.db.transaction() as session:
            session.merge(
                DiscordAccount(
                    user_id=tables.get_or_create_user(self.hall.web, session, address).id,
                    discord_id=outside,
                    name=address,
                    linked_at=0,
                )
            )

    def announce(self, times: int = 1, **span: float) -> None:
        """Let the worker look, after a while of which the clock knows."""
        for _ in range(times):
            self.hall.pass_time(**(span or {"seconds": 5}))
            webhook_sender.send_due(self.hall.post)
            self.hall.woken[:] = [one for one in self.hall.woken if one[0] != "send_webhooks"]

    def channel(self) -> Webhook:
        """The only channel."""
        return self.hall.rows(Webhook)[0]

    def bulletins(self, state: str = "") -> list[WebhookMessage]:
        """What was laid out."""
        rows = sorted(self.hall.rows(WebhookMessage), key=lambda row: row.id)
        return [row for row in rows if state in ("", row.state)]

    def restarted(self, **changes: Any) -> None:
        """Another worker takes over, with other points to die at."""
        self.hall.post = replace(self.hall.post, **changes)


def town(folder: Path, fake: Fake, title: str = "age_of_renaissance", players: int = 3, **more: Any) -> Town:
    """A running game of three; `stop=True`: the invitations are not answered yet."""
    hall = build(folder, installed=GAMES)
    hall.post = replace(hall.post, webhook_port=Webhooks(hall.post.public_url, hall.post.clock, loopback=True))
    hall.web = replace(hall.web, webhook_port=Webhooks(hall.web.public_url, hall.web.clock, loopback=True))
    fake.clock = lambda: hall.moment.timestamp()
    return Town(hall, fake, seated(hall, title, players, **more))


def due(at: Town, hours: int = 48) -> None:
    """Give whatever is asked now a deadline."""
    with at.hall.play.db.transaction() as session:
        session.execute(
            update(QuestionRow).where(QuestionRow.is_blocking).values(due_at=at.hall.post.now() + hours * 3_600_000)
        )


def step(at: Town) -> None:
    """Let the game go on by one entry; a phase opens."""
    play_on(at.hall, at.game, at.hall.game(at.game).entry + 1)
