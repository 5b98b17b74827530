"""Letters: from facts to subject, text and HTML. One template says the content once for both shapes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.kernel.events import Ended, Event
from engine.kernel.languages import Language
from engine.kernel.pictures import Draws
from engine.kernel.secrets import seen_by
from engine.kernel.standing import preview
from engine.kernel.zones import Zoned
from pbem.narration import facts as f
from pbem.narration import mastering
from pbem.narration.document import BACK, as_text, orders, parsed
from pbem.narration.figure_changes import changes
from pbem.narration.folders import about
from pbem.narration.glossary import glossary
from pbem.narration.highlights import highlights
from pbem.narration.letter_templates import template
from pbem.narration.manner import manner
from pbem.narration.page import as_html
from pbem.narration.receipts import receipt
from pbem.narration.reports import owed_lines, report, standing_line, story, templates
from pbem.narration.seat_narrator import SeatNarrator
from pbem.narration.tellers import teller
from pbem.narration.tidying import spaced, tidy
from pbem.narration.when import Clock

Data = dict[str, Any]


@dataclass(frozen=True)
class Rendered:
    """A letter, finished but for its envelope; `orders`: the template alone, for a reply box."""

    subject: str
    text: str
    html: str
    orders: str = ""


def render(facts: f.LetterFacts) -> Rendered:
    """A letter from its facts; the same facts give the same letter."""
    kind = KINDS[type(facts)]
    return rendered(kind, facts.frame.reader.language, data_of(facts))


def rendered(kind: str, language: Language, data: Mapping[str, Any]) -> Rendered:
    """A letter of a kind from the data that its template needs."""
    subject = tidy(template(language, f"{kind}.subject").render(data), language)
    written = template(language, kind).render(data)
    blocks = parsed(_spaced(written, language))
    said = subject.translate(BACK)
    return Rendered(said, as_text(blocks), as_html(blocks, language, said), orders(blocks))


def _spaced(written: str, language: Language) -> str:
    """Keeps a colon with the word before it, but for lines to copy, where only the order language counts."""
    if not manner(language).spaced:
        return written
    lines = written.split("\n")
    return "\n".join(line if line.startswith(("@>", "@o")) else spaced(line, language) for line in lines)


def data_of(facts: f.LetterFacts) -> Data:
    """What a letter's template is given."""
    frame = facts.frame
    clock = Clock(frame.reader.language, frame.reader.zone)
    common: Data = {
        "f": facts,
        "frame": frame,
        "reader": frame.reader,
        "links": frame.links,
        "title": frame.table.title,
        "when": clock.moment,
        "brief": clock.brief,
        "signs": _signs,
    }
    return {**common, **_DATA[type(facts)](facts)}


def _signs(digest: str) -> str:
    """A digest short enough to be compared by eye."""
    return f"{digest[:8]}…{digest[-4:]}" if len(digest) > 16 else digest


# --- the letters of a game


def _report(facts: f.ReportFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.after)
    found = report(
        telling,
        before=facts.before,
        events=facts.events,
        owed=facts.owed,
        riders=facts.riders,
        riders_ended=facts.riders_ended,
        standing=facts.standing,
        awaited=facts.awaited,
    )
    return {"r": found, "acts": mastering.sentences(facts.frame, facts.acts), "turn": _turn(telling)}


def _receipt(facts: f.ReceiptFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.view)
    return {"r": receipt(telling, facts), "turn": _turn(telling)}


def _turn(telling: SeatNarrator) -> str:
    """What a game calls the turn of a letter, empty before the first: all letters of one turn share a subject."""
    turn = telling.narrator.teller.rules.turn(telling.position)
    return telling.narrator.tell("turn_name", turn, telling.context) if turn else ""


def _reminder(facts: f.ReminderFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.view)
    owed = [one for one in facts.owed if one.decision.blocking and not one.answered]
    return {
        "owed": owed_lines(telling, owed),
        "template": templates(telling, owed),
        "effects": _effects(telling, owed),
        "turn": _turn(telling),
    }


def _effects(telling: SeatNarrator, owed: list[f.Owed]) -> tuple[str, ...]:
    """What the defaults would bring to the reader, tried on their own view."""
    rules = telling.narrator.teller.rules
    said: list[str] = []
    for one in owed:
        with seen_by(one.decision.seat):
            orders = rules.default(telling.position, one.decision)
        tried = preview(rules, telling.position, one.decision, orders, own=True)
        told = (telling.narrator.sentence(event, telling.viewer, telling.context) for event in tried.events)
        said += [sentence for sentence in told if sentence]
    return tuple(said)


def _started(facts: f.StartedFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.view)
    found = report(telling, before=None, events=facts.events, owed=facts.owed)
    # A plain letter shows no picture, and a board of zones, unlike a map, lies otherwise in every game.
    in_words = not isinstance(telling.rules, Draws) or isinstance(telling.rules, Zoned)
    said = {"options": _options(facts.frame), "reconstructed": _reconstructed(facts.frame)}
    return {"r": found, "in_words": in_words, "turn": _turn(telling), **said}


def _over(facts: f.OverFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.after)
    ended = [event for event in facts.events if isinstance(event, Ended)]
    said = [telling.narrator.sentence(event, telling.viewer, telling.context) or "" for event in ended]
    found = report(telling, before=facts.before, events=[e for e in facts.events if not isinstance(e, Ended)])
    done = replace(found, hand=(), options=())  # nothing is played or answered any more
    links, tale = replace(facts.frame.links, answer=""), story(telling, _highlights(facts))
    return {"r": done, "links": links, "ended": " ".join(said), "tale": tale}


