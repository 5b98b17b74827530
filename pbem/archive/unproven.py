"""What a file says that nothing in it proves: it is named, so that a reader takes it for the server's word."""

from collections.abc import Iterator
from typing import Final

from pbem.archive.contents import WHOLE, Archive

CLAIM: Final = "unproven"


def describe(archive: Archive) -> Iterator[str]:
    """A line for each sort of thing that is not proven."""
    manifest = archive.manifest
    yield "the names of the table and its players, and when all happened, but for the order of the entries"
    yield f"the version of the rules that the table was begun with: {manifest.rules_version}"
    if manifest.state != "over":
        yield f"what happened after entry {manifest.entries}: in this file the game is not over"
    if manifest.holds != WHOLE:
        yield "everything that happened: a file shows that once the game is over"
    if others := _list_other_options(archive):
        yield f"options of the table: {', '.join(others)}"
    if archive.sealed is not None or archive.moving is not None:
        yield "what it holds for the server that the game moves to"
    notes = sum(1 for line in archive.press if line["kind"] == "diary")
    yield f"talk (messages: {len(archive.press) - notes})"
    yield f"diaries (entries: {notes})"
    yield f"audit (acts of masters: {len(archive.audit)})"


def _list_other_options(archive: Archive) -> list[str]:
    """The options that the deal does not depend on."""
    played = archive.snapshot(1).core.options if archive.snapshots else {}
    return [f"{name}={value}" for name, value in sorted(archive.manifest.options.items()) if name not in played]
