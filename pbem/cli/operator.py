"""Commands about the operator's page."""

import click

from pbem.cli.terminal import load_settings


@click.group()
def operator() -> None:
    """Let operators in at their page."""


@operator.command("enrol")
@click.argument("address")
def enrol(address: str) -> None:
    """Give an operator a second factor: prints once what their authenticator takes in; the one before ends."""
    from pbem.app import build_services
    from pbem.common.addresses import InvalidAddress, parse_mail_address
    from pbem.service.access import operators
    from pbem.service.seats.tables import get_or_create_user

    found = load_settings()
    services = build_services(found, "resolver")
    try:
        known = parse_mail_address(address)
    except InvalidAddress:
        raise click.ClickException(f"“{address}” is no mail address.") from None
    if known not in found.operators:
        raise click.ClickException(f"{known} is no operator: name it in PBEM_OPERATORS first.")
    with services.db.transaction() as session:
        uri = operators.enroll(services, session, get_or_create_user(services, session, known))
    click.echo(uri)
    click.echo("Take this address into an authenticator, as a QR code or by hand, and keep it nowhere else.", err=True)
    click.echo(f"Then sign in at {found.public_url}/sign-in and open {found.public_url}/operator.", err=True)
