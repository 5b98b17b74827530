"""Names with the grammar that a sentence needs: articles, "du" and "de l'", "en Islande", "in the East Indies".

A name stands in `names/<language>/<game>.toml` as `article Name; gender and number; preposition`; everything else
follows from that by the rules of the language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine import GAMES
from engine.kernel.languages import LANGUAGES, Language, fallback_chain
from pbem.narration.folders import find_path, load_table
from pbem.narration.grammars import Name
from pbem.narration.typography import load_typography


class MissingName(Exception):
    """A thing has no name in a language; the text tells which."""


@dataclass(frozen=True)
class Glossary:
    """All names of one game in one language, by kind and id."""

    game: str
    language: Language
    names: Mapping[str, Mapping[str, Name]]

    def name(self, kind: str, thing: str) -> Name:
        """The name of a thing; raises MissingName."""
        try:
            return self.names[kind][thing]
        except KeyError:
            raise MissingName(
                f"{thing!r} has no name: write one under [{kind}] in names/{self.language}/{self.game}.toml"
            ) from None

    def join_phrases(self, parts: Sequence[str]) -> str:
        """Several things in one phrase: "A, B et C", "A, B and C"."""
        return (
            load_typography(self.language).last.join([", ".join(parts[:-1]), parts[-1]])
            if len(parts) > 1
            else "".join(parts)
        )

    def count(self, number: int, one: str, many: str = "") -> str:
        """A number with its noun: "0 ducat" in French, "0 ducats" in English, "−2 ducats" in both."""
        single = load_typography(self.language).single(number)
        return f"{number} {one if single else many or one + 's'}".replace("-", "−", 1 if number < 0 else 0)


@cache
def load_glossary(game: str, language: Language) -> Glossary:
    """The names of a game in a language; raises MissingName when the language is not one of ours.

    Topics that are not named there are called as letters head them, and phases as topics.
    """
    if language not in LANGUAGES:
        raise MissingName(f"there are no names in the language {language!r}")
    made: dict[str, dict[str, Name]] = {}
    for tag in reversed(fallback_chain(language)):
        for kind, rows in load_table(f"names/{tag}/{game}.toml").items():
            made.setdefault(kind, {}).update({thing: _make_name(tag, written) for thing, written in rows.items()})
    if game in GAMES:  # a letter may be about none
        topics = GAMES[game].meta.topics
        made.setdefault("topic", {t.key: _make_name(language, t.words.printed(language).lower()) for t in topics})
        made.setdefault("phase", made["topic"])
    return Glossary(game, language, made)


@cache
def load_effects(game: str, language: Language) -> Mapping[str, Mapping[str, str]]:
    """What things of a game do, a sentence each, by kind and id; empty for a game that tells nothing of it."""
    return load_table(find_path("effects", language, f"{game}.toml"))


def _make_name(language: Language, written: str | Mapping[str, str]) -> Name:
    forms = load_typography(language).grammar
    if isinstance(written, str):
        return forms.name(written)
    return forms.name(written["text"], written.get("bare", ""))
