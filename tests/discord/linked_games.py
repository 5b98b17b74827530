"""A server whose tables are linked to a false Discord."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import update

from engine import GAMES
from pbem.discord.notify import Webhooks
from pbem.service.access import users
from pbem.service.channels import webhook_sender, webhooks
from pbem.store.models import DiscordAccount, QuestionRow, Webhook, WebhookMessage
from tests.archive.bots import play_on
from tests.discord.fake_discord import Fake
from tests.service.server_fixtures import ServerHarness, build, start_game


@dataclass
class Town:
    """A server, its false Discord, and one table."""

    harness: ServerHarness
    fake: Fake
    game: str = ""

    def user(self, address: str) -> int:
        """Somebody's number."""
        with self.harness.web.db.transaction() as session:
            return users.get_or_create_user(self.harness.web, session, address).id

    @property
    def host(self) -> int:
        """The host of the table."""
        return self.user("p1@games.test")

    def link(self, form: str = "discord", language: str = "en") -> str:
        """Link the table to a channel; and say hello there."""
        number = webhooks.add_webhook(self.harness.web, self.host, self.game, form, language, self.fake.address(form))
        self.announce()
        return number

    def account(self, address: str, outside: str) -> None:
        """Let somebody have an account at Discord."""
        with self.harness.web.db.transaction() as session:
            session.merge(
                DiscordAccount(
                    user_id=users.get_or_create_user(self.harness.web, session, address).id,
                    discord_id=outside,
                    name=address,
                    linked_at=0,
                )
            )

    def announce(self, times: int = 1, **span: float) -> None:
        """Let the worker look, after a while of which the clock knows."""
        for _ in range(times):
            self.harness.advance_time(**(span or {"seconds": 5}))
            webhook_sender.send_due(self.harness.mailer)
            self.harness.queued_tasks[:] = [one for one in self.harness.queued_tasks if one[0] != "send_webhooks"]

    def channel(self) -> Webhook:
        """The only channel."""
        return self.harness.load_rows(Webhook)[0]

    def bulletins(self, state: str = "") -> list[WebhookMessage]:
        """What was laid out."""
        rows = sorted(self.harness.load_rows(WebhookMessage), key=lambda row: row.id)
        return [row for row in rows if state in ("", row.state)]

    def restarted(self, **changes: Any) -> None:
        """Another worker takes over, with other points to die at."""
        self.harness.mailer = replace(self.harness.mailer, **changes)


def town(folder: Path, fake: Fake, title: str = "age_of_renaissance", players: int = 3, **more: Any) -> Town:
    """A running game of three; `stop=True`: the invitations are not answered yet."""
    harness = build(folder, installed=GAMES)
    game = start_game(harness, title, players, **more)  # first of all, for on a new server it is copied
    harness.mailer = replace(
        harness.mailer, webhook_port=Webhooks(harness.mailer.public_url, harness.mailer.clock, loopback=True)
    )
    harness.web = replace(harness.web, webhook_port=Webhooks(harness.web.public_url, harness.web.clock, loopback=True))
    fake.clock = lambda: harness.current_time.timestamp()
    return Town(harness, fake, game)


def due(at: Town, hours: int = 48) -> None:
    """Give whatever is asked now a deadline."""
    with at.harness.resolver.db.transaction() as session:
        session.execute(
            update(QuestionRow)
            .where(QuestionRow.is_blocking)
            .values(due_at=at.harness.mailer.now() + hours * 3_600_000)
        )


def step(at: Town) -> None:
    """Let the game go on by one entry; a phase opens."""
    play_on(at.harness, at.game, at.harness.load_game(at.game).entry + 1)
