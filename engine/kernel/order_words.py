"""Whether a name reads like an order, a command or a heading: then it must not be anybody's name."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from engine.kernel.catalogues import Words
from engine.kernel.keywords import COMMANDS, END, FOR, LUCK, ON, PASS, all_spellings
from engine.kernel.rules import HasForms
from engine.kernel.spelling import fold_tokens

Spelling = tuple[str, ...]


class _Opening(NamedTuple):
    """Words that begin a line. `is_complete`: they need no others."""

    words: Spelling
    is_complete: bool


_ALWAYS: Final = tuple(
    _Opening(spelt, True) for fixed in (*COMMANDS.values(), PASS, END) for spelt in all_spellings(fixed)
)


def find_order_words(name: str, games: Iterable[Any]) -> str:
    """Return the words of a name, from one of them on, that begin like an order, a command or a heading; "" if none do.

    Mail programs wrap what they quote, so any word may come to stand at the beginning of a line. A surname that is a
    keyword is no order: nothing follows it.  `games`: their rules.
    """
    words = fold_tokens(name)
    for start in range(len(words)):
        rest = words[start:]
        for opening in (*_ALWAYS, *(one for rules in games for one in _openings(rules))):
            length = len(opening.words)
            alone = len(rest) == length == 1 and start > 0
            if rest[:length] == opening.words and (opening.is_complete or not alone):
                return " ".join(rest)
    return ""


@cache
def _openings(rules: Any) -> tuple[_Opening, ...]:
    """Return how the orders and headings of a game begin."""
    forms = [form for every in rules.every_form.values() for form in every] if isinstance(rules, HasForms) else []
    plain = [form for form in forms if form.subject is None]
    found = [_Opening(spelt, all(s.optional for s in form.slots)) for form in plain for spelt in _spell(form.keyword)]
    for topic in rules.meta.topics:
        for spelt in _spell(topic.words):
            found.append(_Opening(spelt, False))
            found += [_Opening((*before, *spelt), True) for fixed in (FOR, ON) for before in all_spellings(fixed)]
    luck = [_Opening(spelt, False) for spelt in all_spellings(LUCK)]
    return tuple(dict.fromkeys((*found, *luck)))


def _spell(words: Words) -> Iterator[Spelling]:
    return (spelt for spelt in map(fold_tokens, words.all_forms()) if spelt)
