"""The page of a seat: the table, the report, what is owed, and orders: built, previewed, sent, withdrawn, read back."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from flask import Response, current_app, jsonify, make_response, render_template, request, session
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from engine.kernel.charts import HasStatistics
from engine.kernel.panels import HasLegend, HasPanels
from engine.kernel.pictures import DrawsBoard
from engine.kernel.placeable_pieces import HasPieces
from engine.kernel.printing import heading, help_rows, print_under
from pbem.common.cpu_budget import ANSWER_S, limit
from pbem.common.states import BEGUN, WAITING, GameState
from pbem.crypto import new_token
from pbem.narration.facts import ReceiptFacts
from pbem.narration.game_texts import zone_texts
from pbem.narration.line_receipts import find_verdict
from pbem.service.access import mail_preferences
from pbem.service.messages import conversations
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages
from pbem.web import landing, maps, order_builder
from pbem.web.access import SHARED, redirect_to
from pbem.web.apart import validates
from pbem.web.differences import hash_pieces
from pbem.web.drafts import describe_commands, describe_questions, draft_of, read_text, suggest_lines
from pbem.web.form_input import is_post, parse_number, reject_head
from pbem.web.presenter import Presenter
from pbem.web.site import PageRequest, board_template, hand_template, is_plain_board, progress_template, render_page
from pbem.web.tables import lobby

READING_S = 600
"""How long a browser keeps the key to an answer that it asked for."""


def seat_page(visit: PageRequest) -> ResponseReturnValue:
    """The page of one's seat; of a table that has not begun, who is there; of one from elsewhere, its record."""
    if visit.membership is not None and visit.membership.state == GameState.ARCHIVED:
        return redirect_to(f"/records/{visit.game}")
    if (
        visit.membership is not None
        and visit.membership.seat is None
        and visit.membership.master
        and visit.membership.state == GameState.RUNNING
    ):
        return redirect_to(f"/games/{visit.game}/master")
    if (
        visit.membership is not None
        and visit.membership.is_spectator
        and not visit.membership.host
        and visit.membership.seat is None
    ):
        return redirect_to(f"/games/{visit.game}/table")
    if visit.membership is None or visit.membership.seat is None or visit.membership.state in WAITING:
        return lobby(visit)
    return _seat_page(visit)


def _seat_page(visit: PageRequest, text: str = "", *, done: int | None = None, **more: Any) -> str:
    """`text`: what stands in the field of orders; none where it was sent, at entry `done`, and the game has gone on."""
    shown = game_pages.load_seat_page(visit.services, visit.me.id, visit.game, visit.seat)
    telling = Presenter(visit, shown.frame, shown.seen, lambda: shown.grammar)
    text = text if done is None or done == shown.frame.entry else ""
    facts: dict[str, Any] = {
        "shown": shown,
        "told": telling,
        "part_of": _cached_parts(visit, shown, telling, more.pop("unfold", ""), text),
        "text": text,
        "drawn": isinstance(shown.rules, DrawsBoard),
        "whose": "" if SHARED in session else f"{visit.me.id}.{visit.game}.{visit.seat}",
        "heard": conversations.list_latest(visit.services, visit.me.id, visit.game),
        "form": new_token(),
        "outcome": "",
        "moved": False,
        "receipt": None,
        "guide": landing.tutorial(visit, shown.meta.name),
    }
    return render_page(visit, "seat.html", **{**facts, **more})


