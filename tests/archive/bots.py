"""Whole games by bots on a whole server: they write by the pages, and all orders are sealed, opened and counted."""

from engine.kernel.bots import Bot, BotProfile, chooser
from engine.kernel.grammar import build_grammar
from engine.kernel.languages import Language
from engine.kernel.orders import Question
from engine.kernel.position import Position
from engine.kernel.printing import print_line
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.crypto import new_token
from pbem.service.game import seat_views
from pbem.service.orders import web_orders
from pbem.store.models import SeatRow
from tests.service.server_fixtures import ServerHarness

KEEN = BotProfile(
    suggested=100, random_share=0, passing=0, absent=0, ahead=0, unasked_share=0, eagerness=90, lines=4, tries=4
)


def play_on(harness: ServerHarness, game: str, entries: int = 1000) -> None:
    """Let bots answer whatever blocks until the game is over, or has so many entries."""
    users = {row.seat: row.user_id or 0 for row in harness.load_rows(SeatRow) if row.game_id == game}
    while harness.load_game(game).state == "running" and harness.load_game(game).entry < entries:
        before = harness.load_game(game).entry
        for seat, user in users.items():
            if lines := owed_lines(harness, game, seat):
                web_orders.submit_orders(harness.web, user, game, before, new_token(), lines)
        harness.queued_tasks.clear()
        harness.run_task("resolve_game", game)
        harness.queued_tasks[:] = [task for task in harness.queued_tasks if task == ("resolve_game", game)]
        harness.run_queued_tasks()  # at its end there is more to do
        assert harness.load_game(game).entry > before, (game, harness.load_game(game).failure)


def owed_lines(harness: ServerHarness, game: str, seat: str, language: Language = "en") -> list[str]:
    """What a bot would write to all questions that block a seat; nothing where it owes nothing."""
    with harness.web.db.snapshot() as session:
        seen = seat_views.last_view(harness.web, session, harness.load_game(game), seat)
    bot = Bot(harness.resolver.rules(harness.load_game(game).rules), Seat(seat), chooser(game.encode()), KEEN)
    owed = [d for d in seen.core.questions if d.seat == seat and d.blocking]
    return [line for decision in owed for line in _lines(bot, seen, decision, language)]


def _lines(bot: "Bot[object]", seen: "Position[object]", decision: Question, language: Language) -> list[str]:
    """What a bot answers to a question, as it is written."""
    orders = bot.answer(seen, decision)
    with seen_by(decision.seat):
        grammar = build_grammar(bot.rules, seen, decision.seat, language)
    section = next(s for s in grammar.sections if s.open and s.topic.key == decision.topic)
    return [print_line(section.forms, line, language, grammar.facts) for line in orders] or ["PASS"]
