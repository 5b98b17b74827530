"""The page of a table's masters, and of players who may call, elect or agree: its forms write lines of one language."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from engine.kernel.forms import Form, Slot
from engine.kernel.orders import Order
from engine.kernel.printing import line_from_fields, usage
from engine.kernel.rulings import Give, Take
from pbem.crypto import new_token
from pbem.narration.command_results import MasterText, build_text
from pbem.narration.facts import MasterFacts
from pbem.service.access import users
from pbem.service.base.services import RequestRefused
from pbem.service.masters import api
from pbem.service.masters.registry import WEB
from pbem.web.apart import validates
from pbem.web.form_input import is_post
from pbem.web.site import PageRequest, render_page

MAX_TEXT = 8_000
FIGURES = "figures"
"""The correction that is a table of all figures, instead of the fields of one line."""


@dataclass(frozen=True)
class Field:
    """One slot of a form: the name of its field, its title, what may be chosen or is wanted, and what was filled in."""

    name: str
    title: str
    kind: str
    choices: tuple[tuple[str, str], ...] = ()
    optional: bool = False
    low: int | None = None
    high: int | None = None
    value: str = ""


@validates()
def master_acts(visit: PageRequest) -> ResponseReturnValue:
    """What the button asks for: preview lines, do them, confirm what was asked for, have an address sent."""
    told_now: MasterText | None = None
    note, text, status = "", "", 200
    if is_post():
        text = _text(visit)
        if request.form.get("act") == "address":
            note = _address(visit)
        elif request.form.get("act") == "preview":
            told_now = _render_results(visit, _preview(visit, text))
        elif users.claim_form(visit.services, request.form.get("form", "")):
            told_now = _render_results(visit, _execute(visit, text))
        else:
            note, status = visit.translate("master.repeated"), 409
    wanted = "put" in request.args or "correction" in request.form
    shown = api.load_master_page(visit.services, visit.me.id, visit.game, corrections=wanted)
    standing = build_text(shown.status, visit.site.narrator_for) if shown.status is not None else None
    return render_page(
        visit,
        "master.html",
        room=shown,
        status=standing,
        told=told_now,
        note=note,
        text=text,
        form=new_token(),
        offers=[_command_form(visit, offer) for offer in shown.command_forms],
        corrections=[
            _correction_form(visit, form) for form in shown.corrections if not _has_figure_fields(shown, form)
        ],
        figures=_figures(visit, shown),
        put=wanted,
        reason=request.form.get("f.reason", ""),
        body=request.form.get("text", "") if request.form.get("form_of") else "",
    ), status


def _render_results(visit: PageRequest, facts: MasterFacts) -> MasterText:
    return build_text(facts, visit.site.narrator_for)


def _text(visit: PageRequest) -> str:
    """The lines that were sent: as they were written, or as the fields of a form write them."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    if len(text) > MAX_TEXT:
        raise RequestEntityTooLarge
    named = request.form.get("form_of", "")
    if not named:
        return text
    correction = request.form.get("correction", "")
    page = api.load_master_page(visit.services, visit.me.id, visit.game, corrections=bool(correction))
    offer = next((offer for offer in page.command_forms if offer.name == named), None)
    if offer is None:
        raise NotFound
    line = _line(visit, offer.form, "f")
    if correction == FIGURES:
        text = "\n".join(_figure_lines(visit, page))
    elif correction:
        form = next((form for form in page.corrections if usage(form, visit.language) == correction), None)
        if form is None:
            raise NotFound
        text = _line(visit, form, "c")
    return "\n".join((line, *([text] if text else [])))


def _figure_form(page: api.MasterPage, order: type[Order]) -> Form | None:
    """The form of GIVE or TAKE, if figures are shown beside which they need not be."""
    return next((form for form in page.corrections if page.figures and form.order is order), None)


def _has_figure_fields(page: api.MasterPage, form: Form) -> bool:
    """Return True for GIVE and TAKE where a field shows each figure that they change."""
    of_figures = form.order in (Give, Take)
    return of_figures and len(page.figures) == prod(len(slot.choices) for slot in form.slots if slot.choices)


