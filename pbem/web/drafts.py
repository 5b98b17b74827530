"""Orders that are being written on the page of a seat: what they would come to, and what can follow them.

The page holds a draft as rows of text, as a letter does.  What each of them says, where a further one belongs and what
it may be are told here: no script reads a row.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from flask import render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, RequestEntityTooLarge, UnprocessableEntity

from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.grammar import Section, key_of
from engine.kernel.orders import Clause, Line, Order
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLetter, ParsedLine
from engine.kernel.pictures import DrawsBoard
from engine.kernel.printing import CannotPrint, to_keyword
from pbem.common.cpu_budget import ANSWER_S, limit
from pbem.common.states import GameState
from pbem.narration.facts import OpenQuestion, ReceiptFacts
from pbem.narration.line_receipts import SetReceipt, find_verdict
from pbem.narration.text_cleanup import fix_spaces
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages
from pbem.web import conditions, maps, order_builder
from pbem.web.apart import validates
from pbem.web.api import shapes_moves as shapes
from pbem.web.api.moves import MoveTeller, to_plain
from pbem.web.api.problems import ApiProblem
from pbem.web.differences import compute_hunks, hash_pieces
from pbem.web.form_input import parse_number
from pbem.web.presenter import Presenter
from pbem.web.site import PageRequest, render_page

MOST_TEXT: Final = 20_000
"""The longest text of orders, in characters: hundreds of lines."""
MOST_LIKELY: Final = 24
"""The suggested lines of a question that are looked at."""
MOST_ASKED: Final = 48
"""The most moves asked for in one request: a place with two coasts can mean several orders of each form."""


def read_text() -> str:
    """The text of a form of orders.  Raises RequestEntityTooLarge."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    if len(text) > MOST_TEXT:
        raise RequestEntityTooLarge
    return text


# --- what can be written


def describe_questions(
    parts: Sequence[order_builder.Part], telling: Presenter, asked: Sequence[OpenQuestion], *, whole: bool = False
) -> dict[str, Any]:
    """Questions for the page's script; what can be named is listed once for all slots.

    `asked`: what is open.  Only that has forms unless `whole`: those of others name what is not spoken of yet.
    """
    said = {
        key_of(telling.rules.meta.topic(o.decision.topic), o.decision.gate): telling.question(o.decision) for o in asked
    }
    owed = [key_of(telling.rules.meta.topic(o.decision.topic), o.decision.gate) for o in asked if o.decision.blocking]
    vocabularies: dict[int, int] = {}
    lists: list[Mapping[str, str]] = []
    places: list[Mapping[str, str]] = []

    def find_words(choices: tuple[Choice, ...]) -> int:
        if id(choices) not in vocabularies:
            vocabularies[id(choices)] = len(lists)
            known = order_builder.choices_of(choices, telling.language)
            lists.append({option.value: option.label for option in known.options})
            places.append({choice.value: choice.place for choice in choices if choice.place})
        return vocabularies[id(choices)]

    def slot_shape(slot: Slot) -> dict[str, Any]:
        lead = to_keyword(slot.lead, telling.language) if slot.lead is not None else ""
        kinds = {name: getattr(slot, name) for name in ("many", "counted", "optional", "spare", "text", "leading")}
        words = {"words": find_words(slot.choices)} if slot.choices else {}
        told = {"name": slot.name, "title": slot.title.printed(telling.language), "lead": lead}
        return told | words | {kind: True for kind, holds in kinds.items() if holds}

    def form_shape(form: Form) -> dict[str, Any]:
        keyword = to_keyword(form.keyword, telling.language)
        about = fix_spaces(form.about.printed(telling.language), telling.language)
        called = form.called.printed(telling.language)
        slots = [slot_shape(slot) for slot in form.slots]
        return {"keyword": keyword, "called": called, "about": about, "slots": slots}

    questions = [
        {
            "key": part.key,
            "kind": part.kind,
            "title": part.title,
            "about": part.about,
            "said": said.get(part.section.key, "") if part.section.open else "",
            "step": owed.index(part.section.key) if part.section.key in owed else None,
            "several": part.is_multiple,
            "pass": order_builder.pass_line(part.section, telling.language) if _may_pass(part.section) else "",
            "forms": [form_shape(form) for form in part.section.forms] if whole or part.section.open else [],
        }
        for part in parts
    ]
    return {"questions": questions, "words": lists, "places": places}


def _may_pass(section: Section) -> bool:
    return section.open and section.topic.may_pass


# --- what can follow


def list_rows(teller: MoveTeller) -> list[dict[str, Any]]:
    """The rows of a draft by number from 0: which question each answers, and by which form if it is a plain order."""
    found, facts = list[dict[str, Any]](), teller.telling.grammar.facts
    for key, section in teller.sections.items():
        written = teller.draft.sets.get(section.key)
        if section in teller.telling.grammar.reactions:
            reaction = teller.draft.reactions.get(section.topic.key)
            found += [_row_shape(key, section, reaction)] if reaction is not None else []
        elif written is not None:
            rows = ((line, _row_shape(key, section, line)) for line in written.lines)
            found += [row | {"but": conditions.list_kinds(section, line.line, facts)} for line, row in rows]
            found += [{"row": written.pass_number - 1, "question": key, "pass": True}] if written.is_pass else []
    return found


