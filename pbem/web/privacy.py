"""What the server keeps of a person: all of it as a file, another address for it, or nothing any more."""

from typing import Final

from flask import Response, request
from flask.typing import ResponseReturnValue

from pbem.service.base import limits
from pbem.service.base.services import RequestRefused
from pbem.service.pages import data_export
from pbem.service.seats import accounts, sign_in
from pbem.web.form_input import is_post
from pbem.web.site import PageRequest, render_form, render_page

ROWS: Final = (
    "address",
    "letters",
    "passing",
    "orders",
    "views",
    "talk",
    "links",
    "browsers",
    "ended",
    "logs",
    "copies",
)
"""In the order of the table; their words are in the catalogue."""
SPANS: Final = {"days": limits.DONE_DAYS, "reply": limits.REPLY_DAYS}


def data_policy(visit: PageRequest) -> ResponseReturnValue:
    """What is kept of everybody, a row each."""
    return render_page(visit, "privacy.html", rows=ROWS, spans=SPANS)


def download_data(visit: PageRequest) -> ResponseReturnValue:
    """What is kept of this person."""
    answer = Response(data_export.export_json(visit.services, visit.me.id), mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="pbem.json"'
    return answer


def change_address(visit: PageRequest) -> ResponseReturnValue:
    """Ask for another address; the answer is the same whoever has it."""
    written, problem = request.form.get("address", ""), ""
    if is_post():
        try:
            sign_in.request_address_change(visit.services, visit.me.id, written)
        except RequestRefused as refused:
            problem = visit.refusal(refused)
    return render_form(visit, "address.html", asked=is_post() and not problem, problem=problem, written=written)


def confirm_address(visit: PageRequest, token: str) -> ResponseReturnValue:
    """The link at one end of a change of address: looking does nothing, its button agrees."""
    outcome = sign_in.confirm_change(visit.services, token) if is_post() else ""
    change = sign_in.find_change(visit.services, token) if not outcome else None
    answer = render_page(visit, "address_change.html", outcome=outcome, change=change)
    return answer if outcome or change else (answer, 410 if is_post() else 200)


def request_deletion(visit: PageRequest) -> ResponseReturnValue:
    """What being forgotten means, and a letter that asks once more."""
    problem = ""
    if is_post():
        try:
            accounts.request_deletion(visit.services, visit.me.id)
        except RequestRefused as refused:
            problem = visit.refusal(refused)
    leaving = accounts.is_deletion_pending(visit.services, visit.me.id)
    return render_form(
        visit, "account_deletion.html", asked=is_post() and not problem, problem=problem, leaving=leaving
    )


def delete_account(visit: PageRequest, token: str) -> ResponseReturnValue:
    """The link of that letter: looking does nothing, its button is the last word."""
    if not is_post():
        return render_page(
            visit, "account_deleted.html", outcome="", good=accounts.is_valid_deletion(visit.services, token)
        )
    done = accounts.confirm_deletion(visit.services, token)
    outcome = "" if done is None else "done" if done else "waits"
    reader = PageRequest(visit.site, None, visit.language)
    answer = render_page(reader, "account_deleted.html", outcome=outcome, good=False)
    return answer if outcome else (answer, 410)