def _figures(visit: PageRequest, page: api.MasterPage) -> Mapping[str, object]:
    """The figures as they stand, a row for each seat, and what was filled in."""
    form = _figure_form(page, Give)
    if form is None:
        return {}
    whats, seats = (slot.choices for slot in form.slots if slot.choices)
    used = request.form.get("correction") == FIGURES
    return {
        "used": used,
        "names": [what.names.printed(visit.language) for what in whats],
        "rows": [
            (
                seat.names.printed(visit.language),
                [
                    (f"{what.value}.{seat.value}", was, request.form.get(f"now.{what.value}.{seat.value}", was))
                    if (was := page.figures.get((seat.value, what.value))) is not None
                    else None
                    for what in whats
                ],
            )
            for seat in seats
        ],
    }


def _figure_lines(visit: PageRequest, page: api.MasterPage) -> Iterator[str]:
    """The lines that make of the figures that were shown those that were written."""
    for seat, what in page.figures:
        was, now = (request.form.get(f"{when}.{what}.{seat}", "").strip() for when in ("was", "now"))
        if was == now:
            continue
        try:
            by = int(now) - int(was)
        except ValueError:
            by, count = 1, now  # what is no number is refused as in a line
        else:
            count = str(abs(by))
        if (form := _figure_form(page, Give if by > 0 else Take)) is not None:
            yield line_from_fields(form, {"count": count, "what": what, "seat": seat}, visit.language)


def _line(visit: PageRequest, form: Form, prefix: str) -> str:
    """The line that the fields of a form write."""
    fields = {slot.name: request.form.get(f"{prefix}.{slot.name}", "") for slot in form.slots}
    return line_from_fields(form, fields, visit.language)


def _preview(visit: PageRequest, text: str) -> MasterFacts:
    try:
        return api.preview_commands(visit.services, visit.game, visit.me.id, text.split("\n"), WEB)
    except RequestRefused:
        raise NotFound from None


def _execute(visit: PageRequest, text: str) -> MasterFacts:
    try:
        return api.execute(visit.services, visit.game, visit.me.id, text.split("\n"), request.form.get("word", ""), WEB)
    except RequestRefused:
        raise NotFound from None


def _address(visit: PageRequest) -> str:
    try:
        api.send_address(visit.services, visit.me.id, visit.game)
    except RequestRefused:
        raise NotFound from None
    return visit.translate("master.address_sent")


def _command_form(visit: PageRequest, offer: api.CommandForm) -> Mapping[str, object]:
    """A form as the page shows it; the one that was used stands open, with what was filled in."""
    used = offer.name == request.form.get("form_of")
    return {
        "name": offer.name,
        "usage": usage(offer.form, visit.language),
        "about": offer.form.about.printed(visit.language),
        "keyword": offer.form.keyword.printed(visit.language),
        "fields": [_build_field(visit, slot, "f", used=used) for slot in offer.form.slots],
        "body": offer.body,
        "dangerous": offer.is_dangerous,
        "part": offer.group,
        "used": used,
    }


def _correction_form(visit: PageRequest, form: Form) -> Mapping[str, object]:
    """One line of CORRECT as fields; the one that was used stands open, with what was filled in."""
    line = usage(form, visit.language)
    used = line == request.form.get("correction")
    return {
        "usage": line,
        "about": form.about.printed(visit.language),
        "keyword": form.keyword.printed(visit.language),
        "fields": [_build_field(visit, slot, "c", used=used) for slot in form.slots],
        "used": used,
    }


def _build_field(visit: PageRequest, slot: Slot, prefix: str, *, used: bool) -> Field:
    several = slot.many or slot.amounts
    kind = "choice" if slot.choices and not several else "text" if slot.text or slot.choices else "number"
    choices = tuple((choice.value, choice.names.printed(visit.language)) for choice in slot.choices)
    title, filled = slot.title.printed(visit.language), request.form.get(f"{prefix}.{slot.name}", "") if used else ""
    return Field(f"{prefix}.{slot.name}", title, kind, choices, slot.optional, slot.low, slot.high, filled)
