"""The laws that every game keeps, as functions over its rules and one entry or one position.

Each raises `Broken`, which names the law.  They are used on whole games played by bots, by hypothesis on
games that it plays itself, and on deliberately leaking games, which they must catch.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from engine.kernel.bots import BotProfile, BotQuestion, Choose, Entry
from engine.kernel.codec import dump, load
from engine.kernel.events import Ended
from engine.kernel.grammar import Grammar, SectionKey, build_grammar, key_of
from engine.kernel.languages import LANGUAGES
from engine.kernel.orders import AskMe, Orders, Question
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.printing import heading, print_clause
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, advance, answer_key, empty_state, fold, set_up
from engine.kernel.secrets import Hidden, Mask, Sealed, Secret, redact, seen_by, truth
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import PUBLIC, Seat, Viewer

Kind = Callable[[Any], Hashable | None]
"""Which hidden values may stand for each other when a view is resampled; None: leave this one as it is."""

Alike = Callable[[str], str]
"""What a name is called in an order: names of the same sort are written alike."""


class Broken(AssertionError):
    """A law does not hold; `law` is its name."""

    def __init__(self, law: str, what: str) -> None:
        super().__init__(f"{law}: {what}")
        self.law = law


def demand(holds: bool, law: str, what: str) -> None:
    """Raise Broken unless `holds`."""
    if not holds:
        raise Broken(law, what)


@contextmanager
def failing_closed(law: str, what: str) -> Iterator[None]:
    """A reader who reaches for what they do not know breaks the law, rather than the test."""
    try:
        yield
    except Hidden as reached:
        raise Broken(law, f"{what}: reached for a value that its reader does not know") from reached


def viewers(position: Position[Any]) -> tuple[Viewer, ...]:
    """Every seat, and the public."""
    return (*position.core.seats, PUBLIC)


# --- the journal ---


@dataclass(frozen=True)
class Beginning:
    """What a game was started with."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    seed: bytes


def unplayed(rules: Rules[Any], beginning: Beginning) -> Position[Any]:
    """The position before the first entry."""
    options = rules.meta.chosen(beginning.options, len(beginning.seats))
    return empty_state(rules, beginning.seats, options, beginning.seed)


def again(rules: Rules[Any], beginning: Beginning, entry: Entry[Any]) -> Advance[Any]:
    """The entry, adjudicated once more."""
    if entry.before is None:
        return set_up(rules, unplayed(rules, beginning), entry.luck)
    return advance(rules, entry.before, entry.gate, entry.answers, entry.luck, defaulted=entry.defaulted)


def same_game(rules: Rules[Any], beginning: Beginning, entry: Entry[Any]) -> None:
    """Same seed and orders, same game: positions, facts and draws; and `advance` leaves its arguments alone."""
    before, given = dump(entry.before), dump(dict(entry.answers))
    second = again(rules, beginning, entry)
    demand(dump(entry.before) == before, "arguments", "advance changed the position that it was given")
    demand(dump(dict(entry.answers)) == given, "arguments", "advance changed the answers that it was given")
    demand(dump(second.position) == dump(entry.after.position), "same game", "another position")
    demand(dump(second.events) == dump(entry.after.events), "same game", "other facts")
    demand(second.draws == entry.after.draws, "same game", "other draws")


def folds(rules: Rules[Any], beginning: Beginning, entry: Entry[Any]) -> None:
    """The facts of an entry, folded over the position before it, are the position after it."""
    before = entry.before or unplayed(rules, beginning)
    folded = fold(rules, before, entry.after.events)
    demand(dump(folded) == dump(entry.after.position), "fold", f"{entry.gate}: something changed without a fact")


def journal_folds(rules: Rules[Any], beginning: Beginning, entries: Iterable[Entry[Any]], last: Position[Any]) -> None:
    """All facts of a game, folded over the blank position, are its last position."""
    events = [event for entry in entries for event in entry.after.events]
    folded = fold(rules, unplayed(rules, beginning), events)
    demand(dump(folded) == dump(last), "fold", "the whole journal makes another position")