def _cached_parts(
    visit: PageRequest, shown: game_pages.SeatPage, telling: Presenter, unfold: str, text: str
) -> Callable[[str], Markup]:
    """Parts of the page by the names of their templates, which depend on nothing but entry and reader.

    `text`: what is written; what can follow it is made anew.
    """
    frame, kept = shown.frame, visit.site.fragments
    names = tuple(sorted(frame.table.names.items()))
    key = (
        visit.game,
        frame.entry,
        shown.reports[:1],
        len(shown.stored),
        visit.me.id,
        visit.seat,
        visit.language,
        names,
        frame.table.waits,
    )

    waiting = _pending_names(visit, shown)
    board = cache(lambda: _board(visit, shown))
    own = {"desk": unfold, "players": (waiting, shown.away)}

    def made(name: str) -> str:
        facts: dict[str, Any] = {"shown": shown, "told": telling, "visit": visit, "t": visit.translate}
        if name == "players":
            facts |= _players(shown, visit, waiting)
        if name == "desk":
            parts = order_builder.build_parts(shown.grammar, visit.language, _blocking_topics(shown), telling.turn)
            unfolded = _unfolded_parts(parts, unfold)
            facts |= {"parts": parts, "open_parts": unfolded}
            facts["lists"] = order_builder.list_names(part for part in parts if part.key in unfolded)
            facts |= {
                "likely": _likely_lines(telling, parts, text, unfold),
                "questions": describe_questions(parts, telling, shown.questions),
            }
            facts["pieces"] = (
                shown.rules.pieces(shown.view, visit.language) if isinstance(shown.rules, HasPieces) else ()
            )
        if name in ("map", "zones"):
            facts |= board()
        facts |= {"board": board_template(shown.meta.name), "hand": hand_template(shown.meta.name)}
        facts |= {"course": progress_template(shown.meta.name), "drawn": isinstance(shown.rules, DrawsBoard)}
        return render_template(f"part_{name}.html", language=visit.language, apart=True, **facts)

    def part(name: str) -> Markup:
        if name == "desk" and text.strip():
            return Markup(made(name))  # noqa: S704 - of our own template
        return kept.get_or_create((name, own.get(name, ""), *key), lambda: made(name))

    return part


def _likely_lines(
    telling: Presenter, parts: Sequence[order_builder.Part], text: str, unfold: str
) -> Mapping[str, Sequence[str]]:
    """For each question that is shown the suggested lines that go with a text, and the line that wants nothing."""
    found = {}
    with limit(ANSWER_S):
        teller = draft_of(telling, text)
        for part in (part for part in parts if part.section.open or part.key == unfold):
            may_pass = part.section.open and part.section.topic.may_pass
            wants_nothing = may_pass and part.section.key not in teller.draft.sets
            found[part.key] = suggest_lines(teller, part.key)
            found[part.key] += [order_builder.pass_line(part.section, telling.language)] if wants_nothing else []
    return found


def _board(visit: PageRequest, shown: game_pages.SeatPage) -> Mapping[str, Any]:
    """What the parts that show the board are made of; each of them is long to work out."""
    parts = maps.crop_windows(shown.rules, shown.view, visit.language)
    zones = zone_texts(shown.rules, shown.view, visit.language)
    return {"parts": parts, "zones": zones, "in_words": is_plain_board(shown.meta.name)}


def _pending_names(visit: PageRequest, shown: game_pages.SeatPage) -> tuple[str, ...]:
    """The seats that the table waits for; one's own among them, where one owes an answer."""
    if visit.membership is None or visit.membership.state != GameState.RUNNING:
        return ()
    owing = any(o.decision.blocking and not o.answered for o in shown.questions)
    return (*shown.pending, *((str(shown.seat),) if owing else ()))


def _players(shown: game_pages.SeatPage, visit: PageRequest, waiting: Sequence[str]) -> dict[str, Any]:
    """What stands beside the board of each player, in the order of play; figures where the game has panels."""
    panels = shown.rules.panels(shown.view, visit.language) if isinstance(shown.rules, HasPanels) else {}
    return {
        "waiting": waiting,
        "running": visit.membership is not None and visit.membership.state == GameState.RUNNING,
        "called": shown.rules.labels(shown.view, visit.language) if isinstance(shown.rules, HasStatistics) else {},
        "panels": panels,
        "seats": list(dict.fromkeys((*panels, *shown.frame.table.names))),
        "legend": isinstance(shown.rules, HasLegend),
    }


def _blocking_topics(shown: game_pages.SeatPage) -> frozenset[str]:
    """The questions that others wait for."""
    return frozenset(o.decision.topic for o in shown.questions if o.decision.blocking)


def _unfolded_parts(parts: Sequence[order_builder.Part], asked: str) -> frozenset[str]:
    """The parts whose forms are shown: those open now, and the one asked for."""
    return frozenset((asked, *(part.key for part in parts if part.kind == "open")))


# --- orders


@validates()
def send_orders(visit: PageRequest) -> ResponseReturnValue:
    """What the form of orders asks for by its button: add a line, unfold, preview, submit, withdraw."""
    if not is_post() or visit.membership is None or visit.membership.state != GameState.RUNNING:
        return redirect_to(f"/games/{visit.game}")
    act, _, about = request.form.get("act", "preview").partition(":")
    text = read_text()
    match act:
        case "add" | "likely":
            return _add_line(visit, act, about, text)
        case "unfold":
            return _seat_page(visit, text, unfold=about)
        case "submit":
            return _submit(visit, text, text.splitlines())
        case "withdraw":
            return _submit(visit, text, ["WITHDRAW"])
        case _:
            return _preview(visit, text)


