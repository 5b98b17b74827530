"""The laws, held against what breaks them, and against games that hypothesis plays."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.kernel.bots import Bot, BotProfile, Entry, chooser, play_game
from engine.kernel.events import Corrected, ReadingAdopted
from engine.kernel.gates import parse_closing
from engine.kernel.orders import Orders, Question, unconditional
from engine.kernel.position import Position
from engine.kernel.run import AnswerKey, advance, answer_key, correct, start
from engine.kernel.secrets import redact
from engine.kernel.viewers import Seat
from tests import invariants
from tests.bot_games import SEATS
from tests.budget import budget
from tests.toy import RULES
from tests.toy.board import Board
from tests.toy.leaks import LEAKS, Leaky
from tests.toy.orders import Leave

NEVER_ABSENT = BotProfile(absent=0, unasked_share=0)


def caught(rules: Leaky, games: int, until: str = "") -> set[str]:
    """The laws that these rules break in some games by bots, up to the first that breaks the law `until`."""
    broken: set[str] = set()
    for n in range(games):
        seed = f"leak/{n}".encode()
        bots = {seat: Bot(rules, seat, chooser(seed), NEVER_ABSENT) for seat in SEATS[:3]}
        for k, entry in enumerate(play_game(rules, SEATS[:3], {"turns": "3"}, seed, bots).entries):
            broken |= broken_by(rules, entry, k)
            if until in broken:
                return broken
    return broken


def broken_by(rules: Leaky, entry: Entry[Board], number: int) -> set[str]:
    """The laws against leaks that one entry breaks."""
    choose = chooser(str(number).encode())
    held: tuple[Callable[[], None], ...] = (
        lambda: invariants.unnamed(rules, entry),
        lambda: invariants.learnt(rules, entry),
        lambda: invariants.sealed(entry),
        lambda: invariants.blind(rules, entry, choose),
        lambda: invariants.untold(rules, entry.after.position, choose),
    )
    broken = set()
    for law in held:
        try:
            law()
        except invariants.Broken as found:
            broken.add(found.law)
    return broken


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_each_planted_leak_is_caught_by_the_law_made_for_it(leak: type[Leaky]) -> None:
    """A game that tells what it must not is caught, and by the law that says what is wrong."""
    assert LEAKS[leak] in caught(leak(), games=8, until=LEAKS[leak])


def test_the_board_that_could_leak_and_does_not_breaks_no_law() -> None:
    """What the leaking games have in common is innocent: only their own change is caught."""
    assert caught(Leaky(), games=2) == set()


def test_a_change_without_a_fact_is_caught() -> None:
    """A rule that changes the board by itself breaks the law of the fold."""

    class Sly(Leaky):
        def resolve(self, table, gate, answers):  # type: ignore[no-untyped-def]
            table.board.bank += 1
            super().resolve(table, gate, answers)

    beginning = invariants.Beginning(SEATS[:2], {}, b"sly")
    entry = play_game(Sly(), *_args(beginning)).entries[1]
    with pytest.raises(invariants.Broken, match="fold"):
        invariants.folds(Sly(), beginning, entry)
    with pytest.raises(invariants.Broken, match="problems"):
        invariants.sound(Sly(), entry)


def test_a_game_that_remembers_outside_its_position_is_caught() -> None:
    """Rules that keep state of their own do not play the same game twice."""

    class Rememberer(Leaky):
        turns = 0

        def resolve(self, table, gate, answers):  # type: ignore[no-untyped-def]
            self.turns += 1
            table.roll(f"extra/{self.turns}")
            super().resolve(table, gate, answers)

    beginning, rules = invariants.Beginning(SEATS[:2], {}, b"memory"), Rememberer()
    entry = play_game(rules, *_args(beginning)).entries[1]
    with pytest.raises(invariants.Broken, match="same game"):
        invariants.same_game(rules, beginning, entry)


def test_a_default_that_is_refused_is_caught() -> None:
    """A question whose default would be refused breaks the law of the default."""

    class Demanding(Leaky):
        def default_orders(self, seen: Position[Board], decision: Question) -> Orders:
            return unconditional(Leave("x"), Leave("y"))

    first = start(RULES, SEATS[:2], {}, b"demanding")
    with pytest.raises(invariants.Broken, match="default"):
        invariants.answerable(Demanding(), first.position)


def test_resampling_changes_what_is_hidden_and_nothing_else() -> None:
    """Another world is really another one, and its viewer cannot tell: or the laws would hold of themselves."""
    position = start(RULES, SEATS[:3], {}, b"worlds").position
    other = invariants.resampled(position, "ann", chooser(b"other"))
    assert invariants.hidden(other, "ann") != invariants.hidden(position, "ann")
    assert sorted(map(repr, invariants.hidden(other, "ann"))) != []
    assert redact(other, "ann") == redact(position, "ann")
    assert redact(other, "bob") != redact(position, "bob")


def _args(beginning: invariants.Beginning) -> tuple[tuple[Seat, ...], Mapping[str, str], bytes]:
    return beginning.seats, beginning.options, beginning.seed


class Market(RuleBasedStateMachine):
    """The smallest game, played by whatever hypothesis draws: the laws hold after every entry."""

    @initialize(
        count=st.integers(2, 4),
        pace=st.sampled_from(["sealed", "in_order"]),
        failures=st.sampled_from(["next", "drop", "again"]),
        seed=st.binary(min_size=1, max_size=4),
    )
    def begin(self, count: int, pace: str, failures: str, seed: bytes) -> None:
        """A game of some seats and options."""
        self.beginning = invariants.Beginning(SEATS[:count], {"pace": pace, "failures": failures}, seed)
        after = start(RULES, SEATS[:count], self.beginning.options, seed, b"0")
        self.entries = [Entry[Board]("", {}, (), b"0", None, after)]
        self.checked = 0

    @property
    def position(self) -> Position[Board]:
        """Where the game stands."""
        return self.entries[-1].after.position

    def going_on(self) -> bool:
        """Return True if a seat is asked."""
        return bool(self.entries) and not self.position.core.over

    @precondition(going_on)
    @rule(data=st.data(), suggested=st.integers(0, 100), absent=st.sets(st.sampled_from(SEATS[:4])))
    def close(self, data: st.DataObject, suggested: int, absent: set[Seat]) -> None:
        """The blocking gate is answered, by choices of hypothesis' own; some seats are late."""
        choices = data.draw(st.lists(st.integers(0, 255), min_size=1, max_size=24))
        gate = next(parse_closing(d.gate) for d in self.position.core.questions if d.blocking)
        asked = [d for d in self.position.core.gate(gate) if d.blocking]
        late = tuple(answer_key(d) for d in asked if d.seat in absent)
        answers = {
            answer_key(d): self.answer(d, choices, BotProfile(suggested=suggested), d.seat in absent) for d in asked
        }
        self.enter(gate, answers, late)

    def answer(self, decision: Question, choices: list[int], temper: BotProfile, late: bool) -> Orders:
        """What this seat says."""
        seen = redact(self.position, decision.seat)
        if late:
            return RULES.default_orders(seen, decision)
        drawn = iter(choices * 200)
        return Bot(RULES, decision.seat, lambda _, n: next(drawn) % n, temper).answer(seen, decision)

    @precondition(going_on)
    @rule(place=st.integers(0, 3))
    def leave(self, place: int) -> None:
        """Somebody leaves, whatever else is under way."""
        offers = [d for d in self.position.core.questions if not d.blocking]
        if offers:
            decision = offers[place % len(offers)]
            self.enter(decision.gate, {decision.seat: unconditional(Leave("farewell"))}, ())

    @precondition(going_on)
    @rule(income=st.sampled_from(["1", "2"]))
    def adopt(self, income: str) -> None:
        """The game master adopts another ruling: an entry that asks nobody anew."""
        before = self.position
        ruling = Corrected(by="gm", reason="as printed", edits=(ReadingAdopted(option="income", value=income),))
        after = correct(RULES, before, ruling)
        assert after.position.core.options["income"] == income
        assert after.position.core.questions == before.core.questions
        last = self.entries[-1]
        self.entries[-1] = replace(last, after=replace(after, events=(*last.after.events, *after.events)))

    @precondition(lambda self: not self.going_on())
    @rule()
    def over(self) -> None:
        """A game that is over asks nobody, and has nothing more to do."""
        assert self.position.core.questions == ()
        assert self.position.core.agenda == ()

    def enter(self, gate: str, answers: Mapping[AnswerKey, Orders], late: tuple[AnswerKey, ...]) -> None:
        """One more entry."""
        luck, before = str(len(self.entries)).encode(), self.position
        after = advance(RULES, before, gate, answers, luck, defaulted=late)
        self.entries.append(Entry(gate, answers, late, luck, before, after))

    @invariant()
    def lawful(self) -> None:
        """Every law holds of the entry just made."""
        if len(self.entries) > self.checked:
            self.checked = len(self.entries)
            invariants.every_law(RULES, self.beginning, self.entries[-1], chooser(self.beginning.seed))
        invariants.folds(RULES, self.beginning, self.entries[-1])

    def teardown(self) -> None:
        """The whole journal folds to where the game stands."""
        if getattr(self, "entries", None):
            invariants.journal_folds(RULES, self.beginning, self.entries, self.position)


Market.TestCase.settings = settings(max_examples=budget(4, 200), stateful_step_count=12)
TestMarket = Market.TestCase
TestMarket.__doc__ = "The laws hold in every game that can be made of the rules' own choices."