def saves(entry: Entry[Any]) -> None:
    """Position, facts, draws and answers are read back as they were written, in the same words."""
    for thing in (entry.after.position, entry.after.events, entry.after.draws, dict(entry.answers)):
        text = dump(thing)
        demand(load(text) == thing, "codec", f"{type(thing).__name__} was read back otherwise")
        demand(dump(load(text)) == text, "codec", f"{type(thing).__name__} was written otherwise")


def sound(rules: Rules[Any], entry: Entry[Any]) -> None:
    """Nothing minted, nothing lost; and a game that is not over asks somebody, about topics that it knows."""
    position = entry.after.position
    with truth():
        found = rules.list_violations(position)
    demand(not found, "problems", f"after {entry.gate}: {found}")
    demand(position.core.over or position.core.is_waiting(), "awaited", "the game is not over, and nobody is asked")
    demand(not position.core.over or position.core.ending in rules.meta.endings, "ending", position.core.ending)
    for ended in (event for event in entry.after.events if isinstance(event, Ended)):
        demand(ended.result in ("", *rules.meta.results), "ending", f"{ended.result} is no result of this game")
    for decision in position.core.questions:
        demand(decision.topic in {t.key for t in rules.meta.topics}, "topics", f"{decision.topic} is not declared")


# --- what may be answered ---


def answerable(rules: Rules[Any], position: Position[Any]) -> None:
    """Every open question has a default that stands; every suggestion stands alone; likely values are accepted."""
    for decision in position.core.questions:
        seen, seat = redact(position, decision.seat), decision.seat
        with seen_by(seat), failing_closed("hidden", f"answering {decision.topic}"):
            default, lines = rules.default_orders(seen, decision), rules.suggest_orders(seen, decision)
            forms = rules.forms(seen, decision)
        rulings = check_orders(rules, seen, decision, default)
        demand(all_valid(rulings), "default", f"{decision.topic} of {seat}: {rulings}")
        for line in lines:
            rulings = check_orders(rules, seen, decision, (line,))
            demand(all_valid(rulings), "suggest", f"{decision.topic} of {seat}: {rulings}")
        worded = [form.order.__name__ for form in forms if any(slot.text for slot in form.slots)]
        demand(not (rules.meta.has_no_free_text and worded), "wordless", f"{decision.topic} of {seat}: {worded}")
        demand(bool(forms), "forms", f"{decision.topic} of {seat}: nothing can be written")


def written(rules: Rules[Any], entry: Entry[Any]) -> None:
    """Every order that was given is read by one of the question's forms, which makes it again."""
    if entry.before is None:
        return
    for decision in _answered(entry, entry.before):
        seen = redact(entry.before, decision.seat)
        with seen_by(decision.seat):
            forms = rules.forms(seen, decision)
        for order in _orders(entry.answers[answer_key(decision)]):
            if isinstance(order, AskMe):
                continue
            made = [form.make(values) for form in forms if (values := form.parse(order)) is not None]
            demand(order in made, "forms", f"no form of {decision.topic} writes {order}")


def _orders(orders: Orders) -> tuple[Any, ...]:
    return tuple(clause.order for line in orders for clause in (*line.plan, *line.fallback))


# --- what must not be told ---


def mapped(thing: Any, change: Callable[[Any], Any]) -> Any:
    """A copy in which `change` was applied to every Secret and Sealed, the inner ones first."""
    cls = thing.__class__
    if cls in (Secret, Sealed):
        return change(replace(thing, held=mapped(thing.held, change)))
    if cls in (tuple, list):
        return cls(mapped(t, change) for t in thing)
    if cls is dict:
        return {key: mapped(value, change) for key, value in thing.items()}
    if is_dataclass(thing) and not isinstance(thing, Enum | type):
        return cls(**{f.name: mapped(getattr(thing, f.name), change) for f in fields(thing)})
    return thing


def hidden(thing: Any, viewer: Viewer) -> tuple[Any, ...]:
    """Everything that lies in a Secret which `viewer` does not know, in the order of the fields."""
    found: list[Any] = []

    def collect(wrapped: Any) -> Any:
        if wrapped.__class__ is Secret and viewer not in wrapped.known_to and wrapped.held is not Mask.UNKNOWN:
            found.append(wrapped.held)
        return wrapped

    mapped(thing, collect)
    return tuple(found)


