"""The tests; the smallest game stands beside the games of the project as one of a package would."""

from pathlib import Path

from pbem.games import install
from pbem.narration.folders import add_folder

install()
add_folder(Path(__file__).parent / "toy" / "templates")
