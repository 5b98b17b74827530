"""Events, problems and questions into sentences: for one viewer, in one language, from what they may know.

One macro per event, per problem code, per topic, in `narration/<language>/{kernel,<game>}.j2`.  What a macro gets
is redacted first; a name that is missing is an error, never a blank.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Macro

from engine.kernel import correction_events, corrections
from engine.kernel.catalogues import Words
from engine.kernel.charts import HasStatistics, Numbers
from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.narration_hooks import NarrationHooks
from engine.kernel.orders import Problem, Question
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.secrets import Secret, redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from pbem.narration.actors import Actor
from pbem.narration.folders import find_path, has_template, template_folders
from pbem.narration.game_texts import GameTexts, load_game_texts
from pbem.narration.glossary import Glossary, load_effects, load_glossary
from pbem.narration.grammars import Name, with_elision
from pbem.narration.macros import KERNEL_PROBLEMS, REPORT, narrated_events
from pbem.narration.template_environment import Templates
from pbem.narration.text_cleanup import fix_spaces, in_parentheses, join_lines, minus, tidy
from pbem.narration.typography import load_typography

Printer = Callable[[object, str], str]
"""Orders, lines and conditions as text in the reader's language, given the topic that they belong to."""


class MissingTemplate(Exception):
    """A template is missing a macro; the text names it."""


@dataclass
class Context:
    """For whom is told, on which (redacted) position, how the players are called, and who prints orders.

    `met`: the powers named so far: the first mention of a power adds its player's name.
    """

    viewer: Viewer
    position: Position[Any]
    names: Mapping[Seat, str] = field(default_factory=dict)
    printer: Printer | None = None
    met: set[Seat] = field(default_factory=set)


_now: ContextVar["tuple[Narrator, Context]"] = ContextVar("telling")


class Narrator:
    """Tells one game in one language. Made once; raises MissingTemplate if its templates lack a macro."""

    def __init__(self, game: str, language: Language) -> None:
        self.game, self.language = game, language
        self.glossary: Glossary = load_glossary(game, language)
        self.teller: GameTexts = load_game_texts(game)
        self._macros = _load_templates(game, language, self.teller.telling)
        missing = [name for name in self.required() if name not in self._macros]
        if missing:
            raise MissingTemplate(f"narration/{language}/{game}.j2 has no macro {', '.join(missing)}")

    def required(self) -> Iterator[str]:
        """The macros that this game cannot do without: one per event told, two per topic, those of a report."""
        told = self.teller.telling
        for cls in narrated_events(self.teller.rules):
            yield cls.__name__
        for topic in self.teller.meta.topics:
            yield f"ask_{topic.key}"
            yield f"default_{topic.key}"
        yield from REPORT
        for code in (*KERNEL_PROBLEMS, *corrections.PROBLEMS, *told.problems, *told.notes):
            yield f"problem_{code}"

    # --- what is told

    def sentence(self, event: Event, viewer: Viewer, context: Context) -> str | None:
        """One event as `viewer` may know it; None when it is not for them, or the sentence of another one says it."""
        if event.visible_to is not None and viewer not in event.visible_to:
            return None
        return self._render_sentence(type(event).__name__, redact(event, viewer), context) or None

    def problem(self, problem: Problem, context: Context) -> str:
        """Why an order cannot stand, as a sentence."""
        return self._render_sentence(f"problem_{problem.code}", _Terms(problem.terms), context)

    def question(self, decision: Question, context: Context) -> str:
        """What is asked."""
        return self._render_sentence(f"ask_{decision.topic}", redact(decision, context.viewer), context)

    def default(self, decision: Question, context: Context) -> str:
        """What happens without an answer."""
        return self._render_sentence(f"default_{decision.topic}", redact(decision, context.viewer), context)

    def reasons(self, problems: Sequence[Problem], context: Context) -> str:
        """Several problems in one phrase, each said once: without capital and stop, for the middle of a sentence."""
        with self._telling(context):
            said = dict.fromkeys(_problem(problem) for problem in problems)
        return fix_spaces(load_typography(self.language).parted.join(said), self.language)

    def tidy(self, text: str) -> str:
        """Text made of templates as one line, with this language's spaces and capitals."""
        return tidy(text, self.language)

    def name(self, kind: str, thing: str) -> Name:
        """The name of a thing of the game."""
        return self.glossary.name(kind, thing)

    def effect(self, kind: str, thing: str) -> str:
        """What a thing of the game does, as a sentence; empty where nothing is told of it."""
        said = load_effects(self.game, self.language).get(kind, {}).get(thing, "")
        printed = self.teller.telling.described.get(kind, {}).get(thing)
        if not said and printed is not None:
            said = printed.printed(self.language)
        return self.tidy(said) if said else ""

    def effects(self) -> Iterator[tuple[str, str]]:
        """All that is told of what things do: each by its name, as the rulebook marks it."""
        for kind, rows in load_effects(self.game, self.language).items():
            for thing in rows:
                mark = f" [{thing}]" if kind in self.teller.telling.mark else ""
                yield f"{self.name(kind, thing)}{mark}", self.effect(kind, thing)

    def words(self, words: Words) -> str:
        """Words of the game's own data, in this language."""
        return words.printed(self.language)

    def render_macro(self, macro: str, argument: object, context: Context) -> str:
        """Any other macro of the game's templates, untidied: tables and lists for reports."""
        with self._telling(context):
            return str(self.macro(macro)(argument))

    def has(self, macro: str) -> bool:
        """Return True if the game's templates have this macro."""
        return macro in self._macros

    def actor(self, seat: Seat, context: Context) -> Actor:
        """A seat as sentences speak of it."""
        with self._telling(context):
            return _actor(seat)

    def full(self, seat: Seat, context: Context, article: bool = True) -> str:
        """A seat by power and player, wherever it stands: for lists, with its article inside a sentence."""
        with self._telling(context):
            return _full_name(seat, article)

    def _render_sentence(self, macro: str, argument: object, context: Context) -> str:
        with self._telling(context):
            return tidy(str(self.macro(macro)(argument)), self.language)

    def macro(self, name: str) -> Macro:
        """A macro by name; raises MissingTemplate."""
        try:
            return self._macros[name]
        except KeyError:
            raise MissingTemplate(f"narration/{self.language}/{self.game}.j2 has no macro {name}") from None

    def _telling(self, context: Context) -> "_Telling":
        return _Telling(self, context)


