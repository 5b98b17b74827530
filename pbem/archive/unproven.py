"""What a file says that nothing in it proves: it is named, so that a reader takes it for the server's word."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from pbem.archive.contents import WHOLE, Archive

CLAIM: Final = "unproven"


def describe(archive: Archive) -> Iterator[str]:
    """A line for each sort of thing that is not proven."""
    manifest = archive.manifest
    yield "the names of the table and its players, and when all happened, but for the order of the entries"
    if manifest.state != "over":
        yield f"what happened after entry {manifest.entries}: in this file the game is not over"
    if manifest.holds != WHOLE:
        yield "everything that happened: a file shows that once the game is over"
    if others := _list_other_options(archive):
        yield f"options of the table: {', '.join(others)}"
    kinds = Counter("diary" if line["kind"] == "diary" else "talk" for line in archive.press)
    for kind, count in sorted(kinds.items()):
        yield f"{kind}: {count} {'entry' if count == 1 else 'entries'}"
    if archive.audit:
        yield f"audit: {len(archive.audit)} {'act' if len(archive.audit) == 1 else 'acts'} of masters"


def _list_other_options(archive: Archive) -> list[str]:
    """The options that the deal does not depend on."""
    played = archive.snapshot(1).core.options if archive.snapshots else {}
    return [f"{name}={value}" for name, value in sorted(archive.manifest.options.items()) if name not in played]
