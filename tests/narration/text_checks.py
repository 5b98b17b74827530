"""What any game is told with: the kernel's own events in every case, and what must not be in a letter."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache

from engine.kernel import events as k
from engine.kernel.correction_events import CardMoved, PileShuffled, PlacesSwapped
from engine.kernel.events import Event
from engine.kernel.orders import Line, LineResult, Orders, Problem
from engine.kernel.secrets import Secret
from engine.kernel.viewers import PUBLIC, Seat

A, B, C, D, E, F, G = SEVEN = tuple(Seat(f"p{number}") for number in range(1, 8))
NAMES: Mapping[Seat, str] = dict(
    zip(SEVEN, ("Romain", "Édouard", "Roland", "Zoé", "Agathe", "Boris", "Clara"), strict=True)
)
LANGUAGES = ("fr", "en")


def alone(seat: Seat) -> frozenset[Seat]:
    """Told to one seat."""
    return frozenset({seat})


def kernel_samples(
    asks: str,
    line: Line,
    problem: Problem,
    orders: Orders,
    edits: Sequence[Event],
    ruling: tuple[str, str],
    endings: Sequence[str],
) -> Iterator[Event]:
    """What all games share: a line of this question, why it cannot stand, an answer ahead to the same one."""
    gate, clause = f"{asks}/3", line.plan[0]
    yield k.Defaulted(seat=A, gate=gate, topic=asks)
    for how in ("standing", "bot"):
        yield k.AnswerSubstituted(seat=A, gate=gate, topic=asks, how=how)
    told = alone(A)
    yield k.LineStarted(seat=A, gate=gate, line=0, attempt=1, clause=clause, visible_to=told)
    yield k.LineStarted(
        seat=A, gate=gate, line=1, attempt=2, clause=clause, passed=(problem,), otherwise=True, visible_to=told
    )
    yield k.LineFailed(seat=A, gate=gate, line=2, reasons=(problem, problem), attempted=line, visible_to=told)
    yield k.LineFailed(seat=A, gate=gate, line=2, reasons=(), visible_to=told)
    for lines in (1, 3):
        for again in (False, True):
            yield k.LinesDropped(seat=A, gate=gate, lines=lines, again=again, visible_to=told)
    yield from (k.QuestionRepeated(seat=A, gate=gate, line=0, lines=lines, visible_to=told) for lines in (0, 1, 3))
    yield k.Corrected(by="Roland", reason="27", edits=tuple(edits))
    yield k.ReadingAdopted(option=ruling[0], value=ruling[1])
    yield k.StatePatched(path=("turn",), old=1, new=2)
    yield k.RulingUndone(entry=12)
    yield from (
        k.Rewound(entry=12, last=last, seen=seen) for last in (13, 20) for seen in ((), ((13, A, 1), (14, B, 3)))
    )
    yield from (k.EntryReplayed(entry=12, rerolled=anew) for anew in ((), ("one",), ("one", "two")))
    yield from (PlacesSwapped(seat=one, other=two) for one, two in ((A, B), (B, A), (B, C)))
    points = {A: 800, B: 640, C: 640, D: -1}
    for reason in endings:
        yield k.Ended(reason=reason, ranking=((A,), (B, C), (D,)), points=points)
        yield k.Ended(reason=reason, ranking=((A,), (B,), (C,), (D,)), points=points)
        yield k.Ended(reason=reason, ranking=((A, B), (C,), (D,)), points={**points, B: 800})
    yield k.Ended(reason=endings[0], ranking=((A, B), (C,), (D,)), points={**points, B: 800}, is_won=False)
    yield k.Ended(reason=endings[0], ranking=((A,), (B, C, D)), points=points, is_won=False)
    yield from (k.Ended(reason=endings[0], ranking=((seat,),), points=points) for seat in (A, B))
    yield k.ReactionUsed(seat=A, topic=asks, orders=orders, visible_to=told)
    yield k.ReactionSkipped(seat=A, topic=asks, reason=problem, visible_to=told)
    yield k.ReactionExpired(seat=A, topic=asks, visible_to=told)
    yield k.AdvanceOrdersUsed(seat=A, gate=gate, topic=asks, visible_to=told)
    yield k.AdvanceOrdersRefused(
        seat=A, gate=gate, topic=asks, rulings=(LineResult(line), LineResult(line, problem)), visible_to=told
    )


def moved_samples(card: str) -> Iterator[Event]:
    """A card on every way that a ruling knows."""
    yield PileShuffled(before=(Secret(card), Secret(card)), after=(Secret(card), Secret(card)))
    place = Secret(0, frozenset({A}))
    for known in ((A,), (A, B, C, D, Seat(PUBLIC))):
        secret = Secret(card, frozenset(known))
        for source, target, seat, to in (
            ("deck", "hand", None, A),
            ("discard", "hand", None, A),
            ("hand", "deck", A, None),
            ("hand", "discard", A, None),
            ("hand", "hand", A, B),
            ("discard", "deck", None, None),
            ("deck", "hand", None, B),
            ("hand", "hand", B, C),
        ):
            for chance in (False, True):
                yield CardMoved(
                    card=secret, source=source, target=target, seat=seat, to=to, place=place, into=place, chance=chance
                )


FOREIGN = {
    "fr": frozenset(
        "the you your and with from card cards token tokens draws plays buys puts takes marker misery shortage nothing "
        "is are was were not this that which will would can cannot there here they them its their has have line by "
        "no yes one two of at to in for".split()
    ),
    "en": frozenset(
        "le la les vous votre vos et pour avec pion pions carte cartes joue achète pénurie excédent est sont des une "
        "un du sur au aux ne qui que ce cette ces ses son sa il elle dans par mécontentement tour ligne lignes".split()
    ),
}
"""Words that only the other language has; proper names hold none of them."""

_ID = re.compile(r"\b\w+_\w+\b|\bp[1-7]\b|\{\{|\}\}|\{%|\bNone\b|\bSecret\b|\bMask\b|\bdict\b|<[A-Za-z]")
_LOUD = re.compile(r"\b[A-ZÀÉÈ']{2,}\b")
"""Keywords of the order language, which letters print in capitals."""
_QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"")


def without_names(text: str, names: frozenset[str]) -> str:
    """A line without these names, whose words are of no one language; a text may begin or end inside a name."""
    if names:
        for pattern in _patterns(names):
            text = pattern.sub("X", text)
    return text


@cache
def _patterns(names: frozenset[str]) -> tuple[re.Pattern[str], ...]:
    """Whole names; the first words of one at the end of a line; the last words of one at the start of a line."""
    parted = [name.split() for name in sorted(names, key=len, reverse=True)]
    whole = "|".join(r"\s+".join(map(re.escape, words)) for words in parted)
    heads = "|".join(re.escape(" ".join(words[:at])) for words in parted for at in range(len(words) - 1, 0, -1))
    tails = "|".join(re.escape(" ".join(words[at:])) for words in parted for at in range(1, len(words)))
    return re.compile(whole), re.compile(f"(?<=[ “\u00a0])(?:{heads})$"), re.compile(f"^(?:{tails})")


def found_faults(text: str, language: str, ids: Set[str]) -> list[str]:
    """Whatever of it stands in a text; `ids` are those of the game that are no words."""
    found = _ID.findall(text)
    plain = _LOUD.sub(" ", _QUOTED.sub(" ", text))
    words = {word.lower() for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", plain)}
    found += sorted(words & FOREIGN[language])
    found += [w for w in words if w in ids and w in re.findall(r"[^\W\d_]+", plain)]
    if "  " in text:
        found.append("doubled space")
    return found