def _row_shape(key: str, section: Section, written: ParsedLine) -> dict[str, Any]:
    told = {"row": written.number - 1, "question": key}
    order = _plain_order(written.line)
    for number, form in enumerate(section.forms if order is not None else ()):
        values = form.parse(order) if order is not None else None
        if values is not None:
            return told | {"form": number, "values": to_plain(form, values)}
    return told


def _plain_order(line: Line | None) -> Order | None:
    """The order of a line without conditions, tries and alternatives."""
    if line is None or len(line.plan) != 1 or line.plan[0].conditions or line.fallback or line.repeat != 1:
        return None
    return line.plan[0].order


def suggest_lines(teller: MoveTeller, key: str) -> list[str]:
    """Suggested lines for a question that are legal behind its draft, best first; of sets the best one alone."""
    return list(dict.fromkeys(teller.print_order(key, order) for order in _legal_suggestions(teller, key)))


def _legal_suggestions(teller: MoveTeller, key: str) -> Iterator[Order]:
    moves, sets, section = teller.moves(key), set[int](), teller.sections[key]
    told = map(_plain_order, section.likely[:MOST_LIKELY]) if section.open else section.examples[:MOST_LIKELY]
    for order in told:
        read = ((n, form, form.parse(order)) for n, form in enumerate(moves.forms) if order is not None)
        number, form, values = next((one for one in read if one[2] is not None), (0, None, None))
        if order is None or form is None or values is None or number in sets or moves.refusal(form, values):
            continue
        if any(slot.many and not slot.optional for slot in form.slots):
            sets.add(number)
        yield order


def describe_moves(teller: MoveTeller, rows: Sequence[str]) -> dict[str, Any]:
    """What may follow a draft: for each question where a line more belongs, and for the open ones what it may be."""
    own = {key: number for number, key in ((row["row"] + 1, row["question"]) for row in list_rows(teller))}
    found: dict[str, dict[str, Any]] = {}
    for key, section in teller.sections.items():
        at, head = own.get(key, 0), ""
        if key not in own:
            reaction = order_builder.field_kind(key, section) == "reaction"
            at, head = order_builder.find_place(rows, section, teller.telling.language, reaction=reaction)
        found[key] = {"at": at, "heading": head}
        if section.open:
            forms = msgspec.to_builtins(teller.answer(shapes.MovesRequest(key)).forms)
            found[key] |= {"forms": forms, "likely": suggest_lines(teller, key)}
    return found


@validates()
def moves(visit: PageRequest) -> ResponseReturnValue:
    """What is legal below the lines that are being written, by the same function as for programs."""
    if visit.membership is None:
        raise NotFound
    text = read_text()
    try:
        asked = msgspec.json.decode(request.form.get("asked", ""), type=list[shapes.MovesRequest])[:MOST_ASKED]
        change = msgspec.json.decode(request.form.get("but", "null"), type=conditions.RowChange | int | None)
    except msgspec.MsgspecError:
        raise UnprocessableEntity from None
    if visit.membership.state != GameState.RUNNING:
        return {"moved": visit.translate("play.gone_on")}
    shown = game_pages.load_seat_page(visit.services, visit.me.id, visit.game, visit.seat)
    if parse_number(request.form, "entry") != shown.frame.entry:
        return {"moved": visit.translate("play.gone_on")}
    telling = Presenter(visit, shown.frame, shown.seen, lambda: shown.grammar)
    with limit(ANSWER_S):
        teller = MoveTeller(telling, parse_letter(text.splitlines(), shown.grammar, chatter=False))
        try:
            found = [msgspec.to_builtins(teller.answer(one)) for one in asked]
            likely = [suggest_lines(teller, one.question) if one.form is None else [] for one in asked]
            but = _answer_change(teller, change)
        except (ApiProblem, CannotPrint, ValueError):
            raise UnprocessableEntity from None
    shown_whole = {one.question for one in asked if one.form is None}
    made = order_builder.build_parts(shown.grammar, visit.language, (), telling.turn)
    parts = [part for part in made if part.key in shown_whole]
    return {"moves": found, "likely": likely, "asked": describe_questions(parts, telling, (), whole=True), **but}


def _answer_change(teller: MoveTeller, change: conditions.RowChange | int | None) -> dict[str, Any]:
    """The line of a row as it is to be, or for the number of a row its menu.  Raises ValueError."""
    if change is None:
        return {}
    if isinstance(change, int):
        return {"menu": conditions.describe_row(teller, change)}
    return {"line": conditions.write_change(teller, change)}


