"""Letters: from facts to subject, text and HTML. One template says the content once for both shapes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from engine.kernel.events import Ended, Event
from engine.kernel.languages import Language
from engine.kernel.pictures import DrawsBoard
from engine.kernel.printing import to_keyword
from engine.kernel.secrets import seen_by
from engine.kernel.validation import preview_orders
from engine.kernel.zones import HasZones
from pbem.narration import command_results
from pbem.narration import facts as f
from pbem.narration.document import BACK, as_text, extract_orders, list_blocks, parse_blocks, template_lines
from pbem.narration.figure_changes import list_changes
from pbem.narration.folders import load_about
from pbem.narration.game_texts import load_game_texts, select_highlights
from pbem.narration.glossary import load_glossary
from pbem.narration.html_body import render_html
from pbem.narration.letter_templates import load_template
from pbem.narration.receipts import build_receipt
from pbem.narration.reports import build_report, build_story, order_templates, question_lines, stored_line
from pbem.narration.seat_narrator import SeatNarrator
from pbem.narration.text_cleanup import fix_spaces, in_parentheses, tidy
from pbem.narration.time_format import TimeFormatter
from pbem.narration.typography import load_typography

Data = dict[str, Any]


@dataclass(frozen=True)
class Rendered:
    """A letter, finished but for its envelope; `orders`: the template alone, for a reply box.

    `template`: the lines of the text from the first to the last that is of the template.  `blocks`: what each block
    of the HTML says.
    """

    subject: str
    text: str
    html: str
    orders: str = ""
    template: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


def render(facts: f.EmailFacts) -> Rendered:
    """A letter from its facts; the same facts give the same letter."""
    kind, _ = LETTERS[type(facts)]
    return render_parts(kind, facts.frame.reader.language, data_of(facts))


def render_parts(kind: str, language: Language, data: Mapping[str, Any]) -> Rendered:
    """A letter of a kind from the data that its template needs."""
    subject = tidy(load_template(language, f"{kind}.subject").render(data), language)
    written = load_template(language, kind).render(data)
    blocks = parse_blocks(_fix_spaces(written, language))
    said = subject.translate(BACK)
    html = render_html(blocks, language, said, data["links"].answer)
    return Rendered(said, as_text(blocks), html, extract_orders(blocks), template_lines(blocks), list_blocks(blocks))


def _fix_spaces(written: str, language: Language) -> str:
    """Keeps a colon with the word before it, but for lines to copy, where only the order language counts."""
    if not load_typography(language).spaced:
        return written
    return "\n".join(_fix_line(line, language) for line in written.split("\n"))


def _fix_line(line: str, language: Language) -> str:
    """A line with its mark as it is: the text behind it may begin with what a space is kept to."""
    mark, blank, said = line.partition(" ") if line.startswith("@") else ("", "", line)
    return line if mark in ("@>", "@o", "@o1", "@o+", "@o;") else f"{mark}{blank}{fix_spaces(said, language)}"


def data_of(facts: f.EmailFacts) -> Data:
    """What a letter's template is given."""
    frame = facts.frame
    clock = TimeFormatter(frame.reader.language, frame.reader.zone)
    common: Data = {
        "f": facts,
        "frame": frame,
        "reader": frame.reader,
        "links": frame.links,
        "title": frame.table.title,
        "turn_word": partial(_turn_word, frame),
        "when": clock.moment,
        "brief": clock.brief,
        "signs": _short_digest,
    }
    _, more_data = LETTERS[type(facts)]
    return common | more_data(facts)


def _turn_word(frame: f.EmailContext) -> str:
    """What the players of a game call a turn, as orders name it: `period`."""
    return to_keyword(load_game_texts(frame.table.game).meta.turn, frame.reader.language).lower()


def _short_digest(digest: str) -> str:
    """A digest short enough to be compared by eye."""
    return f"{digest[:8]}…{digest[-4:]}" if len(digest) > 16 else digest


# --- the letters of a game


def _report_data(facts: f.ReportFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.after)
    found = build_report(
        telling,
        before=facts.before,
        events=facts.events,
        owed=facts.questions,
        reactions=facts.reactions,
        ended_reactions=facts.ended_reactions,
        standing=facts.stored_orders,
        awaited=facts.awaited,
        abridges=facts.abridges,
    )
    return {"r": found, "acts": command_results.build_sentences(facts.frame, facts.acts), "turn": _turn_name(telling)}