def by_type(value: Any) -> Hashable | None:
    """Hidden values of one type stand for each other; numbers are drawn afresh, containers are left to their parts."""
    return None if isinstance(value, tuple | dict | list | frozenset) else type(value).__name__


def resampled(position: Position[Any], viewer: Viewer, choose: Choose, kind: Kind = by_type) -> Position[Any]:
    """Another position that looks the same to `viewer`: hidden values trade places, numbers and seed are others.

    What is sealed is replaced by the empty set.  The result need not be a position that could arise: a viewer who
    does not know a value must not depend on it in any way.
    """
    pools: dict[Hashable, list[Any]] = {}
    for value in hidden(position, viewer):
        pools.setdefault(kind(value), []).append(value)
    for name, pool in pools.items():
        for last in range(len(pool) - 1, 0, -1):
            other = choose(f"swap/{name}/{last}", last + 1)
            pool[last], pool[other] = pool[other], pool[last]

    def change(wrapped: Any) -> Any:
        if wrapped.__class__ is Sealed:
            return Sealed(())
        if viewer in wrapped.known_to or wrapped.held is Mask.UNKNOWN or kind(wrapped.held) is None:
            return wrapped
        return Secret(_fresh(pools[kind(wrapped.held)].pop()), wrapped.known_to)

    resampled: Position[Any] = mapped(position, change)
    return resampled


