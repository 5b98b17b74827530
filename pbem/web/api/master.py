"""The desk of a table's masters: the same lines as on the page, in letters and at the operator's command line."""

from dataclasses import replace

from engine.kernel.printing import usage
from pbem.narration.command_results import build_text
from pbem.narration.facts import MasterFacts
from pbem.service.base.services import RequestRefused
from pbem.service.masters import api
from pbem.service.masters.audit import AuditLine
from pbem.service.masters.registry import PROGRAM
from pbem.web.apart import validates
from pbem.web.api import shapes_master as s
from pbem.web.api import shapes_records
from pbem.web.api.acting import execute_once
from pbem.web.api.guard import ApiRequest, ApiResponse
from pbem.web.api.plain import to_moment
from pbem.web.api.problems import ApiProblem

MAX_LINES = 50
"""Acts of the audit in one answer."""


def get_master_page(call: ApiRequest) -> ApiResponse:
    """How the table stands, what may be asked for, what was done.  A program is no sign of its master."""
    before = call.query(shapes_records.HistoryQuery).before
    found = api.load_master_page(call.visit.services, call.user, call.game, PROGRAM)
    acts = [one for one in found.audit if not before or one.number < before]
    status = (
        [
            sentence
            for act in build_text(_without_forms(found.status), call.visit.site.narrator_for).acts
            for sentence in act.sentences
        ]
        if found.status is not None
        else []
    )
    forms = [
        s.MasterForm(
            usage(offer.form, call.visit.me.language),
            offer.form.about.printed(call.visit.me.language),
            offer.is_dangerous,
            offer.body,
        )
        for offer in found.command_forms
    ]
    shown = s.MasterPage(
        call.game,
        found.entry,
        list(found.masters),
        found.authority.master,
        status,
        forms,
        [_entry(one) for one in acts[:MAX_LINES]],
        acts[MAX_LINES - 1].number if len(acts) > MAX_LINES else 0,
    )
    return _with_language(call, shown)


def _without_forms(facts: MasterFacts) -> MasterFacts:
    return replace(facts, forms=())


def _entry(one: AuditLine) -> s.AuditEntry:
    return s.AuditEntry(
        one.number, to_moment(one.at), one.entry, one.name, one.channel, one.line, one.outcome, one.reason
    )


@validates(replaceable=True)
def preview_commands(call: ApiRequest) -> ApiResponse:
    """What lines would do; nothing of it is kept."""
    lines = call.sent(s.MasterPreviewRequest).lines
    try:
        facts = api.preview_commands(call.visit.services, call.game, call.user, lines, PROGRAM)
    except RequestRefused:
        raise ApiProblem("not_found") from None
    return _with_language(call, _to_answer(call, facts))


@validates()
def execute_commands(call: ApiRequest) -> ApiResponse:
    """Do what lines ask for; what cannot be taken back asks for its word first."""
    asked = call.sent(s.MasterRequest)
    try:
        facts = execute_once(
            call,
            lambda: api.execute(call.visit.services, call.game, call.user, asked.lines, asked.word, PROGRAM),
        )
    except RequestRefused:
        raise ApiProblem("not_found") from None
    answer = _to_answer(call, facts) if facts is not None else s.MasterResult(call.game, "repeated")
    return _with_language(call, answer)


def _to_answer(call: ApiRequest, facts: MasterFacts) -> s.MasterResult:
    found = build_text(facts, call.visit.site.narrator_for)
    acts = [
        s.CommandResult(one.number, one.written, one.line, one.outcome, list(one.sentences), one.word)
        for one in found.acts
    ]
    return s.MasterResult(
        call.game,
        "read",
        acts,
        list(found.lead),
        [text for _, text in found.skipped],
        [
            *(f"{line}: {about}" for line, about in found.forms),
            *(f"{line}: {about} ({example})" for line, about, example in found.corrections),
        ],
        found.until,
    )


def _with_language(call: ApiRequest, body: s.MasterPage | s.MasterResult) -> ApiResponse:
    """Lines of masters are read in every language, and written in that of their reader."""
    return ApiResponse(body, headers={"Content-Language": call.visit.me.language})