class _Telling:
    """A block in which a narrator tells its reader something; a report enters hundreds."""

    __slots__ = ("_before", "_now", "_reading")

    def __init__(self, narrator: Narrator, context: Context) -> None:
        self._now, self._reading = (narrator, context), seen_by(context.viewer)

    def __enter__(self) -> None:
        self._before = _now.set(self._now)
        self._reading.__enter__()

    def __exit__(self, *_: object) -> None:
        self._reading.__exit__()
        _now.reset(self._before)


@cache
def narrator(game: str, language: Language) -> Narrator:
    """The narrator of a game in a language, made once."""
    return Narrator(game, language)


class _Terms(Mapping[str, Any]):
    """Terms of a problem: a missing one raises, so that no sentence is told with a hole in it."""

    def __init__(self, terms: Mapping[str, object]) -> None:
        self._terms = terms

    def __getitem__(self, name: str) -> Any:
        return self._terms[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._terms)

    def __len__(self) -> int:
        return len(self._terms)


# --- what templates may call


def _actor(seat: Seat) -> Actor:
    told, context = _now.get()
    if seat == context.viewer:
        return Actor(told.language, "", you=True)
    return _other_actor(seat)


def _other_actor(seat: Seat) -> Actor:
    """By the name of the power, with its player's the first time."""
    told, context = _now.get()
    known = seat in context.met
    context.met.add(seat)
    called, player = _power_name(seat), context.names.get(seat, "")
    if called is None:
        if player:
            return Actor(told.language, player, you=False)
        numbered = load_typography(told.language).grammar.name(_with_number(seat))
        return Actor(told.language, numbered.the, you=False, display_name=numbered)
    after = in_parentheses(player) if not known else ""
    return Actor(told.language, called.the + after, you=False, display_name=called, player=after)


