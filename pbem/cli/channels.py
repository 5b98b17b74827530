"""Commands about channels of chat services."""

import json
import sys

import click

from pbem.cli.terminal import load_settings


@click.group("channels")
def channels() -> None:
    """Manage the channels that tables write to."""


@channels.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per channel.")
def listed(as_json: bool) -> None:
    """List all channels and their state; exits with 1 if one is off or failing.  Addresses are not shown."""
    from pbem.app import build_services
    from pbem.service.channels.webhooks import load_health

    found = load_health(build_services(load_settings(), "mailer"))
    for row in found:
        click.echo(json.dumps(row) if as_json else "  ".join(str(value) for value in row.values()))
    if any(row["failures"] or row["state"] not in ("on", "stopped") for row in found):
        sys.exit(1)


@channels.command("commands")
def commands() -> None:
    """Print the slash commands as JSON, to be sent to Discord once (see deploy/README.md)."""
    from pbem.discord.commands import command_definition

    click.echo(json.dumps([command_definition()], ensure_ascii=False, indent=2))
