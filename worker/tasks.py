"""What a worker can be told to do: each is one service call, each may come twice, each takes one id at most."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

from pbem.service.base.services import Services
from pbem.service.channels import webhook_sender, webhooks
from pbem.service.mail import delivery, inbox, pictures
from pbem.service.resolver import beacon_draws
from pbem.service.tasks import bot_turns, inbound_handler, jobs, operator_page
from pbem.service.tasks import resolve_game as game_visit
from worker.schedule import TASK_INTERVALS_S

Task = Callable[[Services, str], None]


class OverdueJobGuard:
    """Sees to it that the clock is looked at in time, however many emails' tasks wait before the one that says so."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """`clock`: in seconds, and never set back."""
        self._clock = clock
        self._next = clock()

    def run_if_overdue(self, services: Services) -> None:
        """Look whether it was, once in a few seconds."""
        now = self._clock()
        if now >= self._next:
            self._next = now + TASK_INTERVALS_S["run_mail_jobs"]
            jobs.run_mail_jobs_if_overdue(services)


_PUNCTUAL: Final = OverdueJobGuard()


def process_inbound_emails(services: Services, _: str) -> None:
    """Read some of the emails that wait."""
    _PUNCTUAL.run_if_overdue(services)
    inbox.process_batch(services, inbound_handler, delivery)


def send_outbound_emails(services: Services, _: str) -> None:
    """Render and send what is due, for a while."""
    _PUNCTUAL.run_if_overdue(services)
    delivery.run_delivery_loop(services)


def resolve_game(services: Services, game: str) -> None:
    """Do whatever a game wants done, after those at which somebody waits for a receipt."""
    game_visit.run_by_urgency(services, game)


def run_operator_actions(services: Services, _: str) -> None:
    """Do what an operator asked for."""
    operator_page.execute_pending_actions(services)


def run_mail_jobs(services: Services, _: str) -> None:
    """Do the periodic work of the mailer."""
    jobs.run_mail_jobs(services)


def enqueue_due_games(services: Services, _: str) -> None:
    """Look at the clock."""
    jobs.enqueue_due_games(services)


def requeue_stuck_work(services: Services, _: str) -> None:
    """Find what was forgotten."""
    jobs.requeue_stuck_work(services)


def delete_expired_rows(services: Services, _: str) -> None:
    """Throw away what finished work has left."""
    jobs.delete_expired_rows(services)
    webhooks.delete_old_messages(services)
    pictures.delete_old_pictures(services)


def send_webhooks(services: Services, _: str) -> None:
    """Tell channels what there is to tell."""
    webhook_sender.send_in_background(services)


def fetch_beacon_rounds(services: Services, _: str) -> None:
    """Ask for the rounds of the beacon that gates wait for."""
    beacon_draws.fetch_rounds_in_background(services)


def play_bot_turns(services: Services, game: str) -> None:
    """Let the bots of a game answer what they owe."""
    bot_turns.play_turn(services, game)


def render_pictures(services: Services, _: str) -> None:
    """Draw one picture that an email waits for."""
    pictures.render_next_picture(services)


TASKS: Final[Mapping[str, Task]] = {
    "process_inbound_emails": process_inbound_emails,
    "send_outbound_emails": send_outbound_emails,
    "resolve_game": resolve_game,
    "run_operator_actions": run_operator_actions,
    "run_mail_jobs": run_mail_jobs,
    "enqueue_due_games": enqueue_due_games,
    "requeue_stuck_work": requeue_stuck_work,
    "delete_expired_rows": delete_expired_rows,
    "send_webhooks": send_webhooks,
    "render_picture": render_pictures,
    "fetch_beacon_rounds": fetch_beacon_rounds,
    "play_bot_turns": play_bot_turns,
}
