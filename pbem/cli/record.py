"""Commands about games as files, and about telling running games again."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from pbem.cli.terminal import load_settings_in
from pbem.common.cpu_budget import limit_memory
from pbem.common.text import to_one_line

MAX_CHARACTERS = 600
"""How much of a sentence is printed."""

_STATE = click.option("--state", type=click.Path(path_type=Path), help="The folder of a server, such as the demo's.")
_FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))


@click.command("replay")
@click.option("--finished", is_flag=True, help="Replay the games that are over, too.")
@click.option(
    "--last", is_flag=True, help="Only the last entry of each game, finished ones too: whether its keys open it."
)
@_STATE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
def replay(finished: bool, last: bool, state: Path | None, as_json: bool) -> None:
    """Replay all running games, changing nothing, and list entries that this version would tell differently.

    Exits with 3 if anything is told differently; `pbem archive verify` says it of a game in a file.
    """
    from dataclasses import asdict

    from pbem.app import build_services
    from pbem.service.tasks.replay import count_games, replay_games, replay_last_entries

    services, different = build_services(load_settings_in(state, "resolver"), "resolver"), False
    last_entries = list(replay_last_entries(services)) if last else None
    number = count_games(services, finished=finished) if last_entries is None else len(last_entries)
    for place, found in enumerate(
        replay_games(services, finished=finished) if last_entries is None else last_entries, 1
    ):
        different = different or bool(found.differences)
        if as_json:
            click.echo(json.dumps(asdict(found)))
            continue
        told = f"{len(found.differences)} told differently" if found.differences else "all told the same"
        game, title, rules, played = map(_to_plain, (found.game, found.title, found.rules, found.played))
        head = f"{place}/{number}  {game}  {title}  {rules} {played} -> {found.installed}"
        entries = "the last entry" if last else f"{found.entries} entries"
        click.echo(f"{head}: {entries}, {told}")
        for sentence in found.differences:
            click.echo(f"  {_to_plain(sentence)}")
    if different:
        sys.exit(3)


@click.group()
def archive() -> None:
    """Write, check and open games as files."""


@archive.command("export")
@click.argument("game_id", metavar="GAME")
@click.option("-o", "--output", "out", type=click.Path(path_type=Path, dir_okay=False), required=True)
@click.option("--seat", default="", help="Of a running game, add what this seat was told.")
@_STATE
def archive_export(game_id: str, out: Path, seat: str, state: Path | None) -> None:
    """Write a game to a file: all of it once it is over, before that its public part."""
    from pbem.app import build_services
    from pbem.service.archive.files import export_game

    _write(out, export_game(build_services(load_settings_in(state, "resolver"), "resolver"), game_id, seat))


def _write(out: Path, blob: bytes) -> None:
    from pbem.ops.privileges import as_caller

    try:
        with as_caller():
            out.write_bytes(blob)
    except OSError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{out}: {len(blob)} bytes.")


@click.group()
def transfer() -> None:
    """Move running games to another server."""


@transfer.command("export")
@click.argument("game_id", metavar="GAME")
@click.argument("key", metavar="KEY")
@click.option("-o", "--output", "out", type=click.Path(path_type=Path, dir_okay=False), required=True)
@_STATE
def transfer_export(game_id: str, key: str, out: Path, state: Path | None) -> None:
    """Write a running game to a new file, sealed for the server whose `pbem transfer key` is KEY.

    The game then goes on there (`pbem archive import`), and no longer here.
    """
    from pbem.app import build_services
    from pbem.service.archive.transfer import export

    if out.exists():
        raise click.ClickException(f"{out} exists already; a game is handed over into a new file.")
    _write(out, export(build_services(load_settings_in(state, "resolver"), "resolver"), game_id, key))
    click.echo(f"The game is closed here. Only if the file is lost unused: pbem transfer cancel {game_id}")


@transfer.command("key")
@_STATE
def transfer_key(state: Path | None) -> None:
    """Print the key of this server, for which others seal a game that moves here; it is not secret."""
    from pbem.app import build_services
    from pbem.service.archive.transfer import load_own_key

    click.echo(load_own_key(build_services(load_settings_in(state, "resolver"), "resolver")))


@transfer.command("cancel")
@click.argument("game_id", metavar="GAME")
@click.confirmation_option(prompt="Are you certain that this game does not go on at another server?")
@_STATE
def transfer_cancel(game_id: str, state: Path | None) -> None:
    """Play a game here again that was handed over and never taken up."""
    from pbem.app import build_services
    from pbem.service.archive.transfer import cancel

    cancel(build_services(load_settings_in(state, "resolver"), "resolver"), game_id)
    click.echo("The game runs here again; every player is told where to answer.")


@archive.command("import")
@_FILE
@click.option(
    "--host", default="", metavar="ADDRESS", help="The address of the person for whom a finished game is opened."
)
@click.option(
    "--from",
    "by",
    default="",
    metavar="KEY",
    help="The key of the server that must have sealed a game that moves here.",
)
@_STATE
def archive_import(file: Path, host: str, by: str, state: Path | None) -> None:
    """Open a file on this server: a finished game to look at, or a game handed over to go on here."""
    from pbem.app import build_services
    from pbem.service.archive.files import ArchiveError
    from pbem.service.archive.transfer import import_game

    blob = _read(file)
    services = build_services(load_settings_in(state, "resolver"), "resolver")
    try:
        with limit_memory():
            found = import_game(services, blob, host, by)
    except ArchiveError as error:
        raise click.ClickException(_to_plain(str(error))) from None  # its words may be those of the file
    click.echo(f"Game {found.game} is {found.state} here.")
    if found.by and not by:
        click.echo(f"It was sealed by the server {found.by}; nothing here proves whose that is (--from KEY would).")


@archive.command("verify")
@_FILE
@click.option("--root", default="", metavar="DIGEST", help="The digest from the last letter of the game.")
@click.option("--receipt", "receipts", multiple=True, metavar="FILE_OR_TEXT", help="A letter with receipts, or one.")
@click.option(
    "--keys",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The server's public keys, as its page /keys has them.",
)
@_STATE
@click.option("--json", "as_json", is_flag=True)
def archive_verify(
    file: Path, root: str, receipts: tuple[str, ...], keys: Path | None, state: Path | None, as_json: bool
) -> None:
    """Check what a file proves, claim by claim.  Exits with 0 (all hold), 1 (not) or 3 (only under older rules).

    It needs no server and no key; with --state, the digest is taken from the journal there.  With --receipt, several
    times if you like, it says of each receipt whether its orders were counted, superseded, withdrawn, or are unknown.
    """
    from pbem.archive.verify import verify
    from pbem.games import install_games

    install_games()
    blob = _read(file)
    found = [receipt for given in receipts for receipt in _read_receipts(given)]
    with limit_memory():
        verdict = verify(blob, root or _root_at(state, blob), None, found, _public_keys(keys))
    for finding in verdict.claims:
        if as_json:
            click.echo(
                json.dumps(
                    {
                        "claim": finding.claim,
                        "holds": finding.holds,
                        "note": finding.note,
                        "faults": finding.faults,
                        "listed": finding.listed,
                    }
                )
            )
        else:
            click.echo(_claim_line(finding))
    sys.exit(verdict.code)


def _read(file: Path) -> bytes:
    """The bytes of a file, no more than one too many of what an archive may have; raises ClickException."""
    from pbem.archive.container import MAX_BYTES

    try:
        with file.open("rb") as open_file:
            return open_file.read(MAX_BYTES + 1)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read ({type(error).__name__}).") from None


def _names_a_file(given: str) -> bool:
    """Return True if there is such a file; a receipt on one line is longer than a name can be."""
    try:
        return "\n" not in given and Path(given).is_file()
    except (OSError, ValueError):
        return False


def _read_receipts(given: str) -> list[Any]:
    """The receipts in a letter, a file or the text itself; raises ClickException where there is none."""
    from email import message_from_bytes, policy

    from pbem.crypto.receipts import parse_deals, parse_receipts, parse_rounds

    text = given
    if _names_a_file(given):
        blob = _read(Path(given))
        body = message_from_bytes(blob, policy=policy.default).get_body(("plain",))
        text = "\n".join((blob.decode("utf-8", "replace"), body.get_content() if body is not None else ""))
    both: list[Any] = [*parse_receipts(text), *parse_deals(text), *parse_rounds(text)]
    found = {receipt.signed: receipt for receipt in both}
    if not found:
        raise click.ClickException(
            "No receipt was found; it begins with `pbem receipt 1:`, `pbem deal 1:` or `pbem round 1:`."
        )
    return list(found.values())


def _public_keys(file: Path | None) -> Any:
    """The keys of a server, a role and a key in hex on each line; raises ClickException."""
    from pbem.crypto import VerifyKeys

    if file is None:
        return None
    try:
        return VerifyKeys.from_text(_read(file).decode())
    except ValueError:
        raise click.ClickException(
            f"{file} does not hold the keys of a server, a role and a key on each line."
        ) from None


def _root_at(state: Path | None, blob: bytes) -> str:
    """The digest of the last entry that a server has of the file's game; empty where none is asked."""
    if state is None:
        return ""
    from pbem.app import build_services
    from pbem.archive.container import NotAnArchive
    from pbem.archive.contents import parse
    from pbem.service.archive.files import head_digest

    try:
        return head_digest(build_services(load_settings_in(state, "web"), "web"), parse(blob).manifest)
    except NotAnArchive:
        return ""


def _claim_line(finding: Any) -> str:
    """A claim in a line, then what speaks against it, and all that is only listed, a line each."""
    from pbem.archive import unproven

    outcome = "holds" if not finding.faults else "told differently" if finding.holds else "DOES NOT HOLD"
    outcome = "listed" if finding.claim == unproven.CLAIM and not finding.faults else outcome
    shown = [f"  {_to_plain(fault)}" for fault in finding.faults[:20]]
    more = [f"  and {len(finding.faults) - 20} more"] if len(finding.faults) > 20 else []
    listed = [f"  {_to_plain(line)}" for line in finding.listed]
    return "\n".join((f"{finding.claim + ':':14}{outcome}; {_to_plain(finding.note)}", *shown, *more, *listed))


def _to_plain(sentence: str) -> str:
    """A sentence that may hold words of the file: no signs that a terminal obeys, and not without end."""
    return to_one_line(sentence, MAX_CHARACTERS)
