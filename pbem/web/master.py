"""The page of a table's masters, and of players who may call, elect or agree: its forms write lines of one language."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from engine.kernel.forms import Form, Slot
from engine.kernel.printing import line_from_fields, usage
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
        corrections=[_correction_form(visit, form) for form in shown.corrections],
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
    if correction:
        form = next((form for form in page.corrections if usage(form, visit.language) == correction), None)
        if form is None:
            raise NotFound
        text = _line(visit, form, "c")
    return "\n".join((line, *([text] if text else [])))


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
