"""The tests; the smallest game is found here as a game in a package of its own would be."""

from pathlib import Path

from pbem.games import install_games
from pbem.narration.folders import add_folder

install_games()
add_folder(Path(__file__).parent / "toy" / "templates")
