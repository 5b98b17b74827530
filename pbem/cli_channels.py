"""Commands about channels of chat services."""

import json
import sys

import click

from pbem.terminal import settings


@click.group("channels")
def channels() -> None:
    """Channels that tables write to, and what Discord must be told once."""


@channels.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a channel.")
def listed(as_json: bool) -> None:
    """All channels and how they are; ends with 1 if one is off or failing.  No address is shown."""
    from pbem.app import office_of
    from pbem.service.channels.webhook_sender import health

    found = health(office_of(settings(), "post"))
    for row in found:
        click.echo(json.dumps(row) if as_json else "  ".join(str(value) for value in row.values()))
    if any(row["failures"] or row["state"] not in ("on", "stopped") for row in found):
        sys.exit(1)


@channels.command("commands")
def commands() -> None:
    """The slash commands as JSON, to be sent to Discord once (see the runbook)."""
    from pbem.discord.commands import definition

    click.echo(json.dumps([definition()], ensure_ascii=False, indent=2))
