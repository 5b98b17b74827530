"""Commands about the operator's page."""

import click

from pbem.terminal import settings


@click.group()
def operator() -> None:
    """Let operators in at their page."""


@operator.command("enrol")
@click.argument("address")
def enrol(address: str) -> None:
    """Give an operator a second factor: prints once what their authenticator takes in; the one before ends."""
    from pbem.addresses import NotAnAddress, mail_address
    from pbem.app import services_of
    from pbem.service.access import operators
    from pbem.service.seats.tables import user_of

    found = settings()
    services = services_of(found, "play")
    try:
        known = mail_address(address)
    except NotAnAddress:
        raise click.ClickException(f"“{address}” is no mail address.") from None
    if known not in found.operators:
        raise click.ClickException(f"{known} is no operator: name it in PBEM_OPERATORS first.")
    with services.db.writing() as session:
        uri = operators.enrol(services, session, user_of(services, session, known))
    click.echo(uri)
    click.echo("Take this address into an authenticator, as a QR code or by hand, and keep it nowhere else.", err=True)
    click.echo(f"Then sign in at {found.public_url}/sign-in and open {found.public_url}/operator.", err=True)
