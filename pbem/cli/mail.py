"""Commands about letters."""

from collections import Counter
from datetime import UTC, datetime
from typing import Final

import click

from pbem.cli.terminal import load_settings

WHY: Final = {
    "unknown_token": "to an address that was never given, or has been forgotten",
    "to_unknown_address": "to an address that is none of ours",
    "to_table_address": "to the From address of a table, by a person who is not at it",
    "to_bounce_address": "to the address that only bounces come back to",
    "former_owner": "to the address of a person who no longer has that seat",
    "repeated": "the same letter once more",
    "flooding": "too many letters within the hour",
    "limit": "beyond the hour's letters, and no orders in it that stand",
    "machine": "an answering machine by its words, and no orders in it that stand",
    "bounce": "a letter of ours that came back",
    "seal": "to a table, or from a person, whose rows in the database do not fit their seal",
    "loop": "a letter of ours that came in again",
}


@click.group()
def mail() -> None:
    """Look after the letters that this server sends."""


@mail.command("unanswered")
@click.option("--days", default=7, show_default=True, type=click.IntRange(1, 365), help="How far back to look.")
def mail_unanswered(days: int) -> None:
    """List the letters of the last days that got no answer, and why: no words and no addresses are kept of them."""
    from pbem.app import build_services
    from pbem.service.tasks.health import list_unanswered

    found = list_unanswered(build_services(load_settings(), "web"), days)
    for when, why in found:
        click.echo(f"{datetime.fromtimestamp(when / 1000, UTC):%Y-%m-%d %H:%M} UTC  {why}")
    for why, count in sorted(Counter(why for _, why in found).items()):
        click.echo(f"{count} x {why}: {WHY.get(why, 'an automatic letter')}")
    if not found:
        click.echo("Every letter was answered.")


@mail.command("flush")
def mail_flush() -> None:
    """Send at once what the relay refused, instead of at its next time; for when the trouble is mended."""
    from pbem.app import build_services
    from pbem.broker.task_queue import TaskQueue
    from pbem.service.mail.outbox import retry_all

    mended = load_settings()
    click.echo(f"{retry_all(build_services(mended, 'web', TaskQueue(mended)))} letters are tried again.")