# --- what it would come to


@validates(replaceable=True)
def preview(visit: PageRequest) -> ResponseReturnValue:
    """What the lines that are being written would come to: for the page's script, by the same judge as a letter."""
    if visit.membership is None:
        raise NotFound
    if visit.membership.state != GameState.RUNNING:
        return {"closed": visit.translate("play.gone_on")}
    lines, entry = read_text().splitlines(), parse_number(request.form, "entry")
    found = web_orders.preview_draft(visit.services, visit.me.id, visit.game, entry, lines)
    if isinstance(found, web_orders.GameClosed):
        return {"closed": visit.translate("outcome.closed")}
    return _preview_response(visit, found, lines)


def _preview_response(visit: PageRequest, found: web_orders.DraftPreview, lines: Sequence[str]) -> dict[str, Any]:
    facts = found.facts
    telling = Presenter(visit, facts.frame, facts.view, lambda: found.parsed.grammar)
    sets = telling.sets(facts)
    came, refused = _find_verdict(facts, sets), sum(told.refused for told in sets)
    kept = sum(line.is_valid for told in sets for line in told.lines)
    of, due = telling.count_open(facts, sets)
    with limit(ANSWER_S):
        teller = MoveTeller(telling, found.parsed.reading)
        open_moves = describe_moves(teller, lines)
        branches = conditions.list_branches(teller, _list_chosen(facts))
    judged = render_page(
        visit,
        "judged.html",
        told=telling,
        verdict=came,
        sets=sets,
        receipt=facts,
        commands=describe_commands(telling, facts),
        events=telling.events(facts.preview),
        branches=branches,
    )
    return {
        "verdict": came,
        "said": visit.translate(f"play.said.{came}", kept=kept, refused=refused),
        "why": [line.problem for told in sets for line in told.lines if line.problem][:3],
        "refused": refused,
        "judged": judged,
        "rows": list_rows(teller),
        "moves": open_moves,
        "budget": render_template("_budget.html", t=visit.translate, figures=telling.figures(found.state_after)),
        "answered": visit.translate("play.answered_of", done=of - len(due), of=of) if of > 1 else "",
        "open": visit.translate("play.still_open", topics=", ".join(due)) if due else "",
        "replaces": _describe_replaced(telling, facts),
        **_imagined_board(visit, telling, found),
        "moved": visit.translate("outcome.moved") if parse_number(request.form, "entry") < facts.frame.entry else "",
    }


def _list_chosen(facts: ReceiptFacts) -> dict[int, Clause | None]:
    """What would be done of each line that was tried, by the number of the line; None: nothing."""
    tried = (one for one in facts.sets if one.decision is not None and all(line.line for line in one.lines))
    return {line.number: line.chosen for one in tried for line in one.lines if line.problem is None}


def _describe_replaced(telling: Presenter, facts: ReceiptFacts) -> str:
    """Which orders that are in these would replace; empty where they replace none."""
    named = {(one.decision.gate, one.decision.topic) for one in facts.sets if one.decision is not None}
    filed = [o.decision.topic for o in facts.questions if o.filed and (o.decision.gate, o.decision.topic) in named]
    return telling.visit.translate("play.replaces", topics=", ".join(map(telling.topic, filed))) if filed else ""


def _find_verdict(facts: ReceiptFacts, sets: Sequence[SetReceipt]) -> str:
    """What was found of all that is written; `command` where it holds no order, but a request that would be done."""
    came = find_verdict(facts, sets)
    done = any(command.outcome not in ("refused", "unverified") for command in facts.commands)
    return "command" if came == "nothing" and done else came


def describe_commands(telling: Presenter, facts: ReceiptFacts) -> tuple[str, ...]:
    """What came of the commands beside orders."""
    said = []
    for command in facts.commands:
        topic = telling.topic(command.argument, command.number)
        key = f"command.{command.name}_{command.outcome}"
        said.append(telling.visit.translate(key, about=topic or command.argument))
    return tuple(said)


def _imagined_board(visit: PageRequest, telling: Presenter, found: web_orders.DraftPreview) -> dict[str, Any]:
    """The board with what the orders would add to it, as differences from the one that the asking page holds.

    The whole of it where that page holds another; nothing where the game draws none, or nothing would change.
    """
    if found.view is None or not isinstance(telling.rules, DrawsBoard):
        return {}
    shown = telling.rules.draw(telling.view(), visit.language, preview=found.view, live=True)
    held = maps.load_live_board(visit, telling.frame.entry)
    if request.form.get("map") != hash_pieces(held):
        return {"map": shown}
    return {"changes": compute_hunks(held, shown)}


def draft_of(telling: Presenter, text: str) -> MoveTeller:
    """What may follow a text, for a page that is made without a script."""
    reading = parse_letter(text.splitlines(), telling.grammar, chatter=False) if text.strip() else ParsedLetter()
    return MoveTeller(telling, reading)
