"""Orders from programs: previewed, sent, withdrawn, paced, read back, in the same way as a letter's."""

from collections.abc import Mapping, Sequence
from typing import Literal

from engine.kernel.orders import Orders
from pbem.narration.facts import ReceiptFacts, StoredOrders, StoredReaction
from pbem.narration.line_receipts import SetReceipt, Verdict, find_verdict
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages
from pbem.web.apart import validates
from pbem.web.api import shapes
from pbem.web.api.guard import PREFIX, ApiRequest, ApiResponse
from pbem.web.api.plain import to_moment, to_questions, to_seats
from pbem.web.api.problems import ApiProblem
from pbem.web.presenter import Presenter

Outcome = Literal["taken", "partly", "refused", "nothing", "withdrawn", "done", "repeated"]
_OUTCOMES: Mapping[Verdict, Outcome] = {
    "all": "taken",
    "some": "partly",
    "none": "refused",
    "nothing": "nothing",
    "withdrawn": "withdrawn",
}


@validates(replaceable=True)
def preview_orders(call: ApiRequest) -> shapes.Receipt:
    """What your lines would come to on your own view; nothing of it is kept."""
    written = call.sent(shapes.OrdersRequest)
    facts = web_orders.preview_orders(call.visit.services, call.user, call.game, written.entry, written.lines)
    if isinstance(facts, web_orders.GameClosed):
        raise ApiProblem("not_running")
    return _receipt(call, facts)


@validates()
def submit_orders(call: ApiRequest) -> shapes.Receipt:
    """Judge your lines and seal those sets that stand; a set that is refused leaves what stood before."""
    written = call.sent(shapes.OrdersRequest)
    return _filed(call, written.entry, written.lines)


@validates()
def withdraw_orders(call: ApiRequest) -> shapes.Receipt:
    """Take back whatever of yours is not opened yet."""
    return _filed(call, call.sent(shapes.EntryRequest).entry, ["WITHDRAW"])


@validates()
def set_pace(call: ApiRequest) -> shapes.Receipt:
    """Say whether the game may go on before the deadline."""
    said = call.sent(shapes.PaceRequest)
    return _filed(call, said.entry, [said.pace.upper()])


def _filed(call: ApiRequest, entry: int, lines: Sequence[str]) -> shapes.Receipt:
    """Once for each key: the same call sent again acts no second time, and is told so."""
    form = call.form_id(call.seat)
    found = web_orders.submit_orders(call.visit.services, call.user, call.game, entry, form, lines)
    if isinstance(found, web_orders.GameClosed):
        raise ApiProblem("not_running")
    if isinstance(found, web_orders.DuplicateForm):
        return shapes.Receipt(call.game, entry, "repeated")
    return _receipt(call, found)


def _receipt(call: ApiRequest, facts: ReceiptFacts) -> shapes.Receipt:
    telling = Presenter(call.visit, facts.frame, facts.view)
    sets = telling.sets(facts)
    return shapes.Receipt(
        call.game,
        facts.frame.entry,
        _outcome_of(facts, sets),
        [_to_set(telling, found) for found in sets],
        [shapes.CommandResult(c.name, c.argument, c.outcome) for c in facts.commands],
        list(facts.luck),
        [shapes.Skipped(number, text) for number, text in facts.skipped],
        list(telling.events(facts.preview)),
        to_seats(facts.awaited),
        to_questions(telling, facts.questions),
        facts.settled,
    )


def _outcome_of(facts: ReceiptFacts, sets: Sequence[SetReceipt]) -> Outcome:
    """The first thing to know.  Of a preview: what would become of it."""
    came = find_verdict(facts, sets)
    return "done" if came == "nothing" and facts.commands else _OUTCOMES[came]


def _to_set(telling: Presenter, found: SetReceipt) -> shapes.SetResult:
    lines = [
        shapes.LineResult(line.number, line.written, line.understood, line.problem, line.nearest, list(line.notes))
        for line in found.lines
    ]
    return shapes.SetResult(
        telling.title(found),
        found.taken,
        found.is_valid,
        found.ahead,
        found.passed,
        found.problem,
        found.commitment,
        found.replaces,
        lines,
    )


# --- reading back


def request_own_orders(call: ApiRequest) -> ApiResponse:
    """Ask for your own sealed orders: only a resolver can open them, for the key that you get here."""
    number, key = web_orders.request_own_orders(call.visit.services, call.user, call.game)
    where = f"{PREFIX}/games/{call.game}/own-orders/{number}"
    return ApiResponse(shapes.OwnOrdersRequest(number, key), 202, {"Location": where, "Retry-After": "1"})


def get_own_orders(call: ApiRequest) -> shapes.OwnOrders:
    """Open the answer, once."""
    key = call.sent(shapes.OwnOrdersQuery).key
    found = web_orders.read_own_orders(call.visit.services, call.user, call.game, call.at["number"], key)
    if isinstance(found, web_orders.AnswerNotFound):
        raise ApiProblem("not_found")
    if isinstance(found, web_orders.AnswerPending):
        return shapes.OwnOrders("waiting")
    page = game_pages.load_seat_page(call.visit.services, call.user, call.game, call.seat)
    telling = Presenter(call.visit, page.frame, page.seen, lambda: page.grammar)
    sets, reactions = found
    return shapes.OwnOrders(
        "open", [*(_to_stored(telling, s) for s in sets), *(_to_reaction(telling, r) for r in reactions)]
    )


def _to_stored(telling: Presenter, found: StoredOrders) -> shapes.StoredOrders:
    return shapes.StoredOrders(
        telling.topic(found.topic, found.number),
        found.topic,
        found.turn,
        found.ahead,
        False,
        _print_lines(telling, found.topic, found.orders),
        to_moment(found.filed),
        found.commitment,
    )


def _to_reaction(telling: Presenter, found: StoredReaction) -> shapes.StoredOrders:
    lines = telling.print_reaction(found.topic, found.orders).splitlines()
    return shapes.StoredOrders(telling.topic(found.topic), found.topic, found.turn, True, True, lines, None, "")


def _print_lines(telling: Presenter, asks: str, orders: Orders) -> list[str]:
    return telling.print_orders(orders, asks).splitlines()
