"""Commands about channels of chat services, about letters, and about the operator's page."""

import json
import sys
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


@click.command("channels")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per channel.")
def list_channels(as_json: bool) -> None:
    """List the channels that tables write to, without addresses; exits with 1 if one is off or failing."""
    from pbem.app import build_services
    from pbem.service.channels.webhooks import load_health

    found = load_health(build_services(load_settings(), "mailer"))
    for row in found:
        click.echo(json.dumps(row) if as_json else "  ".join(str(value) for value in row.values()))
    if any(row["failures"] or row["state"] not in ("on", "stopped") for row in found):
        sys.exit(1)


@click.command("discord")
def print_discord_commands() -> None:
    """Print the slash commands as JSON, to be sent to Discord once (see deploy/README.md)."""
    from pbem.discord.commands import command_definition

    click.echo(json.dumps([command_definition()], ensure_ascii=False, indent=2))


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


@mail.command("sent")
@click.option("--game", default="", help="Only the letters of this game.")
@click.option("--stray", is_flag=True, help="Only those that have not arrived.")
@click.option("--most", default=50, show_default=True, type=click.IntRange(1, 10_000), help="How many.")
def mail_sent(game: str, stray: bool, most: int) -> None:
    """List the last letters and what became of each: handed over (sent), delayed, refused, given up, and why."""
    from pbem.app import build_services
    from pbem.service.mail.delivery_status import load_emails

    for row in load_emails(build_services(load_settings(), "web"), game, most, undelivered=stray):
        about = f"{row.game or '-'} {row.seat or '-'}  {row.kind}"
        click.echo(
            f"{datetime.fromtimestamp(row.at / 1000, UTC):%Y-%m-%d %H:%M} UTC  {about}  {row.state}  {row.reply}"
        )


@mail.command("flush")
def mail_flush() -> None:
    """Send at once what the relay refused, and once more the reports that came back; for when the trouble is mended."""
    from pbem.app import build_services
    from pbem.broker.task_queue import TaskQueue
    from pbem.service.mail.delivery_status import retry_all

    mended = load_settings()
    click.echo(f"{retry_all(build_services(mended, 'web', TaskQueue(mended)))} letters are tried again.")


@click.command("enrol")
@click.argument("address")
def enrol(address: str) -> None:
    """Give an operator a second factor: prints once what their authenticator takes in; the one before ends."""
    from pbem.app import build_services
    from pbem.common.addresses import InvalidAddress, parse_mail_address
    from pbem.service.access import operators
    from pbem.service.access.users import get_or_create_user

    found = load_settings()
    services = build_services(found, "resolver")
    try:
        known = parse_mail_address(address)
    except InvalidAddress:
        raise click.ClickException(f"“{address}” is no mail address.") from None
    if known not in found.operator_emails:
        raise click.ClickException(f"{known} is no operator: name it in PBEM_OPERATOR_EMAILS first.")
    with services.db.transaction() as session:
        uri = operators.enroll(services, session, get_or_create_user(services, session, known))
    click.echo(uri)
    click.echo("Take this address into an authenticator, as a QR code or by hand, and keep it nowhere else.", err=True)
    click.echo(f"Then sign in at {found.public_url}/sign-in and open {found.public_url}/operator.", err=True)
