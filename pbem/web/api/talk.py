"""Talk at a table: what one may hear, saying something, one's diary, and whom one does not hear."""

from pbem.service.access import programs
from pbem.service.talk import hearing, messages, muting, transcript
from pbem.service.talk.messages import CannotSay
from pbem.web.api import shapes, shapes_records, shapes_talk
from pbem.web.api.acting import done
from pbem.web.api.guard import Call
from pbem.web.api.plain import moment
from pbem.web.api.problems import Trouble

MOST = 200
"""Messages of a finished game in one answer."""


def heard(call: Call) -> shapes_talk.Talk:
    """What was said that you may hear."""
    found = hearing.conversation(call.visit.services, call.user, call.game, call.query(shapes_talk.Older).before)
    circles = [shapes_talk.Circle(one.name, one.called, one.muted) for one in found.circles]
    return shapes_talk.Talk(
        call.game,
        [_heard(one) for one in found.heard],
        [_heard(one) for one in found.diary],
        circles,
        found.allows.unsigned,
        found.unsigned_muted,
        found.before,
    )


def recorded(call: Call) -> shapes_records.RecordTalk:
    """All that was said and noted in a finished game."""
    first = call.query(shapes_records.Onward).leave_out
    found = transcript.record_of(call.visit.services, call.game)
    shown = [_heard(one) for one in found[first : first + MOST]]
    return shapes_records.RecordTalk(call.game, shown, first + MOST if len(found) > first + MOST else 0)


def _heard(one: hearing.Heard) -> shapes_talk.Heard:
    return shapes_talk.Heard(
        one.number, one.kind, one.entry, moment(one.made), one.seat, one.name, list(one.to), one.text, one.mine
    )


def say(call: Call) -> shapes_talk.SaidMessage:
    """Say something, once for each key."""
    said, form = call.sent(shapes_talk.Saying), programs.form_of(call.bearer, f"{call.game}/talk", call.key)
    try:
        names = messages.say(
            call.visit.services, call.user, call.game, said.to, said.text, form, unsigned=said.unsigned
        )
    except CannotSay as refused:
        raise _trouble(call, refused) from None
    return shapes_talk.SaidMessage(call.game, list(names))


def note(call: Call) -> shapes_talk.SaidMessage:
    """Write into your diary, once for each key."""
    form = programs.form_of(call.bearer, f"{call.game}/diary", call.key)
    try:
        messages.note(call.visit.services, call.user, call.game, call.sent(shapes_talk.Noting).text, form)
    except CannotSay as refused:
        raise _trouble(call, refused) from None
    return shapes_talk.SaidMessage(call.game, [])


def hear(call: Call) -> shapes.Done:
    """Stop hearing a player, or hear them again."""
    asked = call.sent(shapes_talk.Hearing)
    return done(call, "hear", lambda: muting.mute(call.visit.services, call.user, call.game, asked.seat, asked.muted))


def _trouble(call: Call, refused: CannotSay) -> Trouble:
    """Why not, in the words of the page."""
    if refused.code == "too_often":
        return Trouble("too_many", {"Retry-After": str(int(str(refused.terms["minutes"])) * 60)})
    return Trouble("cannot_say", why=call.visit.say(f"talk.refused.{refused.code}", **refused.terms))
