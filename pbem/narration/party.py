"""Somebody as sentences speak of him, with the agreement that each language asks for."""

from dataclasses import dataclass

from engine.kernel.languages import Language
from pbem.narration.glossary import Name, elided


@dataclass(frozen=True)
class Party:
    """Somebody as a sentence speaks of him: the reader himself (`you`), or a power by its name.

    As text it is the subject. `obj` follows a verb or preposition; `v` chooses the verb; `own` says that
    something is his. `called`: the name in its forms, where it has any beside `name`; `player` follows each.
    """

    language: Language
    name: str
    you: bool
    called: Name | None = None
    player: str = ""

    def __str__(self) -> str:
        return {"fr": "vous", "en": "you"}[self.language] if self.you else self.name

    @property
    def obj(self) -> str:
        """After a verb or a preposition."""
        return str(self)

    @property
    def of(self) -> str:
        """French: "de Venezia", "du Saint-Empire", "d'Édouard", "de vous"; English: "of Venezia", "of you"."""
        if self.called is not None:
            return self.called.of + self.player
        return elided("de", str(self)) if self.language == "fr" else f"of {self}"

    @property
    def to(self) -> str:
        """French: "à Venezia", "au Saint-Empire", "à vous"; English: "to Venezia", "to you"."""
        if self.called is not None:
            return self.called.to + self.player
        return f"{ {'fr': 'à', 'en': 'to'}[self.language] } {self}"

    def v(self, you: str, other: str) -> str:
        """The word that agrees with him."""
        return you if self.you else other

    def own(self, thing: str, yours: str = "") -> str:
        """Something of his. French gives both ("le rang", "votre rang"), English the bare noun."""
        if self.language == "fr":
            return yours if self.you else f"{thing} {self.of}"
        if self.you:
            return f"your {thing}"
        return f"the {thing} of {self.name}" if self.name.endswith(")") else f"{self.name}'s {thing}"
