"""People and powers as sentences speak of them, with the agreement that each language asks for."""

from dataclasses import dataclass

from engine.kernel.languages import Language
from pbem.narration.grammars import Name
from pbem.narration.typography import load_typography


@dataclass(frozen=True)
class Actor:
    """A person or power as a sentence speaks of them: the reader (`you`), or a power by its name.

    As text it is the subject. `object_form` follows a verb or preposition; `v` chooses the verb; `possessive` says that
    something is theirs. `display_name`: the name in its forms, where it has any beside `name`; `player` follows each.
    """

    language: Language
    name: str
    you: bool
    display_name: Name | None = None
    player: str = ""

    def __str__(self) -> str:
        return load_typography(self.language).you if self.you else self.name

    @property
    def object_form(self) -> str:
        """After a verb or a preposition."""
        return str(self)

    @property
    def of(self) -> str:
        """French: "de Venezia", "du Saint-Empire", "d'Édouard", "de vous"; English: "of Venezia", "of you"."""
        if self.display_name is not None:
            return self.display_name.of + self.player
        return load_typography(self.language).grammar.of(str(self))

    @property
    def to(self) -> str:
        """French: "à Venezia", "au Saint-Empire", "à vous"; English: "to Venezia", "to you"."""
        if self.display_name is not None:
            return self.display_name.to + self.player
        return load_typography(self.language).grammar.to(str(self))

    def v(self, you: str, other: str) -> str:
        """The word that agrees with them."""
        return you if self.you else other

    def possessive(self, thing: str, yours: str = "") -> str:
        """Something of theirs. French gives both ("le rang", "votre rang"), English the bare noun."""
        return load_typography(self.language).grammar.possessive(thing, yours, "" if self.you else self.name, self.of)