def _full_name(seat: Seat, article: bool = False) -> str:
    """A power with its player's name, wherever it stands: for lists; with its article inside a sentence."""
    called, player = _power_name(seat), _now.get()[1].names.get(seat, "")
    if called is None:
        return player or _with_number(seat)
    name = called.the if article else called.bare
    return name + in_parentheses(player)


def _short_name(seat: Seat) -> str:
    """A power without its player's name, as far as it has one."""
    called = _power_name(seat)
    return _full_name(seat) if called is None else called.bare


def _power_name(seat: Seat) -> Name | None:
    """The name of a power; None while it has none."""
    told, context = _now.get()
    telling = told.teller.telling
    name = telling.name_of(context.position, seat)
    return told.glossary.name(telling.name, name) if name else None


def _with_number(seat: Seat) -> str:
    """A seat that has neither power nor player's name: by its place at the table."""
    told, context = _now.get()
    seats = context.position.core.seats
    place = seats.index(seat) + 1 if seat in seats else 0
    return load_typography(told.language).player.format(place=place)


def _player(seat: Seat) -> Actor:
    """A seat by its player, for what happens before powers are chosen."""
    told, context = _now.get()
    if seat == context.viewer:
        return Actor(told.language, "", you=True)
    name = context.names.get(seat)
    return Actor(told.language, name, you=False) if name else _other_actor(seat)


def _viewer_is_public() -> bool:
    return _now.get()[1].viewer == PUBLIC


def _format_number(number: int, one: str, many: str = "") -> str:
    return _now.get()[0].glossary.count(number, one, many)


def _join(parts: Sequence[object]) -> str:
    return _now.get()[0].glossary.join_phrases([str(part) for part in parts])


def _name(kind: str) -> Callable[[str], Name]:
    return lambda thing: _now.get()[0].glossary.name(kind, thing)


def _mark(kind: str) -> Callable[[str], str]:
    """A thing as a rulebook writes it that names it by its mark as well: "Caravane [I]"."""
    return lambda thing: f"{_name(kind)(thing)} [{thing}]"


def _form(kind: str, form: str) -> Callable[[str], str]:
    return lambda thing: str(getattr(_name(kind)(thing), form))


def _word(text: object) -> str:
    """What a player wrote, as they wrote it, in quotation marks."""
    said = " ".join(str(text).split())[:60]
    return load_typography(_now.get()[0].language).quotes.format(said=said)


def _name_if_known(kind: str, thing: str) -> str:
    """The name of a thing with its article, or what was written when there is no such thing."""
    names = _now.get()[0].glossary.names.get(kind, {})
    return names[thing].the if thing in names else _word(thing)


def _thing(thing: str) -> str:
    """The name of whatever has this id, of the first kind that has it: a target may be a place, a region."""
    found = next((names for names in _now.get()[0].glossary.names.values() if thing in names), None)
    return _word(thing) if found is None else found[thing].the


def _effect(kind: str, thing: str) -> str:
    return _now.get()[0].effect(kind, thing)


def _ending(reason: str) -> str:
    told, _ = _now.get()
    return told.words(told.teller.meta.endings[reason])


def _result(name: str) -> str:
    """What came of a game beside its ranking, as a sentence."""
    told, _ = _now.get()
    return told.words(told.teller.meta.results[name])


def _option(name: str, value: str) -> tuple[str, str]:
    """The title of an option and the words of a value."""
    told, _ = _now.get()
    option = next(o for o in told.teller.meta.options if o.name == name)
    return told.words(option.title), told.words(option.values[value])


def _figure_name(name: str) -> str:
    """What a figure is called that everybody may follow."""
    told, _ = _now.get()
    rules = told.teller.rules
    return told.words(rules.figures[name]) if isinstance(rules, HasStatistics) else name


def _corrected_figure(fact: correction_events.FigureCorrected) -> str:
    """How much a ruling gave or took of a figure: its words are the plural, then the singular."""
    told = _now.get()[0]
    words = told.teller.rules.corrections.figures[fact.what].of(told.language)  # type: ignore[attr-defined]
    return told.glossary.count(abs(fact.by), words[-1], words[0])


