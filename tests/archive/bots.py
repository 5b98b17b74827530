"""Whole games by bots on a whole server: they write by the pages, and every ballot is sealed, opened and counted."""

from engine.kernel.bots import Bot, BotProfile, chooser
from engine.kernel.grammar import build_grammar
from engine.kernel.orders import Question
from engine.kernel.position import Position
from engine.kernel.printing import print_line
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.crypto import new_token
from pbem.service.game import seat_views
from pbem.service.orders import web_orders
from pbem.store.models import SeatRow
from tests.service.server_fixtures import Hall

KEEN = BotProfile(
    suggested=100, random_share=0, passing=0, absent=0, ahead=0, unasked_share=0, eagerness=90, lines=4, tries=4
)


def play_on(hall: Hall, game: str, entries: int = 1000) -> None:
    """Let bots answer whatever blocks until the game is over, or has so many entries."""
    users = {row.seat: row.user_id or 0 for row in hall.rows(SeatRow) if row.game_id == game}
    while hall.game(game).state == "running" and hall.game(game).entry < entries:
        before = hall.game(game).entry
        for seat, user in users.items():
            if lines := owed_lines(hall, game, seat):
                web_orders.submit_orders(hall.web, user, game, before, new_token(), lines)
        hall.work("resolve_game", game)
        hall.woken.clear()
        assert hall.game(game).entry > before, (game, hall.game(game).failure)


def owed_lines(hall: Hall, game: str, seat: str) -> list[str]:
    """What a bot would write to all questions that block a seat; nothing where it owes nothing."""
    with hall.web.db.snapshot() as session:
        seen = seat_views.last_view(hall.web, session, hall.game(game), seat)
    bot = Bot(hall.play.rules(hall.game(game).rules), Seat(seat), chooser(game.encode()), KEEN)
    owed = [d for d in seen.core.questions if d.seat == seat and d.blocking]
    return [line for decision in owed for line in _lines(bot, seen, decision)]


def _lines(bot: "Bot[object]", seen: "Position[object]", decision: Question) -> list[str]:
    """What a bot answers to a question, as it is written."""
    orders = bot.answer(seen, decision)
    with seen_by(decision.seat):
        grammar = build_grammar(bot.rules, seen, decision.seat, "en")
    section = next(s for s in grammar.sections if s.open and s.topic.key == decision.topic)
    return [print_line(section.forms, line, "en", grammar.facts) for line in orders] or ["PASS"]
