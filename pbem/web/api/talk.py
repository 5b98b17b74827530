"""Talk at a table: what one may hear, saying something, one's diary, and whom one does not hear."""

from pbem.service.messages import conversations, messages
from pbem.service.messages.messages import MessageRefused
from pbem.web.api import shapes, shapes_records, shapes_talk
from pbem.web.api.acting import execute
from pbem.web.api.guard import ApiRequest
from pbem.web.api.plain import to_moment
from pbem.web.api.problems import ApiProblem

MAX_MESSAGES = 200
"""Messages of a finished game in one answer."""


def get_conversation(call: ApiRequest) -> shapes_talk.Conversation:
    """What was said that you may hear."""
    found = conversations.load_conversation(
        call.visit.services, call.user, call.game, call.query(shapes_talk.MessageQuery).before
    )
    circles = [shapes_talk.Audience(one.name, one.display_name, one.muted) for one in found.audiences]
    return shapes_talk.Conversation(
        call.game,
        [_to_message(one) for one in found.messages],
        [_to_message(one) for one in found.diary],
        circles,
        found.policy.unsigned,
        found.unsigned_muted,
        found.before,
    )


def get_archived_talk(call: ApiRequest) -> shapes_records.RecordTalk:
    """All that was said and noted in a finished game."""
    first = call.query(shapes_records.PageQuery).leave_out
    found = conversations.record_of(call.visit.services, call.game)
    shown = [_to_message(one) for one in found[first : first + MAX_MESSAGES]]
    return shapes_records.RecordTalk(call.game, shown, first + MAX_MESSAGES if len(found) > first + MAX_MESSAGES else 0)


def _to_message(one: conversations.VisibleMessage) -> shapes_talk.Message:
    return shapes_talk.Message(
        one.number, one.kind, one.entry, to_moment(one.made), one.seat, one.name, list(one.to), one.text, one.is_own
    )


def send_message(call: ApiRequest) -> shapes_talk.MessageResult:
    """Say something, once for each key."""
    said, form = call.sent(shapes_talk.MessageRequest), call.form_id()
    try:
        names = messages.send(
            call.visit.services, call.user, call.game, said.to, said.text, form, unsigned=said.unsigned
        )
    except MessageRefused as refused:
        raise _to_problem(call, refused) from None
    return shapes_talk.MessageResult(call.game, list(names))


def write_diary(call: ApiRequest) -> shapes_talk.MessageResult:
    """Write into your diary, once for each key."""
    form = call.form_id()
    try:
        messages.write_diary(call.visit.services, call.user, call.game, call.sent(shapes_talk.DiaryRequest).text, form)
    except MessageRefused as refused:
        raise _to_problem(call, refused) from None
    return shapes_talk.MessageResult(call.game, [])


def set_mute(call: ApiRequest) -> shapes.ActionResult:
    """Stop hearing a player, or hear them again."""
    asked = call.sent(shapes_talk.MuteRequest)
    return execute(call, lambda: messages.set_muted(call.visit.services, call.user, call.game, asked.seat, asked.muted))


def _to_problem(call: ApiRequest, refused: MessageRefused) -> ApiProblem:
    """Why not, in the words of the page."""
    if refused.code == "too_often":
        return ApiProblem("too_many", {"Retry-After": str(int(str(refused.terms["minutes"])) * 60)})
    return ApiProblem("cannot_say", why=call.visit.translate(f"talk.refused.{refused.code}", **refused.terms))
