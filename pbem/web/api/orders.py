"""Orders from programs: previewed, sent, withdrawn, paced, read back, in the same way as a letter's."""

from collections.abc import Mapping, Sequence
from typing import Literal

from engine.kernel.orders import Orders
from pbem.narration.facts import OrdersStand, ReceiptFacts, RiderStands
from pbem.narration.line_receipts import SetReceipt, Verdict, verdict
from pbem.service.access import programs
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages
from pbem.web.api import shapes
from pbem.web.api.guard import PREFIX, Call, Reply
from pbem.web.api.plain import duties, moment, seats
from pbem.web.api.problems import Trouble
from pbem.web.presenter import Presenter

Outcome = Literal["taken", "partly", "refused", "nothing", "withdrawn", "done", "repeated"]
_OUTCOMES: Mapping[Verdict, Outcome] = {
    "all": "taken",
    "some": "partly",
    "none": "refused",
    "nothing": "nothing",
    "withdrawn": "withdrawn",
}


def preview(call: Call) -> shapes.Receipt:
    """What your lines would come to on your own view; nothing of it is kept."""
    written = call.sent(shapes.Written)
    facts = web_orders.preview(call.visit.services, call.user, call.game, written.entry, written.lines)
    if isinstance(facts, web_orders.Closed):
        raise Trouble("not_running")
    return _receipt(call, facts)


def submit(call: Call) -> shapes.Receipt:
    """Judge your lines and seal those sets that stand; a set that is refused leaves what stood before."""
    written = call.sent(shapes.Written)
    return _sent(call, "orders", written.entry, written.lines)


def withdraw(call: Call) -> shapes.Receipt:
    """Take back whatever of yours is not opened yet."""
    return _sent(call, "withdraw", call.sent(shapes.Known).entry, ["WITHDRAW"])


def pace(call: Call) -> shapes.Receipt:
    """Say whether the game may go on before the deadline."""
    said = call.sent(shapes.Pace)
    return _sent(call, "pace", said.entry, [said.stance.upper()])


def _sent(call: Call, what: str, entry: int, lines: Sequence[str]) -> shapes.Receipt:
    """Once for each key: the same call sent again acts no second time, and is told so."""
    form = programs.form_of(call.bearer, f"{call.game}/{call.seat}/{what}", call.key)
    found = web_orders.submit(call.visit.services, call.user, call.game, entry, form, lines)
    if isinstance(found, web_orders.Closed):
        raise Trouble("not_running")
    if isinstance(found, web_orders.Repeated):
        return shapes.Receipt(call.game, entry, "repeated")
    return _receipt(call, found)


def _receipt(call: Call, facts: ReceiptFacts) -> shapes.Receipt:
    telling = Presenter(call.visit, facts.frame, facts.view)
    sets = telling.sets(facts)
    return shapes.Receipt(
        call.game,
        facts.frame.entry,
        _outcome(facts, sets),
        [_set(telling, found) for found in sets],
        [shapes.CommandTold(c.name, c.argument, c.outcome) for c in facts.commands],
        list(facts.luck),
        [shapes.Skipped(number, text) for number, text in facts.skipped],
        list(telling.events(facts.preview)),
        seats(facts.awaited),
        duties(telling, facts.owed),
        facts.settled,
    )


def _outcome(facts: ReceiptFacts, sets: Sequence[SetReceipt]) -> Outcome:
    """The first thing to know.  Of a preview: what would become of it."""
    came = verdict(facts, sets)
    return "done" if came == "nothing" and facts.commands else _OUTCOMES[came]


def _set(telling: Presenter, found: SetReceipt) -> shapes.SetTold:
    lines = [
        shapes.LineTold(line.number, line.written, line.understood, line.problem, line.nearest, list(line.notes))
        for line in found.lines
    ]
    return shapes.SetTold(
        telling.title(found),
        found.taken,
        found.stands,
        found.ahead,
        found.passed,
        found.problem,
        found.commitment,
        found.replaces,
        lines,
    )


# --- reading back


def ask_back(call: Call) -> Reply:
    """Ask for your own sealed orders: only a play worker can open them, for the key that you get here."""
    number, key = web_orders.ask_to_read(call.visit.services, call.user, call.game)
    where = f"{PREFIX}/games/{call.game}/standing/{number}"
    return Reply(shapes.ReadBackRequest(number, key), 202, {"Location": where, "Retry-After": "1"})


def read_back(call: Call) -> shapes.FiledOrders:
    """Open the answer, once."""
    key = call.sent(shapes.Opening).key
    found = web_orders.read_back(call.visit.services, call.user, call.game, call.at["number"], key)
    if isinstance(found, web_orders.NoSuchAnswer):
        raise Trouble("not_found")
    if isinstance(found, web_orders.NotYet):
        return shapes.FiledOrders("waiting")
    page = game_pages.seat_page(call.visit.services, call.user, call.game, call.seat)
    telling = Presenter(call.visit, page.frame, page.seen, lambda: page.grammar)
    sets, riders = found
    return shapes.FiledOrders("open", [*(_stands(telling, s) for s in sets), *(_ridden(telling, r) for r in riders)])


def _stands(telling: Presenter, found: OrdersStand) -> shapes.Filed:
    return shapes.Filed(
        telling.topic(found.asks, found.number),
        found.asks,
        found.turn,
        found.ahead,
        False,
        _printed(telling, found.asks, found.orders),
        moment(found.filed),
        found.commitment,
    )


def _ridden(telling: Presenter, found: RiderStands) -> shapes.Filed:
    lines = telling.rider(found.asks, found.orders).splitlines()
    return shapes.Filed(telling.topic(found.asks), found.asks, found.turn, True, True, lines, None, "")


def _printed(telling: Presenter, asks: str, orders: Orders) -> list[str]:
    return telling.written(orders, asks).splitlines()
