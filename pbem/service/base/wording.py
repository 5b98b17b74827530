"""The words that the server itself reads, out of the catalogues of `pbem/service/words`, and consent.

A wrong yes seats a person who does not want to play, and a wrong no gives their seat away.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.kernel.catalogues import load_catalogue
from engine.kernel.spelling import fold_tokens, tokens

WORDS: Final = load_catalogue("pbem.service")


def spellings(key: str) -> frozenset[str]:
    """Every spelling of a word in lower case, in all languages."""
    return frozenset(spelling.casefold() for spelling in WORDS(key).all_forms())


def spelling_regex(key: str) -> str:
    """A regular expression for any spelling of a word, in all languages."""
    return "|".join(re.escape(spelling) for spelling in sorted(WORDS(key).all_forms(), key=len, reverse=True))


_Phrase = tuple[str, ...]


def _phrases(key: str) -> tuple[_Phrase, ...]:
    """The spellings of a key in all languages, the longest first."""
    return tuple(sorted({fold_tokens(spelling) for spelling in WORDS(key).all_forms()}, key=len, reverse=True))


_YES: Final = _phrases("answers.take")
_NO: Final = _phrases("answers.refuse")
_HARMLESS: Final = _phrases("answers.no_refusal")
_UNWILLING: Final = _phrases("answers.unwilling")
_NEVER: Final = _phrases("answers.never")
_PLAIN: Final = 3
"""Words from which on a phrase says by itself what it means, wherever it stands in a line."""
_MOST_LINES: Final = 100


@dataclass(frozen=True)
class ConsentReply:
    """`accepts`: None where the email says neither or both.  `words`: what follows the word for yes.

    `opts_out`: they want no invitations at all.
    """

    accepts: bool | None
    words: str = ""
    opts_out: bool = False


def parse_consent(lines: Sequence[str]) -> ConsentReply:
    """Read an answer; never raises.  A line with a question mark agrees to nothing and refuses nothing."""
    said = [line.strip() for line in lines[:_MOST_LINES] if line.strip()]
    telling = [(number, line) for number, line in enumerate(said) if "?" not in line]
    yes = next(((number, after) for number, line in telling if (after := _strip_yes(line)) is not None), None)
    never = any(_is_opt_out(fold_tokens(line)) for _, line in telling)
    no = never or any(_is_refusal(fold_tokens(line)) for _, line in telling)
    if yes is None or no:
        return ConsentReply(False if no and yes is None else None, opts_out=never and yes is None)
    number, after = yes
    return ConsentReply(True, " ".join([after, *said[number + 1 :]]).strip(" :,.!"))


def _strip_yes(line: str) -> str | None:
    """What follows the word for yes at the beginning of a line; None where there is no such word."""
    text = tokens(line)
    length = _starts_with_phrase(text.words, _YES)
    return text.raw[text.ends[length - 1] :].strip(" :,.!") if length else None


def _is_refusal(words: _Phrase) -> bool:
    if _starts_with_phrase(words, _NO) and not _starts_with_phrase(words, _HARMLESS):
        return True
    return _contains_phrase(words, _UNWILLING)


def _is_opt_out(words: _Phrase) -> bool:
    """A short phrase must be the whole line: who writes "never mind" means something else."""
    return words in _NEVER or _contains_phrase(words, (phrase for phrase in _NEVER if len(phrase) >= _PLAIN))


def _contains_phrase(words: _Phrase, phrases: Iterable[_Phrase]) -> bool:
    return any(words[at : at + len(phrase)] == phrase for phrase in phrases for at in range(len(words)))


def _starts_with_phrase(words: _Phrase, phrases: Iterable[_Phrase]) -> int:
    """How many words of a line are the longest of these phrases; 0 if none begins it."""
    return next((len(phrase) for phrase in phrases if words[: len(phrase)] == phrase), 0)
