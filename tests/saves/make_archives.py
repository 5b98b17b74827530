"""Write the archives that are missing: `python -m tests.saves.make_archives [NAME]`.

A game that is named is written again, which is right only until its version is published.
"""

import lzma
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import engine
from pbem.service.archive import files
from pbem.service.mail import assembly
from tests.archive.bots import play_on
from tests.archive.files import steady
from tests.service.server_fixtures import build, start_game

HERE = Path(__file__).parent / "archives"


def path_of(name: str) -> Path:
    """Return the path of the archive of a game; the digest that its last letter gave has the same name and `.root`."""
    return HERE / f"{name}.zip.xz"


def finished(folder: Path, name: str) -> tuple[bytes, str]:
    """A whole game by bots on a whole server: its file, and the digest of its last entry."""
    harness = steady(build(folder, installed=engine.GAMES))
    game = start_game(harness, name, 3)
    play_on(harness, game)
    with harness.web.db.snapshot() as session:
        digest = assembly.digest_of_entry(session, game, harness.load_game(game).entry)
    return files.export_game(harness.resolver, game), digest


def main(names: list[str]) -> None:
    """The files named, or all that are missing."""
    for name in engine.GAMES:
        path = path_of(name)
        if name not in names and path.exists():
            continue
        with TemporaryDirectory(prefix="pbem-ma-") as folder:
            blob, digest = finished(Path(folder), name)
        path.write_bytes(lzma.compress(blob, preset=9 | lzma.PRESET_EXTREME))
        path.with_suffix(".root").write_text(digest + "\n", encoding="ascii")
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
