"""Pages about other ways than mail: the channels of a table, for its host; and one's account at Discord."""

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel.languages import NAMES
from pbem.service.base.webhook_ports import FORMS
from pbem.service.channels import chat, webhooks
from pbem.web.access import redirect_to
from pbem.web.form_input import is_post
from pbem.web.site import PageRequest, render_page


def edit_webhooks(visit: PageRequest) -> ResponseReturnValue:
    """The channels that a table writes to, their health, and a form to add one; every button does one thing."""
    if is_post():
        try:
            _apply(visit)
        except webhooks.InvalidWebhook as refused:
            if refused.code == "not_yours":
                raise NotFound from None
            return _page(visit, visit.translate(f"channels.refused.{refused.code}")), 422
        return redirect_to(f"/games/{visit.game}/channels")
    return _page(visit, "")


def _apply(visit: PageRequest) -> None:
    given, me = request.form, visit.me.id
    match given.get("act", ""):
        case "add":
            webhooks.add_webhook(
                visit.services,
                me,
                visit.game,
                given.get("form", ""),
                given.get("language", ""),
                given.get("address", ""),
            )
        case "remove":
            webhooks.remove_webhook(visit.services, me, visit.game, given.get("channel", ""))
        case "on" | "off" as act:
            webhooks.set_enabled(visit.services, me, visit.game, given.get("channel", ""), on=act == "on")


def _page(visit: PageRequest, problem: str) -> str:
    """The page never shows an address again, nor one that was refused: a look over a shoulder shows none."""
    return render_page(
        visit,
        "channels.html",
        found=webhooks.list_webhooks(visit.services, visit.game),
        problem=problem,
        forms=FORMS,
        chosen=request.form.get("form", FORMS[0]),
        tongue=request.form.get("language", visit.language),
        names=NAMES,
        most=webhooks.MAX_WEBHOOKS,
        because=lambda error: _reason_text(visit, error),
    )


NO_THREAD = "220001"
"""Discord's number for a webhook of a forum, which needs a thread to write to."""


def _reason_text(visit: PageRequest, error: str) -> str:
    """What went wrong, in words: what came over the wire, or why nothing went."""
    status, _, code = error.partition(" ")
    if code == NO_THREAD:
        return visit.translate("channels.because.forum")
    if status.isdecimal():
        return visit.translate("channels.because.status", status=error)
    known = error if error in ("unknown", "connect", "tls", "inside") else "address"
    return visit.translate(f"channels.because.{'no_answer' if error == 'no answer' else known}")


def discord_account(visit: PageRequest) -> ResponseReturnValue:
    """One's account at Discord: whether one is linked, a code to link one, and the end of the link."""
    code = ""
    if is_post():
        match request.form.get("act", ""):
            case "code" if visit.site.config.discord:
                code = chat.create_link_code(visit.services, visit.me.id)
            case "unlink":
                chat.unlink_account(visit.services, visit.me.id)
                return redirect_to("/settings/discord")
    return render_page(
        visit,
        "account.html",
        linked=chat.find_account(visit.services, visit.me.id),
        code=code,
        possible=visit.site.config.discord,
    )
