"""Catalogues: words by language and key."""

import pytest

from engine.kernel.catalogues import Catalogue, Words, load_catalogue
from engine.kernel.languages import DEFAULT, LANGUAGES, fallback_chain, find_language, language_for

PACKAGES = ("engine.kernel", "engine.age_of_renaissance", "engine.renaissance", "pbem.service")
OWN = {"denials.around", "denials.before", "denials.behind"}
"""What one language needs and another does not."""


@pytest.mark.parametrize("package", PACKAGES)
def test_every_language_has_words_for_every_key(package: str) -> None:
    """The catalogues of a package have the same keys in all languages, but for what only one of them needs."""
    words = load_catalogue(package)
    keys = {language: words.keys(language) - OWN for language in LANGUAGES}
    assert len(set(keys.values())) == 1, {tag: sorted(keys[DEFAULT] ^ keys[tag]) for tag in LANGUAGES}


def test_a_tag_finds_its_language_or_the_default() -> None:
    """A tag of any region or writing means its language; what nobody registered is told in the default."""
    assert [find_language(tag) for tag in ("fr", "fr-CA", "FR-latn-ca", "de")] == ["fr", "fr", "fr", ""]
    assert [language_for(tag) for tag in ("fr-CA", "de", "")] == ["fr", DEFAULT, DEFAULT]
    assert fallback_chain("fr-CA")[:2] == ("fr", DEFAULT)


def test_words_fall_back_where_a_language_has_none() -> None:
    """A word that a language lacks is read in the first of its fallbacks that has it."""
    both = Words((("fr", ("ROI", "REINE")), ("en", ("KING",))))
    assert (both.printed("fr-CA"), both.printed("de"), both.all_forms()) == ("ROI", "KING", ("ROI", "REINE", "KING"))
    assert Words((("fr", ("ROI",)),)).printed("en") == "ROI"


def test_a_key_that_no_language_has_is_refused() -> None:
    """What has no words at all is found out when the program starts, not by a reader."""
    words = Catalogue("engine.kernel")
    with pytest.raises(KeyError, match=r"engine\.kernel has no words for 'keywords\.nothing'"):
        words("keywords.nothing")
    with pytest.raises(KeyError, match="no section 'nothing'"):
        words.section("nothing")