def _add_line(visit: PageRequest, act: str, key: str, text: str) -> ResponseReturnValue:
    """Write a suggested line (`s0:BID 3`), or one as the fields of one builder say (`s0.1`), where it belongs."""
    shown = game_pages.load_seat_page(visit.services, visit.me.id, visit.game, visit.seat)
    place, _, line = key.partition(":" if act == "likely" else ".")
    section = order_builder.list_sections(shown.grammar).get(place)
    if act == "add":
        line = order_builder.build_line(shown.grammar, key, request.form.to_dict(flat=False), visit.language) or ""
    if section is None or not line.strip():
        return _seat_page(visit, text, outcome="changed"), 409
    reaction = order_builder.field_kind(place, section) == "reaction"
    more = order_builder.add_line(text, section, " ".join(line.split()), visit.language, reaction=reaction)
    return _seat_page(visit, more, unfold=place, outcome="added")


def _entry_of_form() -> int:
    """Up to which entry the page knew the game that this form stands on."""
    return parse_number(request.form, "entry")


def _preview(visit: PageRequest, text: str) -> ResponseReturnValue:
    facts = web_orders.preview_orders(visit.services, visit.me.id, visit.game, _entry_of_form(), text.splitlines())
    if isinstance(facts, web_orders.GameClosed):
        return _seat_page(visit, text, outcome="closed"), 409
    return _receipt_page(visit, text, facts, "preview")


def _submit(visit: PageRequest, text: str, written: Sequence[str]) -> ResponseReturnValue:
    """Send; a set that was refused changes nothing and stays in the field, to be mended."""
    found = web_orders.submit_orders(
        visit.services, visit.me.id, visit.game, _entry_of_form(), request.form.get("form", ""), written
    )
    if isinstance(found, web_orders.DuplicateForm):
        return _seat_page(visit, text, outcome="repeated")
    if isinstance(found, web_orders.GameClosed):
        return _seat_page(visit, text, outcome="closed"), 409
    return _receipt_page(visit, text, found, "submit")


def _receipt_page(visit: PageRequest, text: str, facts: ReceiptFacts, outcome: str) -> ResponseReturnValue:
    telling = Presenter(visit, facts.frame, facts.view)
    sets = telling.sets(facts)
    whole = all(s.is_valid for s in sets) and bool(sets or facts.commands)
    wanted = mail_preferences.load_preferences_by_id(visit.services, visit.me.id).web_receipts
    answer = _seat_page(
        visit,
        text,
        done=facts.frame.entry if whole and outcome == "submit" else None,
        outcome=outcome,
        receipt=facts,
        sets=sets,
        events=telling.events(facts.preview),
        commands=describe_commands(telling, facts),
        verdict=find_verdict(facts, sets),
        mailed=visit.is_verified and wanted,
        moved=_entry_of_form() < facts.frame.entry,
    )
    return answer if whole else (answer, 422)


def game_status(visit: PageRequest) -> ResponseReturnValue:
    """Where the game stands, whom it waits for, who is away, which other table waits: a page asks again and again."""
    place = visit.membership
    if place is None or place.seat is None:
        raise NotFound
    running = place.state == GameState.RUNNING
    waiting, away = game_pages.pending_seats_of(visit.services, visit.game) if running else ((), ())
    elsewhere = game_pages.next_due_game(visit.services, visit.me.id, visit.game)
    answer = jsonify(
        entry=place.entry, state=str(place.state), waiting=sorted(waiting), away=sorted(away), next=elsewhere
    )
    answer.set_etag(hash_pieces(answer.get_data(as_text=True)))
    return answer.make_conditional(request)


# --- reading back


def _request_cookie() -> str:
    return "__Secure-pbem-read" if current_app.config["SESSION_COOKIE_SECURE"] else "pbem-read"