def _fresh(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value[::-1] + b"!" if isinstance(value, bytes) else value


def untold(rules: Rules[Any], position: Position[Any], choose: Choose, kind: Kind = by_type) -> None:
    """Whatever a viewer does not know may change: their view, and all that they are offered or refused, do not."""
    for viewer in viewers(position):
        other = resampled(position, viewer, choose, kind)
        mine, theirs = redact(position, viewer), redact(other, viewer)
        demand(mine == theirs, "view", f"the redacted position of {viewer} tells a hidden value")
        with seen_by(viewer), failing_closed("view", f"presenting to {viewer}"):
            same = rules.present_view(mine, viewer) == rules.present_view(theirs, viewer)
            demand(same, "view", f"what {viewer} is shown tells a hidden value")
        if viewer != PUBLIC:
            _offers_alike(rules, Seat(viewer), (position, other, mine), choose)


def _offers_alike(rules: Rules[Any], seat: Seat, worlds: tuple[Position[Any], ...], choose: Choose) -> None:
    """`worlds`: positions that the seat cannot tell apart, the last redacted; all must offer and refuse alike."""
    with seen_by(seat), failing_closed("offers", f"{seat} looked ahead"):
        ahead = [redact(tuple(rules.advance_questions(world, seat)), seat) for world in worlds]
        demand(all(a == ahead[0] for a in ahead), "offers", f"what {seat} may answer ahead tells a hidden value")
        askable = [rules.facts(world, seat) for world in worlds]
        demand(all(a == askable[0] for a in askable), "offers", f"what {seat} may ask with IF tells")
    mine = tuple(d for d in worlds[-1].core.questions if d.seat == seat)
    for decision in (*mine, *ahead[-1]):
        with seen_by(seat), failing_closed("offers", f"{decision.topic} of {seat}"):
            for offer in (rules.forms, rules.suggest_orders, rules.default_orders):
                answers = [offer(world, decision) for world in worlds]
                demand(all(a == answers[0] for a in answers), "offers", f"{offer.__name__} of {decision.topic} tells")
        _refused_alike(rules, decision, worlds, choose)


def _refused_alike(rules: Rules[Any], decision: Question, worlds: tuple[Position[Any], ...], choose: Choose) -> None:
    """Probes by chance: the same refusals on the truth read by the seat, on another truth, and on its own copy."""
    question = BotQuestion(rules, worlds[-1], decision, choose, f"probe/{decision.gate}/{decision.seat}", BotProfile())
    with seen_by(decision.seat), failing_closed("refusals", f"{decision.topic} of {decision.seat}"):
        forms = rules.forms(worlds[-1], decision)
        lines = tuple(question.any_line(forms) for _ in range(4)) if forms else ()
        for clause in (c for line in lines for c in (*line.plan, *line.fallback)):
            found = [rules.refusal(world, decision, clause.order) for world in worlds]
            demand(all(f == found[0] for f in found), "refusals", f"whether {clause.order} is refused tells")
            for condition in clause.conditions:
                held = {rules.fact_holds(world, decision.seat, condition) for world in worlds}
                demand(len(held) == 1, "refusals", f"whether {condition} holds tells")
        if question.topic.lines:
            judged = [check_orders(rules, world, decision, lines) for world in worlds]
            demand(all(j == judged[0] for j in judged), "refusals", f"the rulings on {decision.topic} tell")


def words_in(thing: Any) -> frozenset[Any]:
    """Every text that can be read in a thing, names of fields and classes left out; nothing hidden is in a mask."""
    found: set[Any] = set()
    _gather(thing, found)
    return frozenset(found)


def _gather(thing: Any, found: set[Any]) -> None:
    if isinstance(thing, str) and not isinstance(thing, Enum):
        found.add(thing)
    elif isinstance(thing, Mapping):
        for key, value in thing.items():
            _gather(key, found)
            _gather(value, found)
    elif isinstance(thing, tuple | list | frozenset):
        for part in thing:
            _gather(part, found)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for f in fields(thing):
            _gather(getattr(thing, f.name), found)


def shown(rules: Rules[Any], position: Position[Any], viewer: Viewer) -> tuple[Any, Any]:
    """All that a viewer reads of a position: the redacted copy, and what the game presents of it."""
    seen = redact(position, viewer)
    with seen_by(viewer), failing_closed("view", f"presenting to {viewer}"):
        return seen, rules.present_view(seen, viewer)


def unnamed(rules: Rules[Any], entry: Entry[Any]) -> None:
    """What is hidden from a viewer, before an entry and after it, is named in nothing that they are told of it.

    Entries that shuffled are left out: a card shown, then shuffled back, was rightly named.  So are the words of
    the game's options, which are open and may be those of a card.
    """
    if any(isinstance(draw.result, tuple) for draw in entry.after.draws) and entry.before is not None:
        return
    for viewer in viewers(entry.after.position):
        secret = words_in(hidden(entry.after.position, viewer)) - words_in(entry.after.position.core.options)
        if entry.before is not None:
            secret -= words_in(shown(rules, entry.before, viewer))
        told = words_in((shown(rules, entry.after.position, viewer), redact(entry.after.events, viewer)))
        named = (secret & told) - own_words(entry, viewer)
        demand(not named, "named", f"{sorted(named)} told to {viewer}, who does not know where it lies")


def own_words(entry: Entry[Any], viewer: Viewer) -> frozenset[Any]:
    """What a viewer wrote themselves, now or in lines that still waited."""
    waiting = _waiting(entry.before) if entry.before is not None else ()
    mine = tuple(step.orders.held for step in waiting if step.seat == viewer)
    given = (orders for key, orders in entry.answers.items() if viewer == (key if isinstance(key, str) else key[1]))
    return words_in((tuple(given), mine))


def learnt(rules: Rules[Any], entry: Entry[Any]) -> None:
    """Whatever a viewer comes to know in an entry, a fact of that entry tells them."""
    if entry.before is None:
        return
    for viewer in viewers(entry.before):
        known = words_in(redact(entry.before, viewer))
        secret = words_in(hidden(entry.before, viewer)) - known
        told = words_in(redact(entry.after.events, viewer)) | own_words(entry, viewer)
        silently = (secret & words_in(redact(entry.after.position, viewer))) - told
        demand(not silently, "learnt", f"{viewer} knows {sorted(silently)}, and no fact told them")


def sealed(entry: Entry[Any]) -> None:
    """Lines that wait to be carried out are in nobody's view, and named in no fact told to others."""
    pending: list[tuple[Seat, str]] = []
    for step in _waiting(entry.after.position):
        pending += [(step.seat, dump(order)) for line in step.orders.held[step.line :] for order in _orders((line,))]
    for viewer in viewers(entry.after.position):
        view = dump(redact(entry.after.position, viewer))
        others = tuple(event for event in entry.after.events if getattr(event, "seat", None) != viewer)
        facts = dump(redact(others, viewer))
        for seat, order in pending:
            demand(order not in view, "sealed", f"the view of {viewer} holds a line of {seat} that still waits")
            demand(order not in facts, "sealed", f"{viewer} was told a line of {seat} that waits")


def _waiting(position: Position[Any]) -> Iterator[Any]:
    """Every step with lines that still wait: on the agenda, or on the board until its author's turn comes."""
    return _steps((position.core.agenda, position.board))


def _steps(thing: Any) -> Iterator[Any]:
    """Every step within a thing that carries sealed lines."""
    if isinstance(thing, Mapping):
        yield from _steps(tuple(thing.values()))
    elif isinstance(thing, tuple):
        for part in thing:
            yield from _steps(part)
    elif is_dataclass(thing) and not isinstance(thing, type):
        if isinstance(getattr(thing, "orders", None), Sealed):
            yield thing
            return
        yield from _steps(tuple(getattr(thing, f.name) for f in fields(thing)))


def by_itself(name: str) -> str:
    """Every name is written in its own way."""
    return name


def blind(rules: Rules[Any], entry: Entry[Any], choose: Choose, alike: Alike = by_itself) -> None:
    """What stays hidden from a viewer through an entry changes nothing of it for them.

    The names that they know neither before nor after trade places in the position before; the same answers
    must then tell them the same facts, leave them the same view, await the same seats in the same order, and
    draw under the same names.  Names that somebody wrote in an order stay, with all that are written alike: what is
    chosen may be seen.
    """
    if entry.before is None:
        return
    for viewer in viewers(entry.before):
        names = _tradable(entry, viewer, alike)
        if len(names) < 2:
            continue
        turn = 1 + choose(f"blind/{viewer}", len(names) - 1)
        traded = dict(zip(names, (*names[turn:], *names[:turn]), strict=True))
        _compare(entry, _second(rules, entry, _rename(entry.before, traded)), viewer)


def _second(rules: Rules[Any], entry: Entry[Any], before: Position[Any]) -> Advance[Any]:
    with failing_closed("blind", entry.gate):
        return advance(rules, before, entry.gate, entry.answers, entry.luck, defaulted=entry.defaulted)


def _tradable(entry: Entry[Any], viewer: Viewer, alike: Alike = by_itself) -> tuple[str, ...]:
    assert entry.before is not None
    waiting = tuple(step.orders.held for step in _waiting(entry.before))
    told = redact((entry.before, entry.after.position, *entry.after.events), viewer)
    said = {alike(word) for word in words_in((told, dict(entry.answers), waiting))}
    return tuple(sorted(word for word in words_in(hidden(entry.before, viewer)) if alike(word) not in said))


def _rename(position: Position[Any], traded: Mapping[str, str]) -> Position[Any]:
    def change(wrapped: Any) -> Any:
        return wrapped if wrapped.__class__ is Sealed else replace(wrapped, held=_renamed(wrapped.held, traded))

    renamed: Position[Any] = mapped(position, change)
    return renamed


def _renamed(held: Any, traded: Mapping[str, str]) -> Any:
    if isinstance(held, Enum):
        return held
    if isinstance(held, str):
        return traded.get(held, held)
    if isinstance(held, tuple):
        return tuple(_renamed(part, traded) for part in held)
    if is_dataclass(held) and not isinstance(held, type) and not isinstance(held, Secret):
        return replace(held, **{f.name: _renamed(getattr(held, f.name), traded) for f in fields(held) if f.init})
    return held


def _compare(entry: Entry[Any], second: Advance[Any], viewer: Viewer) -> None:
    first = entry.after
    awaited = [[(d.gate, d.seat, d.topic) for d in a.position.core.questions] for a in (first, second)]
    demand(awaited[0] == awaited[1], "awaited", f"after {entry.gate}, the seats asked tell {viewer} a hidden name")
    drawn = [[(d.name, d.sides) for d in a.draws] for a in (first, second)]
    demand(drawn[0] == drawn[1], "draws", f"in {entry.gate}, the names of the draws tell {viewer} a hidden name")
    facts = [dump(redact(a.events, viewer)) for a in (first, second)]
    demand(facts[0] == facts[1], "facts", f"the facts of {entry.gate} tell {viewer} a hidden name")
    views = [dump(redact(a.position, viewer)) for a in (first, second)]
    demand(views[0] == views[1], "view", f"the position after {entry.gate} tells {viewer} a hidden name")


# --- all of them ---


def every_law(
    rules: Rules[Any],
    beginning: Beginning,
    entry: Entry[Any],
    choose: Choose,
    kind: Kind = by_type,
    alike: Alike = by_itself,
) -> None:
    """All laws about one entry and the position that it leaves."""
    same_game(rules, beginning, entry)
    folds(rules, beginning, entry)
    saves(entry)
    sound(rules, entry)
    written(rules, entry)
    answerable(rules, entry.after.position)
    no_leak(rules, entry, choose, kind, alike)


def no_leak(
    rules: Rules[Any], entry: Entry[Any], choose: Choose, kind: Kind = by_type, alike: Alike = by_itself
) -> None:
    """The laws about what must not be told."""
    unnamed(rules, entry)
    learnt(rules, entry)
    sealed(entry)
    blind(rules, entry, choose, alike)
    untold(rules, entry.after.position, choose, kind)


# --- the order language ---


def printed_is_read(rules: Rules[Any], entry: Entry[Any]) -> None:
    """What was answered, printed in either language, is read back as what it was."""
    if entry.before is None:
        return
    for decision in _answered(entry, entry.before):
        for language in LANGUAGES:
            _printed_is_read(rules, entry.before, decision, entry.answers[answer_key(decision)], language)


def _answered(entry: Entry[Any], before: Position[Any]) -> Iterator[Question]:
    """The questions that an entry's answers are to."""
    return (d for d in before.core.gate(entry.gate) if answer_key(d) in entry.answers)


def apart(rules: Rules[Any], entry: Entry[Any]) -> None:
    """All that a seat answered at a gate can be written in one letter, and each answer is read for its own question."""
    if entry.before is None:
        return
    asked: dict[Seat, list[Question]] = {}
    for decision in _answered(entry, entry.before):
        asked.setdefault(decision.seat, []).append(decision)
    for seat, decisions in asked.items():
        seen = redact(entry.before, seat)
        with seen_by(seat):
            grammar = build_grammar(rules, seen, seat, "en")
        keys = [s.key for s in grammar.sections if s.open]
        demand(len(set(keys)) == len(keys), "apart", f"{seat} is asked two questions that read alike: {keys}")
        if len(decisions) > 1:
            _read_apart(rules, grammar, {key_of(rules.meta.topic(d.topic), d.gate): d for d in decisions}, entry)


def _read_apart(rules: Rules[Any], grammar: Grammar, asked: Mapping[SectionKey, Question], entry: Entry[Any]) -> None:
    sections = {s.key: s for s in grammar.sections if s.open and s.key in asked}
    given = {key: entry.answers[answer_key(decision)] for key, decision in asked.items()}
    for language in LANGUAGES:
        lines = [
            text
            for key, section in sections.items()
            for text in (heading(section, language), *print_clause(section.forms, given[key], language).split("\n"))
        ]
        found = parse_letter(lines, replace(grammar, language=language)).sets
        read = {key: found[key].orders for key in found}
        demand(read == given, "apart", f"{lines} are read as {read}")


def _printed_is_read(
    rules: Rules[Any], position: Position[Any], decision: Question, orders: Orders, language: str
) -> None:
    seen = redact(position, decision.seat)
    with seen_by(decision.seat):
        grammar = build_grammar(rules, seen, decision.seat, language)
    key = key_of(rules.meta.topic(decision.topic), decision.gate)
    section = next(s for s in grammar.sections if s.open and s.key == key)
    text = print_clause(section.forms, orders, language, grammar.facts)
    written = parse_letter(text.split("\n"), replace(grammar, sections=(section,))).sets.get(section.key)
    demand(written is not None, "language", f"nothing was read of {text!r}")
    assert written is not None
    wrong = [line.problem for line in written.lines if line.problem is not None]
    demand(not wrong, "language", f"{text!r} is not read: {wrong}")
    demand(tuple(line.line for line in written.lines) == orders, "language", f"{text!r} is read as something else")