def _receipt_data(facts: f.ReceiptFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.view)
    return {"r": build_receipt(telling, facts), "turn": _turn_name(telling)}


def _turn_name(telling: SeatNarrator) -> str:
    """What a game calls the turn of a letter, empty before the first: all letters of one turn share a subject."""
    turn = telling.narrator.teller.rules.turn(telling.position)
    return telling.narrator.render_macro("turn_name", turn, telling.context) if turn else ""


def _reminder_data(facts: f.ReminderFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.view)
    owed = [one for one in facts.questions if one.decision.blocking and not one.answered]
    return {
        "owed": question_lines(telling, owed),
        "template": order_templates(telling, owed),
        "effects": _default_effects(telling, owed),
        "turn": _turn_name(telling),
    }


def _default_effects(telling: SeatNarrator, owed: list[f.OpenQuestion]) -> tuple[str, ...]:
    """What the defaults would bring to the reader, tried on their own view."""
    rules = telling.narrator.teller.rules
    said: list[str] = []
    for one in owed:
        with seen_by(one.decision.seat):
            orders = rules.default_orders(telling.position, one.decision)
        tried = preview_orders(rules, telling.position, one.decision, orders, own=True)
        told = (telling.narrator.sentence(event, telling.viewer, telling.context) for event in tried.events)
        said += [sentence for sentence in told if sentence]
    return tuple(said)


def _started_data(facts: f.StartedFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.view)
    found = build_report(telling, before=None, events=facts.events, owed=facts.questions)
    # A plain letter shows no picture, and a board of zones, unlike a map, lies otherwise in every game.
    in_words = not isinstance(telling.rules, DrawsBoard) or isinstance(telling.rules, HasZones)
    names = facts.frame.table.names
    players = {seat: telling.narrator.full(seat, telling.context, article=False) for seat in names}
    said = {"options": _option_words(facts.frame), "reconstructed": _reconstructed_parts(facts.frame)}
    return {"r": found, "players": players, "in_words": in_words, "turn": _turn_name(telling), **said}


def _game_over_data(facts: f.GameOverFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.after)
    ended = [event for event in facts.events if isinstance(event, Ended)]
    said = [telling.narrator.sentence(event, telling.viewer, telling.context) or "" for event in ended]
    found = build_report(telling, before=facts.before, events=[e for e in facts.events if not isinstance(e, Ended)])
    done = replace(found, hand=(), options=())  # nothing is played or answered any more
    links, tale = replace(facts.frame.links, answer=""), build_story(telling, _highlights(facts))
    return {"r": done, "links": links, "ended": " ".join(said), "tale": tale}


def _spectator_data(facts: f.SpectatorFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.after)
    ended = [event for event in facts.events if isinstance(event, Ended)]
    said = [telling.narrator.sentence(event, telling.viewer, telling.context) or "" for event in ended]
    plain = tuple(event for event in facts.events if not isinstance(event, Ended))
    found = build_report(telling, before=None, events=plain, owed=(), awaited=facts.awaited)
    acts = command_results.build_sentences(facts.frame, facts.acts)
    return {"r": found, "ended": " ".join(said), "acts": acts, "turn": _turn_name(telling)}


def _highlights(facts: f.GameOverFacts) -> tuple[Event, ...]:
    """The reader's story in ten lines; a spectator has none of their own."""
    frame = facts.frame
    return select_highlights(frame.table.game, facts.story, frame.reader.seat) if frame.reader.seat else ()


def _ruling_data(facts: f.RulingFacts) -> Data:
    telling = SeatNarrator(facts.frame, facts.after)
    return {
        "changes": list_changes(telling, facts.before, facts.events),
        "chapters": build_story(telling, facts.events),
        "owed": question_lines(telling, facts.questions),
        "template": order_templates(telling, facts.questions),
        "drafts": tuple(stored_line(telling, one) for one in facts.drafts),
    }


def _deadline_changed_data(facts: f.DeadlineChangedFacts) -> Data:
    topics = [_topic_name(facts.frame, one.decision.topic) for one in facts.questions if one.decision.blocking]
    given = (facts.after - facts.before) // 3600 if facts.after is not None and facts.before is not None else 0
    return {"topics": tuple(dict.fromkeys(topics)), "hours": given}