def own_orders(visit: PageRequest) -> ResponseReturnValue:
    """One's own standing orders.  POST asks a resolver; GET waits, then opens the answer, once."""
    if visit.membership is None or visit.membership.state != GameState.RUNNING:
        raise NotFound
    if is_post():
        return _request_own_orders(visit)
    reject_head()
    number, _, key = request.cookies.get(_request_cookie(), "").partition(".")
    found = web_orders.read_own_orders(visit.services, visit.me.id, visit.game, number, key)
    if isinstance(found, web_orders.AnswerPending):
        return render_page(visit, "own_orders.html", state="waiting")
    if isinstance(found, web_orders.AnswerNotFound):
        return _without_cookie(visit, make_response(render_page(visit, "own_orders.html", state="gone")))
    shown = game_pages.load_seat_page(visit.services, visit.me.id, visit.game, visit.seat)
    telling = Presenter(visit, shown.frame, shown.seen, lambda: shown.grammar)
    facts = {"told": telling, "standing": found, "text": _stored_text(telling, found)}
    return _without_cookie(visit, make_response(render_page(visit, "own_orders.html", state="open", **facts)))


def _stored_text(telling: Presenter, found: web_orders.OwnOrders) -> str:
    """What one has filed as the lines of one letter: first what answers the open questions."""
    sets, reactions = found
    rows: list[str] = []
    for one in sorted(sets, key=lambda one: one.ahead):
        section = telling.section(one.topic)
        lines = telling.print_orders(one.orders, one.topic).splitlines()
        head = [heading(section, telling.language)] if one.ahead else []
        rows += head + [print_under(section, line, telling.language) for line in lines]
        rows += [] if lines or one.ahead else [order_builder.pass_line(section, telling.language)]
    open_rows = [line for one in reactions for line in telling.print_reaction(one.topic, one.orders).splitlines()]
    return "\n".join([*open_rows, *rows, ""])


def _request_own_orders(visit: PageRequest) -> Response:
    number, key = web_orders.request_own_orders(visit.services, visit.me.id, visit.game)
    answer = redirect_to(f"/games/{visit.game}/own-orders")
    answer.set_cookie(
        _request_cookie(),
        f"{number}.{key}",
        max_age=READING_S,
        path=f"/games/{visit.game}/own-orders",
        httponly=True,
        secure=bool(current_app.config["SESSION_COOKIE_SECURE"]),
        samesite="Strict",
    )
    return answer


def _without_cookie(visit: PageRequest, answer: Response) -> Response:
    answer.delete_cookie(
        _request_cookie(),
        path=f"/games/{visit.game}/own-orders",
        httponly=True,
        samesite="Strict",
        secure=bool(current_app.config["SESSION_COOKIE_SECURE"]),
    )
    return answer


# --- beside the orders


def help_page(visit: PageRequest) -> ResponseReturnValue:
    """Every line that may be written now or ahead, with an example."""
    if visit.membership is None or visit.membership.state != GameState.RUNNING:
        raise NotFound
    shown = game_pages.load_seat_page(visit.services, visit.me.id, visit.game, visit.seat)
    parts = order_builder.list_sections(shown.grammar)
    telling = Presenter(visit, shown.frame, shown.seen, lambda: shown.grammar)
    made = order_builder.build_parts(shown.grammar, visit.language, _blocking_topics(shown), telling.turn)
    rows = [(part, help_rows(parts[part.key], visit.language)) for part in made]
    facts = [
        (order_builder.condition_usage(fact, visit.language), fact.about.printed(visit.language))
        for fact in shown.grammar.facts
    ]
    effects = tuple(telling.told.effects())
    return render_page(visit, "help.html", shown=shown, rows=rows, facts=facts, effects=effects, told=telling)


def table_page(visit: PageRequest) -> ResponseReturnValue:
    """The table as everybody sees it."""
    if visit.membership is None or visit.membership.state not in BEGUN:
        raise NotFound
    shown = game_pages.load_public_page(visit.services, visit.me.id, visit.game, visit.membership.seat or "")
    telling = Presenter(visit, shown.frame, shown.seen)
    facts: Mapping[str, Any] = {"shown": shown, "told": telling, "board": board_template(shown.meta.name)}
    drawn = isinstance(visit.services.rules(shown.meta.name), DrawsBoard)
    parts = maps.crop_windows(visit.services.rules(shown.meta.name), shown.view, visit.language)
    return render_page(visit, "table.html", drawn=drawn, parts=parts, **facts)


def report_page(visit: PageRequest, entry: int) -> ResponseReturnValue:
    """An earlier report."""
    found = game_pages.load_report(visit.services, visit.me.id, visit.game, visit.seat, entry)
    if found is None:
        raise NotFound
    telling = Presenter(visit, found.frame, found.seen)
    drawn = maps.draw_map(telling.rules, telling.view(), visit.language)
    return render_page(visit, "report.html", report=found, told=telling, **drawn)