def _spectator(facts: f.SpectatorFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.after)
    ended = [event for event in facts.events if isinstance(event, Ended)]
    said = [telling.narrator.sentence(event, telling.viewer, telling.context) or "" for event in ended]
    plain = tuple(event for event in facts.events if not isinstance(event, Ended))
    found = report(telling, before=None, events=plain, owed=(), awaited=facts.awaited)
    acts = mastering.sentences(facts.frame, facts.acts)
    return {"r": found, "ended": " ".join(said), "acts": acts, "turn": _turn(telling)}


def _highlights(facts: f.OverFacts) -> tuple[Event, ...]:
    """The reader's story in ten lines; a spectator has none of their own."""
    frame = facts.frame
    return highlights(frame.table.game, facts.story, frame.reader.seat) if frame.reader.seat else ()


def _ruling(facts: f.RulingFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.after)
    return {
        "changes": changes(telling, facts.before, facts.events),
        "chapters": story(telling, facts.events),
        "owed": owed_lines(telling, facts.owed),
        "template": templates(telling, facts.owed),
        "drafts": tuple(standing_line(telling, one) for one in facts.drafts),
    }


def _moved(facts: f.MovedFacts) -> Data:
    topics = [_topic(facts.frame, one.decision.asks) for one in facts.owed if one.decision.blocking]
    given = (facts.after - facts.before) // 3600 if facts.after is not None and facts.before is not None else 0
    return {"topics": tuple(dict.fromkeys(topics)), "hours": given}


# --- the letters around a game


def _invitation(facts: f.InvitationFacts | f.SeatOfferFacts) -> Data:
    frame = facts.frame
    said = {"options": _options(frame), "rules_of": _about(frame), "reconstructed": _reconstructed(frame)}
    return {**said, "about": about(frame.table.game, frame.reader.language)}


def _options(frame: f.Frame) -> tuple[tuple[str, str], ...]:
    """The options of a table in words, the chosen value of each."""
    meta, language = teller(frame.table.game).meta, frame.reader.language
    chosen = meta.kept(frame.table.options)
    return tuple((o.title.printed(language), o.values[chosen[o.name]].printed(language)) for o in meta.options)


def _about(frame: f.Frame) -> str:
    return teller(frame.table.game).meta.title.printed(frame.reader.language)


def _reconstructed(frame: f.Frame) -> str:
    """What of the game is not as printed; empty if nothing is."""
    note = teller(frame.table.game).meta.reconstructed
    return note.printed(frame.reader.language) if note is not None else ""


def _topic(frame: f.Frame, asks: str) -> str:
    return glossary(frame.table.game, frame.reader.language).name("topic", asks).the


def _notice(facts: f.NoticeFacts) -> Data:
    needed = f.NOTICES[facts.kind]
    missing = [term for term in needed if term not in facts.terms]
    if missing:
        raise LookupError(f"a notice {facts.kind} needs {', '.join(missing)}")
    asks = facts.terms.get("asks")
    topic = _topic(facts.frame, str(asks)) if asks else ""
    return {"t": dict(facts.terms), "topic": topic, "kind": facts.kind}


def _nothing(facts: object) -> Data:
    return {}


def _master(facts: f.MasterFacts) -> Data:
    return {"m": mastering.master_text(facts)}


def _announcement(facts: f.ToldFacts) -> Data:
    found: Data = {"sentences": mastering.sentences(facts.frame, facts.said), "chapters": (), "owed": ()}
    if facts.view is not None:
        telling = SeatNarrator(facts.frame, facts.view)
        found |= {"chapters": story(telling, facts.events), "owed": owed_lines(telling, facts.owed)}
    return found


_DATA: Final[Mapping[type[Any], Callable[[Any], Data]]] = {
    f.ReportFacts: _report,
    f.ReceiptFacts: _receipt,
    f.ReminderFacts: _reminder,
    f.StartedFacts: _started,
    f.OverFacts: _over,
    f.RulingFacts: _ruling,
    f.MovedFacts: _moved,
    f.InvitationFacts: _invitation,
    f.JoinedFacts: _nothing,
    f.SigninFacts: _nothing,
    f.AccountFacts: _nothing,
    f.BouncedFacts: _nothing,
    f.MasterFacts: _master,
    f.ToldFacts: _announcement,
    f.NoticeFacts: _notice,
    f.TalkFacts: _nothing,
    f.DeputyFacts: _nothing,
    f.SeatOfferFacts: _invitation,
    f.SpectatorFacts: _spectator,
}
KINDS: Final[Mapping[type[Any], str]] = {
    f.ReportFacts: "report",
    f.ReceiptFacts: "receipt",
    f.ReminderFacts: "reminder",
    f.StartedFacts: "started",
    f.OverFacts: "over",
    f.RulingFacts: "ruling",
    f.MovedFacts: "moved",
    f.InvitationFacts: "invitation",
    f.JoinedFacts: "joined",
    f.SigninFacts: "signin",
    f.AccountFacts: "account",
    f.BouncedFacts: "bounced",
    f.MasterFacts: "master",
    f.ToldFacts: "told",
    f.NoticeFacts: "notice",
    f.TalkFacts: "talk",
    f.DeputyFacts: "deputy",
    f.SeatOfferFacts: "seat",
    f.SpectatorFacts: "spectator",
}
"""Which templates a letter of these facts is written with."""
