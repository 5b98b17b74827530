"""Commands about letters."""

import click

from pbem.terminal import settings


@click.group()
def letters() -> None:
    """Look after the letters that this server sends."""


@letters.command("retry")
def letters_retry() -> None:
    """Send at once what the relay refused, instead of at its next time; for when the trouble is mended."""
    from pbem.app import services_of
    from pbem.broker import Waker
    from pbem.service.post.delivery import retry

    mended = settings()
    click.echo(f"{retry(services_of(mended, 'web', Waker(mended)))} letters are tried again.")
