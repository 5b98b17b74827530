"""In few letters: how often somebody must write in a round, riders and stated defaults answering where they can."""

from collections import Counter

import pytest

from engine.kernel.bots import Bot, Temper, chooser
from engine.kernel.orders import Decision, Orders, Pace
from engine.kernel.position import Position
from engine.kernel.run import advance, start
from engine.kernel.secrets import redact, seen_by, truth
from engine.kernel.standing import check, stands
from engine.patchistory.board import Board
from engine.patchistory.ruleset import RULES
from tests.engine.patchistory.build import SEATS

CALM = Temper(absent=0, meddling=0, suggested=100, passing=10, fancy=0, lines=4)


class Post:
    """A game by mail: whoever writes answers what is asked, and files the sets, riders and votes that may be filed.

    Who does not file is asked everything, and answers nothing ahead.
    """

    def __init__(self, options: dict[str, str], seed: bytes, *, files: bool = True) -> None:
        choose = chooser(seed)
        self.options, self.files = options, files
        self.bots: dict[str, Bot[Board]] = {seat: Bot(RULES, seat, choose, CALM) for seat in SEATS}
        self.position: Position[Board] = start(RULES, SEATS, options, seed).position
        self.filed: dict[tuple[str, str], Orders] = {}
        self.waits: Counter[int] = Counter()

    def play(self) -> "Post":
        """To the end; `waits` counts the exchanges of each round."""
        while not self.position.core.over:
            self._close(next(d.gate for d in self.position.core.open if d.blocking))
        return self

    def _close(self, gate: str) -> None:
        decisions = [d for d in self.position.core.gate(gate) if d.blocking]
        if any(self._on_file(d) is None for d in decisions):
            self.waits[self.position.board.turn] += 1
            for decision in decisions:
                self._writes(decision)
        answers = {d.seat: self._on_file(d) or () for d in decisions}
        self.position = advance(RULES, self.position, gate, answers, gate.encode()).position

    def _writes(self, decision: Decision) -> None:
        seen = redact(self.position, decision.seat)
        self.filed[decision.seat, decision.gate] = self.bots[decision.seat].answer(seen, decision)
        if not self.files:
            return
        with seen_by(decision.seat):
            ahead = RULES.ahead(seen, decision.seat)
        for later in ahead:
            self.filed[decision.seat, later.gate] = self.bots[decision.seat].answer(seen, later)

    def _on_file(self, decision: Decision) -> Orders | None:
        """Orders for this gate, or a rider for its turn; of an interruption, the stated default."""
        rider = f"{decision.asks}/{self.position.board.turn}"
        for gate in (decision.gate, rider):
            found = self.filed.get((decision.seat, gate))
            if found is not None and stands(check(RULES, self.position, decision, found)):
                return found
        if decision.pace is not Pace.REACTION or self.options.get("unanswered") == "ask":
            return None
        with seen_by(decision.seat):
            return RULES.default(redact(self.position, decision.seat), decision)


def told(name: str, options: dict[str, str], games: int, *, files: bool = True) -> tuple[float, int, float]:
    """The mean and the ninth decile of exchanges in a round, and the mean of Culture, over so many games; printed."""
    played = [Post(options, f"post/{game}".encode(), files=files).play() for game in range(games)]
    waits = sorted(n for post in played for n in post.waits.values())
    with truth():
        points = [player.amount("culture") for post in played for player in post.position.board.players.values()]
    mean, most, culture = sum(waits) / len(waits), waits[len(waits) * 9 // 10], sum(points) / len(points)
    print(f"{name}: mean {mean:.2f}, p90 {most}, Culture {culture:.1f}")
    return mean, most, culture


@pytest.mark.parametrize(
    ("name", "options", "mean", "most"),
    [
        pytest.param("sealed", {}, 4, 6, marks=pytest.mark.long),
        pytest.param("votes at once", {"voting": "once"}, 4, 6, marks=pytest.mark.night),
        pytest.param("in order", {"pace": "order"}, 9, 12, marks=pytest.mark.night),
    ],
)
def test_a_round_takes_few_letters(name: str, options: dict[str, str], mean: int, most: int) -> None:
    """Four players who keep instructions on file: in the mean and in nine rounds out of ten no more than this."""
    found = told(name, options, games=2)
    assert found[0] <= mean
    assert found[1] <= most


@pytest.mark.night
def test_with_everything_asked_a_round_takes_more_and_brings_no_more() -> None:
    """Where nothing is on file each question is an exchange; who files scores within a tenth of who is asked."""
    asked, _, most = told("everything asked", {"unanswered": "ask"}, games=8, files=False)
    _, _, culture = told("sealed", {}, games=8)
    assert asked > 4
    assert culture >= 0.9 * most
