"""What seats may ask for in the same language: agree, call the master, elect another one, put a seat out by vote."""

from engine.kernel.catalogues import words
from engine.kernel.forms import Form
from engine.kernel.orders import Order
from pbem.narration.facts import Said
from pbem.service.access import masters
from pbem.service.base.services import Refused
from pbem.service.masters import acting
from pbem.service.masters.forms import names, of_seat, one, row_of, text_slot
from pbem.service.masters.people import ADDRESS, known
from pbem.service.masters.registry import Action, Desk, Outcome, register
from pbem.service.masters.seats import put_out, way_out
from pbem.service.post.master_letters import call
from pbem.service.seats import elections
from pbem.store.games import seats


class Agree(Order):
    """Agree to what somebody else asked for."""

    word: str


class Call(Order):
    """The table needs its master."""


class Elect(Order):
    """A voice for a new master."""

    address: str


class VoteOut(Order):
    """A voice for putting a seat out of the game."""

    seat: str


def _would_agree(desk: Desk, order: Agree) -> Outcome:
    return Outcome((Said("would_agree", {"line": acting.line_of(desk, order.word)}),))


def _agree(desk: Desk, order: Agree) -> Outcome:
    return acting.agree(desk, order.word)


def _would_call(desk: Desk, order: Call) -> Outcome:
    return Outcome((Said("would_call"),))


def _call(desk: Desk, order: Call) -> Outcome:
    """Every master gets a letter, and from now on he is needed."""
    table = masters.settled(desk.session, desk.game)
    table.called_at = table.called_at or desk.now
    said = (Said("you_are_called", {"name": desk.user.name}),)
    for user in masters.masters_of(desk.session, desk.game):
        if user.id != desk.user.id:
            call(desk.office, desk.session, desk.game, user, desk.mark, said)
    return Outcome((Said("was_called"),))


# --- voices


def _seat(desk: Desk) -> str:
    mine = next((row.seat for row in seats(desk.session, desk.game.id) if row.user_id == desk.user.id), None)
    if mine is None:
        raise Refused("no_voice")
    return mine


def _would_elect(desk: Desk, order: Elect) -> Outcome:
    _seat(desk)
    elections.demand_possible(desk.office, desk.session, desk.game)
    found = known(desk, order.address)
    if found is None:
        raise Refused("no_such_person", written=order.address[:80])
    if masters.is_master(desk.session, desk.game, found.id):
        raise Refused("master_already", name=found.name)
    return Outcome((Said("would_elect", {"name": found.name}),))


def _elect(desk: Desk, order: Elect) -> Outcome:
    _would_elect(desk, order)
    user = known(desk, order.address)
    if user is None:
        raise Refused("no_such_person", written=order.address[:80])
    tally = elections.vote(desk.office, desk.session, desk.game, elections.MASTER, str(user.id), _seat(desk))
    terms = {"name": user.name, "voices": tally.voices, "needed": tally.needed}
    if not tally.carried:
        return _told_to_seats(desk, tally, "elect_noted", "elect_wanted", terms)
    elections.install(desk.office, desk.session, desk.game, user)
    call(desk.office, desk.session, desk.game, user, desk.mark, (Said("you_elected"),))
    said = (Said("elected", terms),)
    return Outcome(said, tells=said)


def _told_to_seats(desk: Desk, tally: elections.Tally, noted: str, wanted: str, terms: dict[str, object]) -> Outcome:
    """The first voice is told to all, with an address to add theirs at."""
    said = (Said(noted, terms),)
    if tally.voices == 1:
        for user in elections.voters(desk.session, desk.game, _seat(desk)):
            told = Said(wanted, {**terms, "by": desk.user.name})
            call(desk.office, desk.session, desk.game, user, f"{desk.mark}.{user.id}", (told,))
        return Outcome(said, told=True)
    return Outcome(said)


def _would_vote_out(desk: Desk, order: VoteOut) -> Outcome:
    if _seat(desk) == order.seat:
        raise Refused("own_seat")
    if row_of(desk, order.seat).offered_at is None:
        raise Refused("not_offered", name=names(desk)[order.seat])
    way_out(desk, order.seat)
    return Outcome((Said("would_vote_out", {"name": names(desk)[order.seat]}),))


def _vote_out(desk: Desk, order: VoteOut) -> Outcome:
    _would_vote_out(desk, order)
    tally = elections.vote(desk.office, desk.session, desk.game, elections.OUT, order.seat, _seat(desk))
    terms: dict[str, object] = {"name": names(desk)[order.seat], "voices": tally.voices, "needed": tally.needed}
    if not tally.carried:
        return _told_to_seats(desk, tally, "out_noted", "out_wanted", terms)
    put_out(desk, order.seat)
    said = (Said("voted_out", terms),)
    return Outcome(said, tells=said)


register(Action("agree", one(Form(words("CONSENTIR|D'ACCORD", "AGREE|CONSENT"), Agree, (
    text_slot("word", words("mot", "word")),
), about=words(
    "Consentir à l'acte d'un autre, avec le mot reçu.", "Agree to someone else's act, with the word you were given."))),
    _would_agree, _agree, who="seat"))  # fmt: skip
register(Action("call", one(Form(words("APPELER LE MAÎTRE|APPELER", "CALL THE MASTER|CALL"), Call, about=words(
    "Prévenir le maître de jeu que la table l'attend.", "Tell the game master that the table needs them."))),
    _would_call, _call, who="seat"))  # fmt: skip
register(Action("elect", one(Form(words("ÉLIRE", "ELECT"), Elect, (text_slot("address", ADDRESS),), about=words(
    "Voter pour un nouveau maître quand l'ancien ne répond plus.",
    "Vote for a new master when the old one no longer answers."))), _would_elect, _elect, who="seat"))  # fmt: skip
register(Action("vote_out", of_seat(words("ÉCARTER", "VOTE OUT"), VoteOut, words(
    "Voter pour éliminer une place, selon la règle du jeu.",
    "Vote to eliminate a seat, as the rulebook says.")), _would_vote_out, _vote_out,
    dangerous=True, who="seat"))  # fmt: skip
