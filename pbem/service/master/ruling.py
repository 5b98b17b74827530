"""A master's rulings: what is put right, taken back, gone back to, told again or drawn again, at all doors.

What a ruling would do is shown from what everybody sees.  A play worker carries it out, since only it may read the
rest, and writes to all; its master has a letter where it could not be done.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.corrections import Uncorrectable
from engine.kernel.forms import Choice, Form, Slot, Words, words
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.orders import Order, Problem
from engine.kernel.secrets import redact
from pbem.narration.facts import ActRead, MasterFacts, Said, ToldFacts
from pbem.service import reports, rulings
from pbem.service.letters import draft
from pbem.service.master import masters
from pbem.service.master.forms import names, one, text_slot
from pbem.service.master.letters import frame_of, new_address
from pbem.service.master.registry import Action, Desk, Outcome, Refused, register
from pbem.service.office import Office
from pbem.service.play import Visit
from pbem.service.rewinds import Otherwise
from pbem.service.rulings import Wanted
from pbem.store.games import seated
from pbem.store.models import EntryRow, Game, User
from pbem.text import one_line
from pbem.vault import new_token

LONGEST_REASON: Final = 300
KEYWORDS: Final[Mapping[str, Words]] = {
    "correct": words("CORRIGER|CORRECTION", "CORRECT|CORRECTION"),
    "undo": words("ANNULER ARBITRAGE|ANNULER L'ARBITRAGE", "UNDO|UNDO RULING"),
    "rewind": words("REVENIR|REVENIR À|RETOUR À", "REWIND|REWIND TO"),
    "again": words("REJUGER", "ADJUDICATE AGAIN|ADJUDICATE"),
    "forward": words("REJOUER", "ROLL FORWARD"),
    "reroll": words("REFAIRE TIRAGE|RETIRER AU SORT", "REROLL|DRAW AGAIN"),
}
"""How each of them begins."""


class Correct(Order):
    """Put something right: the lines that follow say what."""

    reason: str


class Undo(Order):
    """Take a ruling back."""

    entry: int
    reason: str = ""


class Rewind(Order):
    """Go back to after an entry."""

    entry: int
    drafts: str = "with"
    reason: str = ""


class Again(Order):
    """Tell the entries again from one on, under the corrections that follow; only shown."""

    entry: int
    reason: str = ""


class Forward(Order):
    """The same, and make it so."""

    entry: int
    reason: str = ""


class Reroll(Order):
    """Make a draw of an entry anew, or all of them."""

    entry: int
    nth: int = 0
    reason: str = ""


def _wanted(desk: Desk, kind: str, reason: str, entry: int = 0, nth: int = 0, *, drafts: bool = True) -> Wanted:
    said = one_line(reason, LONGEST_REASON).rstrip(" .")
    return Wanted(kind, desk.user.id, desk.user.name, said, desk.game.entry, desk.body, entry, nth, drafts)


def _asked(desk: Desk, wanted: Wanted) -> Outcome:
    rulings.ask(desk.office, desk.session, desk.game, wanted)
    return Outcome((Said("ruling_asked"),), told=True, reason=wanted.reason)


def _entry(desk: Desk, entry: int, least: int = 1) -> None:
    """Raises Refused for an entry that there is not, or that is the last."""
    if not least <= entry <= desk.game.entry:
        raise Refused("ruling", problem=Problem("no_such_entry", {"entry": entry}))


# --- corrections


def would_correct(desk: Desk, order: Correct) -> Outcome:
    """The public difference; and of each other seat, only that something private changes for it."""
    if not order.reason.strip():
        raise Refused("reason_wanted")
    shown = _trial(desk)
    private = (Said("private_too", {"names": tuple(names(desk)[seat] for seat in shown.private)}),)
    return Outcome(private if shown.private else (), shown.events)


def _trial(desk: Desk) -> rulings.Trial:
    try:
        return rulings.trial(desk.office, desk.session, desk.game, desk.body, desk.user.language)
    except rulings.Unreadable as error:
        raise Refused("ruling", problem=error.problem, written=error.written) from None
    except Uncorrectable as error:
        raise Refused("ruling", problem=error.problem) from None


def correct(desk: Desk, order: Correct) -> Outcome:
    """Hand it to the play worker."""
    would_correct(desk, order)
    return _asked(desk, _wanted(desk, "correct", order.reason))


def would_undo(desk: Desk, order: Undo) -> Outcome:
    """Whose ruling it was is known; whether play has moved on, the play worker finds."""
    _entry(desk, order.entry)
    gate = desk.session.scalar(
        select(EntryRow.gate).where(EntryRow.game_id == desk.game.id, EntryRow.number == order.entry)
    )
    if gate != rulings.CORRECTION:
        raise Refused("ruling", problem=Problem("no_ruling_there", {"entry": order.entry}))
    return Outcome((Said("would_undo", {"entry": order.entry}),))


def undo(desk: Desk, order: Undo) -> Outcome:
    """Hand it to the play worker."""
    would_undo(desk, order)
    return _asked(desk, _wanted(desk, "undo", order.reason, order.entry))


# --- going back


def would_rewind(desk: Desk, order: Rewind) -> Outcome:
    """How far, and what becomes of what was filed since."""
    if order.entry >= desk.game.entry:
        raise Refused("ruling", problem=Problem("no_such_entry", {"entry": order.entry}))
    _entry(desk, order.entry)
    terms = {"entry": order.entry, "last": desk.game.entry, "drafts": order.drafts == "with"}
    return Outcome((Said("would_rewind", terms),))


def rewind(desk: Desk, order: Rewind) -> Outcome:
    """Hand it to the play worker."""
    would_rewind(desk, order)
    return _asked(desk, _wanted(desk, "rewind", order.reason, order.entry, drafts=order.drafts == "with"))


def would_again(desk: Desk, order: Again | Forward) -> Outcome:
    """What is told again; the lines must be such as can be read now."""
    _entry(desk, order.entry, least=2)
    _readable(desk)
    code = "would_show_again" if isinstance(order, Again) else "would_forward"
    return Outcome((Said(code, {"entry": order.entry, "last": desk.game.entry}),))


def _readable(desk: Desk) -> None:
    seen = reports.last_view(desk.office, desk.session, desk.game, PUBLIC)
    try:
        rulings.orders_of(desk.office.rules(desk.game.title), seen, desk.body, desk.user.language)
    except rulings.Unreadable as error:
        raise Refused("ruling", problem=error.problem, written=error.written) from None


def again(desk: Desk, order: Again) -> Outcome:
    """The play worker tells them again, and writes what would differ."""
    would_again(desk, order)
    rulings.ask(desk.office, desk.session, desk.game, _wanted(desk, "again", order.reason, order.entry))
    return Outcome((Said("again_asked"),))


def forward(desk: Desk, order: Forward) -> Outcome:
    """Hand it to the play worker."""
    would_again(desk, order)
    return _asked(desk, _wanted(desk, "forward", order.reason, order.entry))


def would_reroll(desk: Desk, order: Reroll) -> Outcome:
    """Which draws; nobody can know what comes."""
    _entry(desk, order.entry, least=2)
    return Outcome((Said("would_reroll", {"entry": order.entry, "nth": order.nth, "last": desk.game.entry}),))


def reroll(desk: Desk, order: Reroll) -> Outcome:
    """Hand it to the play worker."""
    would_reroll(desk, order)
    return _asked(desk, _wanted(desk, "reroll", order.reason, order.entry, order.nth))


# --- what the play worker writes to masters


def refusal(office: Office, session: Session, game: Game, wanted: Wanted, mark: str, problem: Problem) -> None:
    """It could not be done, and why."""
    act = ActRead(1, "", "", "refused", problem=problem)
    _write(office, session, game, wanted, mark, act)


def difference(at: Visit, wanted: Wanted, found: Otherwise) -> None:
    """What telling entries again would bring."""
    players = {row.seat: user.name for row, user in seated(at.session, at.game.id)}
    said = [Said("again_same", {"entry": wanted.entry, "same": found.same})]
    for code, number in (("again_other", found.other), ("again_stops", found.stops), ("again_draws", found.drawn)):
        said += [Said(code, {"entry": number})] if number else []
    if not (found.other or found.stands or found.private or found.stops or found.drawn):
        said = [Said("again_alike", {"entry": wanted.entry})]
    if found.private:
        said.append(Said("private_too", {"names": tuple(players.get(seat, str(seat)) for seat in found.private)}))
    act = ActRead(1, "", "", "preview", tuple(said), events=found.events)
    _write(at.office, at.session, at.game, wanted, new_token()[:12], act)


def _write(office: Office, session: Session, game: Game, wanted: Wanted, mark: str, act: ActRead) -> None:
    user = session.get_one(User, wanted.user)
    token = new_address(office, session, game, user)
    view = reports.last_view(office, session, game, PUBLIC)
    line = f"{KEYWORDS[wanted.kind].shown(user.language)} {wanted.entry or wanted.reason}"
    shown = replace(act, written=line, line=line)
    facts = MasterFacts(frame_of(office, session, game, user, token), (shown,), view=view)
    draft(office, session, key=f"{game.id}.{user.id}.{mark}.ruled", kind="master", facts=facts, user_id=user.id,
          game_id=game.id, entry=game.entry)  # fmt: skip


def to_other_masters(at: Visit, wanted: Wanted) -> None:
    """Masters without a seat read what everybody may."""
    sitting = {user.id for _, user in seated(at.session, at.game.id)}
    events = tuple(event for _, event in at.told.get(Seat(PUBLIC), ()))
    for user in masters.masters_of(at.session, at.game):
        if user.id not in sitting:
            frame = reports.frame_of(at.office, at.session, at.game, "", user, "", at.now)
            facts = ToldFacts(
                frame,
                wanted.by,
                (Said("ruled", {"name": wanted.by}),),
                wanted.reason,
                events,
                redact(at.position, PUBLIC),
            )
            draft(at.office, at.session, key=f"{at.game.id}.{at.game.entry}.{user.id}.ruled", kind="told", facts=facts,
                  user_id=user.id, game_id=at.game.id, entry=at.game.entry)  # fmt: skip


# --- how they are written

_REASON: Final = text_slot("reason", words("raison", "reason"), lead=words("CAR|PARCE QUE|POUR", "BECAUSE|AS|FOR"),
                           optional=True)  # fmt: skip
_ENTRY: Final = Slot("entry", "number", words("entrée", "entry"), low=1, high=999_999)
_WITH: Final = (
    Choice("with", words("avec brouillons|avec les brouillons", "with drafts")),
    Choice("without", words("sans brouillons|sans les brouillons", "without drafts")),
)
_DRAFTS: Final = Slot("drafts", "drafts", words("brouillons", "drafts"), _WITH, optional=True, unsaid="with")
_NTH: Final = Slot("nth", "number", words("tirage", "draw"), low=1, high=999, optional=True, unsaid=0,
                   lead=words("TIRAGE|NUMÉRO", "DRAW|NUMBER"))  # fmt: skip

register(Action("correct", one(Form(
    KEYWORDS["correct"], Correct, (text_slot("reason", words("raison", "reason")),), {},
    words("Corriger la table, avec la raison ; les lignes suivantes, jusqu'à FIN, disent comment.",
          "Correct the table, with the reason; the lines that follow, up to END, say how."),
)), would_correct, correct, dangerous=True, second=True, body=True))  # fmt: skip
register(Action("undo", one(Form(
    KEYWORDS["undo"], Undo, (_ENTRY, _REASON), {},
    words("Annuler l'arbitrage d'une entrée.", "Undo the ruling of an entry."),
)), would_undo, undo, dangerous=True, second=True))  # fmt: skip
register(Action("rewind", one(Form(
    KEYWORDS["rewind"], Rewind, (_ENTRY, _DRAFTS, _REASON), {},
    words("Revenir juste après une entrée ; ce qui suit ne compte plus.",
          "Go back to just after an entry; nothing since then counts."),
)), would_rewind, rewind, dangerous=True, second=True, consent=True))  # fmt: skip
register(Action("again", one(Form(
    KEYWORDS["again"], Again, (_ENTRY, _REASON), {},
    words("Rejuger les entrées depuis l'une d'elles, avec les corrections qui suivent ; rien ne change.",
          "Judge the entries again from one on, with the corrections that follow; nothing changes."),
)), would_again, again, body=True))  # fmt: skip
register(Action("forward", one(Form(
    KEYWORDS["forward"], Forward, (_ENTRY, _REASON), {},
    words("Rejuger de même, et adopter le résultat.", "Judge again in the same way, and adopt the result."),
)), would_again, forward, dangerous=True, second=True, consent=True, body=True))  # fmt: skip
register(Action("reroll", one(Form(
    KEYWORDS["reroll"], Reroll, (_ENTRY, _NTH, _REASON), {},
    words("Refaire un tirage d'une entrée, ou tous ; le reste est rejoué tel quel.",
          "Redo one draw of an entry, or all of them; the rest is played again as it was."),
)), would_reroll, reroll, dangerous=True, second=True, consent=True))  # fmt: skip
