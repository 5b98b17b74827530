"""Every word of the picture that is no name of the catalogue."""

from typing import Final

from engine.age_of_renaissance.wording import WORDS
from engine.kernel.drawing import Captions

say: Final = Captions(WORDS.section("picture"))
