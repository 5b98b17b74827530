"""Talk at a table: what one may hear, and saying something, to all, to some, to the master, or to one's diary."""

from pbem.service import programs, talk
from pbem.service.talk import CannotSay
from pbem.web.api import shapes
from pbem.web.api.guard import Call
from pbem.web.api.plain import at
from pbem.web.api.problems import Trouble


def heard(call: Call) -> shapes.Talk:
    """What was said that you may hear."""
    found = talk.parlour(call.visit.office, call.user, call.game, call.query(shapes.Older).before)
    circles = [shapes.Circle(one.name, one.called, one.muted) for one in found.circles]
    return shapes.Talk(call.game, [_told(one) for one in found.heard], [_told(one) for one in found.diary], circles,
                       found.allows.unsigned, found.before)  # fmt: skip


def _told(one: talk.Heard) -> shapes.Heard:
    return shapes.Heard(one.number, one.kind, one.entry, at(one.made), one.seat, one.name, list(one.to), one.text,
                        one.mine)  # fmt: skip


def say(call: Call) -> shapes.Spoken:
    """Say something, once for each key."""
    said, form = call.sent(shapes.Saying), programs.form_of(call.bearer, f"{call.game}/talk", call.key)
    try:
        names = talk.say(call.visit.office, call.user, call.game, said.to, said.text, form, unsigned=said.unsigned)
    except CannotSay as refused:
        raise _trouble(call, refused) from None
    return shapes.Spoken(call.game, list(names))


def note(call: Call) -> shapes.Spoken:
    """Write into your diary, once for each key."""
    form = programs.form_of(call.bearer, f"{call.game}/diary", call.key)
    try:
        talk.note(call.visit.office, call.user, call.game, call.sent(shapes.Noting).text, form)
    except CannotSay as refused:
        raise _trouble(call, refused) from None
    return shapes.Spoken(call.game, [])


def _trouble(call: Call, refused: CannotSay) -> Trouble:
    """Why not, in the words of the page."""
    if refused.code == "too_often":
        return Trouble("too_many", {"Retry-After": str(int(str(refused.terms["minutes"])) * 60)})
    return Trouble("cannot_say", why=call.visit.say(f"talk.refused.{refused.code}", **refused.terms))