def _public_figures(view: View) -> Mapping[str, Numbers]:
    """The figures that everybody may follow, by name and seat; none for a game that has none."""
    rules = _now.get()[0].teller.rules
    return rules.count(view) if isinstance(rules, HasStatistics) else {}


def _print_orders(thing: object, asks: str = "") -> str:
    _, context = _now.get()
    if context.printer is None:
        raise MissingTemplate("this telling prints no orders")
    return context.printer(thing, asks)


def _problem(problem: Problem) -> str:
    """A problem inside another sentence: without capital and stop."""
    told, _ = _now.get()
    said = join_lines(str(told.macro(f"problem_{problem.code}")(_Terms(problem.terms))))
    return said.rstrip(".")


def _sentences(events: Sequence[Event]) -> str:
    told, context = _now.get()
    found = (told.sentence(event, context.viewer, context) for event in events)
    return " ".join(said for said in found if said)


def _reveal(secret: Secret[Any]) -> Any:
    return secret.value


def _capitalize(thing: object) -> str:
    said = str(thing)
    return said[:1].upper() + said[1:]


_FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "shown": _reveal,
    "up": _capitalize,
    "de": lambda name: with_elision("de", str(name)),
    "que": lambda name: with_elision("que", str(name)),
    "minus": minus,
    "signed": lambda amount: f"{amount:+}".replace("-", "−"),
    "power_obj": lambda name: _power_of(name).object_form,
    "worded": lambda problem: _problem(problem),
    "who_obj": lambda seat: _actor(seat).object_form,
}


def _power_of(name: str) -> Actor:
    """A power by the id of its name, as orders do."""
    told, context = _now.get()
    telling = told.teller.telling
    seat = telling.seat_of(context.position, name)
    if seat:
        return _actor(seat)
    called = told.glossary.name(telling.name, name)
    return Actor(told.language, called.the, you=False, display_name=called)


_GLOBALS: Final[Mapping[str, object]] = {
    "who": _actor,
    "full": _full_name,
    "brief_name": _short_name,
    "kind_of": lambda event: type(event).__name__,
    "player": _player,
    "power": _power_of,
    "public": _viewer_is_public,
    "n": _format_number,
    "listed": _join,
    "effect": _effect,
    "ending": _ending,
    "result": _result,
    "option": _option,
    "figure": _figure_name,
    "counts": _public_figures,
    "righted": _corrected_figure,
    "seats": lambda: _now.get()[1].position.core.seats,
    "chosen": lambda: _now.get()[1].position.core.options,
    "written": _print_orders,
    "problem": _problem,
    "sentences": _sentences,
    "word": _word,
    "named": _name_if_known,
    "thing": _thing,
}


class _Board:
    """The board of the telling, for figures that a sentence explains."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_now.get()[1].position.board, name)


def environment(language: Language) -> Environment:
    """The templates of one language: nothing undefined is let through; nothing is escaped, since this is text."""
    made = Templates(
        loader=FileSystemLoader(template_folders()), undefined=StrictUndefined, autoescape=False,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    made.filters.update(_FILTERS)
    made.globals.update(_GLOBALS, board=_Board(), ordinal=load_typography(language).grammar.ordinal)
    return made


def _load_templates(game: str, language: Language, told: NarrationHooks) -> Mapping[str, Macro]:
    """The macros of the kernel's templates and of the game's; the game's win."""
    env = environment(language)
    for kind in load_glossary(game, language).names:
        env.globals[kind] = _name(kind)
        env.filters.update({f"{kind}_{form.name}": _form(kind, form.name) for form in fields(Name)})
    for kind in told.mark:
        env.globals[kind] = env.filters[f"{kind}_bare"] = _mark(kind)
    env.globals.update(told.words)
    found: dict[str, Macro] = {}
    own = [f"{game}.{part}" for part in _PARTS if has_template(find_path("narration", language, f"{game}.{part}.j2"))]
    for name in ("kernel", "kernel.problems", "kernel.report", game, *own):
        module = env.get_template(find_path("narration", language, f"{name}.j2")).module
        found.update({key: value for key, value in vars(module).items() if isinstance(value, Macro)})
    return found


_PARTS: Final = ("problems", "questions", "corrections", "report")
"""Files of macros that a game may have beside its first; a small one keeps all in one."""