def _talk_data(facts: f.TalkFacts) -> Data:
    """Players who have a power speak and are spoken to under its name too; others, as masters, by their own alone."""
    table = facts.frame.table
    if not facts.powers:
        return {"author": facts.author, "to": facts.to}
    kind, glossary = load_game_texts(table.game).telling.name, load_glossary(table.game, facts.frame.reader.language)
    called = {name: facts.powers[seat] for seat, name in table.names.items() if seat in facts.powers}
    signed = {name: name + in_parentheses(glossary.name(kind, power).bare) for name, power in called.items()}
    return {"author": signed.get(facts.author, facts.author), "to": [signed.get(name, name) for name in facts.to]}


# --- the letters around a game


def _invitation_data(facts: f.InvitationFacts | f.SeatOfferFacts) -> Data:
    frame = facts.frame
    said = {
        "options": _option_words(frame),
        "rules_of": _game_title(frame),
        "reconstructed": _reconstructed_parts(frame),
    }
    return {**said, "about": load_about(frame.table.game, frame.reader.language)}


def _option_words(frame: f.EmailContext) -> tuple[tuple[str, str], ...]:
    """The options of a table in words, the chosen value of each."""
    meta, language = load_game_texts(frame.table.game).meta, frame.reader.language
    chosen = meta.stored_options(frame.table.options)
    return tuple((o.title.printed(language), o.values[chosen[o.name]].printed(language)) for o in meta.options)


def _game_title(frame: f.EmailContext) -> str:
    return load_game_texts(frame.table.game).meta.title.printed(frame.reader.language)


def _reconstructed_parts(frame: f.EmailContext) -> str:
    """What of the game is not as printed; empty if nothing is."""
    note = load_game_texts(frame.table.game).meta.reconstructed
    return note.printed(frame.reader.language) if note is not None else ""


def _topic_name(frame: f.EmailContext, asks: str) -> str:
    return load_glossary(frame.table.game, frame.reader.language).name("topic", asks).the


def _notification_data(facts: f.NoticeFacts) -> Data:
    needed = f.NOTICES[facts.kind]
    missing = [term for term in needed if term not in facts.terms]
    if missing:
        raise LookupError(f"a notice {facts.kind} needs {', '.join(missing)}")
    asks = facts.terms.get("asks")
    topic = _topic_name(facts.frame, str(asks)) if asks else ""
    return {"t": dict(facts.terms), "topic": topic, "kind": facts.kind}


def _no_data(facts: object) -> Data:
    return {}


def _master_data(facts: f.MasterFacts) -> Data:
    return {"m": command_results.build_text(facts)}


def _announcement_data(facts: f.AnnouncementFacts) -> Data:
    announced = "".join(str(one.terms["text"]) for one in facts.said[:1] if one.code == "broadcast")
    said = facts.said[1:] if announced else facts.said
    found: Data = {"sentences": command_results.build_sentences(facts.frame, said), "chapters": (), "owed": ()}
    found["announced"] = announced
    if facts.view is not None:
        telling = SeatNarrator(facts.frame, facts.view)
        found |= {"chapters": build_story(telling, facts.events), "owed": question_lines(telling, facts.questions)}
    return found


LETTERS: Final[Mapping[type[Any], tuple[str, Callable[[Any], Data]]]] = {
    f.ReportFacts: ("report", _report_data),
    f.ReceiptFacts: ("receipt", _receipt_data),
    f.ReminderFacts: ("reminder", _reminder_data),
    f.StartedFacts: ("started", _started_data),
    f.GameOverFacts: ("game_over", _game_over_data),
    f.RulingFacts: ("ruling", _ruling_data),
    f.DeadlineChangedFacts: ("deadline_changed", _deadline_changed_data),
    f.InvitationFacts: ("invitation", _invitation_data),
    f.JoinedFacts: ("joined", _no_data),
    f.SigninFacts: ("signin", _no_data),
    f.AccountFacts: ("account", _no_data),
    f.BouncedFacts: ("bounced", _no_data),
    f.MasterFacts: ("master", _master_data),
    f.AnnouncementFacts: ("announcement", _announcement_data),
    f.NoticeFacts: ("notice", _notification_data),
    f.TalkFacts: ("talk", _talk_data),
    f.DeputyFacts: ("deputy", _no_data),
    f.SeatOfferFacts: ("seat", _invitation_data),
    f.SpectatorFacts: ("spectator", _spectator_data),
}
"""By the facts of a letter: the kind, after which its templates are called, and what gives them their data."""
