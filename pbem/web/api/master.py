"""The desk of a table's masters: the same lines as on the page, in letters and at the operator's command line."""

from dataclasses import replace

from engine.kernel.printing import usage
from pbem.narration.facts import MasterFacts
from pbem.narration.mastering import master_text
from pbem.service.base.services import Refused
from pbem.service.masters import entry_points
from pbem.service.masters.audit import Entry
from pbem.service.masters.registry import PROGRAM
from pbem.service.pages import master_page
from pbem.web.api import shapes_master as s
from pbem.web.api import shapes_records
from pbem.web.api.acting import once
from pbem.web.api.guard import Call, Reply
from pbem.web.api.plain import moment
from pbem.web.api.problems import Trouble

MOST = 50
"""Acts of the audit in one answer."""


def master_view(call: Call) -> Reply:
    """How the table stands, what may be asked for, what was done.  A program is no sign of its master."""
    before = call.query(shapes_records.Earlier).before
    found = master_page.page_of(call.visit.services, call.user, call.game, PROGRAM)
    acts = [one for one in found.audit if not before or one.number < before]
    status = (
        [
            sentence
            for act in master_text(_alike(found.status), call.visit.site.narrate).acts
            for sentence in act.sentences
        ]
        if found.status is not None
        else []
    )
    forms = [
        s.MasterForm(
            usage(offer.form, call.visit.me.language),
            offer.form.about.printed(call.visit.me.language),
            offer.dangerous,
            offer.body,
        )
        for offer in found.offers
    ]
    shown = s.MasterDesk(
        call.game,
        found.entry,
        list(found.masters),
        found.authority.master,
        status,
        forms,
        [_entry(one) for one in acts[:MOST]],
        acts[MOST - 1].number if len(acts) > MOST else 0,
    )
    return _in_their_language(call, shown)


def _alike(facts: MasterFacts) -> MasterFacts:
    return replace(facts, forms=())


def _entry(one: Entry) -> s.AuditEntry:
    return s.AuditEntry(one.number, moment(one.at), one.entry, one.name, one.door, one.line, one.outcome, one.reason)


def attempt(call: Call) -> Reply:
    """What lines would do; nothing of it is kept."""
    lines = call.sent(s.MasterTry).lines
    try:
        facts = entry_points.preview(call.visit.services, call.game, call.user, lines, PROGRAM)
    except Refused:
        raise Trouble("not_found") from None
    return _in_their_language(call, _answer(call, facts))


def act(call: Call) -> Reply:
    """Do what lines ask for; what cannot be taken back asks for its word first."""
    asked = call.sent(s.MasterLines)
    try:
        facts = once(
            call,
            f"{call.game}/master",
            lambda: entry_points.act(call.visit.services, call.game, call.user, asked.lines, asked.word, PROGRAM),
        )
    except Refused:
        raise Trouble("not_found") from None
    answer = _answer(call, facts) if facts is not None else s.MasterAnswer(call.game, "repeated")
    return _in_their_language(call, answer)


def _answer(call: Call, facts: MasterFacts) -> s.MasterAnswer:
    found = master_text(facts, call.visit.site.narrate)
    acts = [
        s.ActTold(one.number, one.written, one.line, one.outcome, list(one.sentences), one.word) for one in found.acts
    ]
    return s.MasterAnswer(
        call.game,
        "read",
        acts,
        list(found.lead),
        [text for _, text in found.skipped],
        [f"{line}: {about}" for line, about in found.forms],
        found.until,
    )


def _in_their_language(call: Call, body: s.MasterDesk | s.MasterAnswer) -> Reply:
    """Lines of masters are read in every language, and written in that of their reader."""
    return Reply(body, headers={"Content-Language": call.visit.me.language})
