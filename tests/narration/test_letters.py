"""Whole letters: what stands first, how wide they are, both languages, every kind and family."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, get_args

import pytest

from engine.age_of_renaissance import events as e
from engine.age_of_renaissance.orders import Attack, Forfeit, Place
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel import run
from engine.kernel.codec import dump, load
from engine.kernel.events import Ended, LineFailed, LineStarted
from engine.kernel.orders import Clause, Line, Problem, Question, unconditional
from engine.kernel.secrets import redact
from engine.kernel.validation import preview_orders
from engine.kernel.viewers import PUBLIC, Seat
from pbem.crypto import SigningKey
from pbem.crypto.receipts import RoundReceipt, parse_rounds
from pbem.narration import facts as f
from pbem.narration.document import COLUMNS
from pbem.narration.facts import NOTICES, WARNINGS, DrawnRound, EmailFacts, NoticeFacts, OpenQuestion, ReportFacts
from pbem.narration.figure_changes import list_changes
from pbem.narration.game_texts import load_game_texts
from pbem.narration.letters import LETTERS, Rendered, render
from pbem.narration.order_printer import LIKELY
from pbem.narration.receipts import build_receipt
from pbem.narration.seat_narrator import SeatNarrator
from tests.narration import sample_game
from tests.narration.cases import A, B, case_of
from tests.narration.master_terms import TERMS
from tests.narration.sample_game import GAME, SEATS
from tests.narration.text_checks import LANGUAGES

AGE = case_of("age_of_renaissance")
frame, faults = AGE.frame, AGE.faults
DUE = 1763751600
FIRST_SCREEN = 12


@cache
def first_entry_of(asks: str) -> int:
    """The first entry after which this question is open to the first seat."""
    for at, entry in enumerate(sample_game.entries()):
        if any(d.topic == asks and d.seat == A for d in entry.after.position.core.questions):
            return at
    raise LookupError(asks)


def view(at: int, seat: str = A) -> Any:
    """One viewer's position after an entry."""
    return AGE.view(seat, at)


def visible_events(start: int, end: int, seat: str = A) -> tuple[Any, ...]:
    """What one viewer was told from one entry to another."""
    return tuple(e for entry in sample_game.entries()[start + 1 : end + 1] for e in redact(entry.after.events, seat))


def owed(at: int, seat: str = A) -> tuple[OpenQuestion, ...]:
    """A seat's open questions with one deadline."""
    return tuple(OpenQuestion(d, DUE if d.blocking else None) for d in view(at, seat).core.questions if d.seat == seat)


def report(language: str, at: int, back: int = 6, seat: Seat = A) -> f.ReportFacts:
    """A report about the last entries up to one."""
    since = max(at - back, 0)
    return f.ReportFacts(
        frame(seat, language),
        view(at, seat),
        view(since, seat),
        visible_events(since, at, seat),
        owed(at, seat),
        awaited=(B,),
    )


EXPANSION = Question("expansion/3", A, "expansion")
REACTION = f.StoredReaction("civil_war", unconditional(Forfeit("money")), 3)


def receipt_facts(language: str) -> f.ReceiptFacts:
    """A receipt in which everything happens at once."""
    at = first_entry_of("expansion")
    decision = next(d for d in view(at).core.questions if d.seat == A and d.topic == "expansion")
    wrong = Problem("too_few_tokens", {"province": "roma", "tokens": 40, "pool": 1}, lasting=True)
    unread = Problem(
        "unknown_name", {"word": "Atlantide", "candidates": ("Roma",), "slot": "province", "accepted": "PLACER Roma 1"}
    )
    odds = Problem("odds", {"province": "roma", "wins": 90, "of": 216})
    lines = (
        f.ReceiptLine(1, "attaquer florence 20", Line((Clause(Attack("firenze", 20)),), 2), None, (odds,)),
        f.ReceiptLine(2, "placer roma 40", unconditional(Place("roma", 40))[0], wrong),
        f.ReceiptLine(4, "placer Atlantide 2", None, unread),
    )
    sets = (
        f.ReceiptSet("expansion", lines, decision=decision, turn=3),
        f.ReceiptSet("purchases", (), taken=True, turn=4, passed=True, commitment="5f" * 32, replaces="6e" * 32),
        f.ReceiptSet(
            "",
            (f.ReceiptLine(9, "miser 3", None, Problem("not_open", {"word": "x", "candidates": (), "accepted": ""})),),
        ),
    )
    reactions = (
        f.ReceiptReaction("civil_war", 5, "en cas de guerre civile : argent", unconditional(Forfeit("money"))),
        f.ReceiptReaction("conversion", 6, "on conversion: none", withdrawn=True),
        f.ReceiptReaction("lift", 7, "sur marqueurs : ?", problem=unread),
    )
    names = ("status", "help", "report", "withdraw", "preview")
    commands = tuple(
        f.ExecutedCommand(n, "", o) for n, o in zip(names, ("done", "sent", "sent", "nothing", "unknown"), strict=True)
    )
    tried = preview_orders(RULES, view(at), decision, unconditional(Place("oran", 1)))
    return f.ReceiptFacts(
        frame(A, language),
        view(at),
        sets,
        reactions,
        commands,
        ("mon chat",),
        ((3, "bonjour à tous"),),
        (
            f.StoredOrders("expansion", unconditional(Place("roma", 4)), DUE, 3, commitment="5f" * 32),
            f.StoredOrders("purchases", (), DUE, 4, ahead=True),
        ),
        (REACTION,),
        owed(at),
        (B,),
        tried.events,
        WARNINGS,
    )


def letters(language: str) -> Iterator[EmailFacts]:
    """One letter of every kind, and every variant that its wording knows."""
    last = len(sample_game.entries()) - 1
    for asks in ("keep", "history", "purchases", "expansion", "tokens"):
        yield report(language, first_entry_of(asks))
    yield replace(
        report(language, first_entry_of("expansion")),
        reactions=(REACTION,),
        recap=True,
        picture="map",
        ended_reactions=_ended(),
    )
    yield receipt_facts(language)
    yield replace(
        receipt_facts(language), sets=(), reactions=(), commands=(), settled=True, stored_orders=(), questions=()
    )
    yield replace(receipt_facts(language), uncovered=("ATTACK Firenze 8", "PASS"), signed=("PLACE Roma 4",))
    yield from (
        f.ReminderFacts(frame(A, language), view(at), owed(at), bool(at)) for at in (0, first_entry_of("purchases"))
    )
    yield f.StartedFacts(frame(A, language), view(0), owed(0), "cd" * 32, visible_events(-1, 0))
    yield f.GameOverFacts(
        frame(A, language),
        view(last),
        view(last - 3),
        visible_events(last - 3, last),
        (e.TurnBegan(turn=1),),
        "ef" * 32,
    )
    yield from _around(language)
    for kind in NOTICES:
        yield NoticeFacts(frame(A, language), kind, _notice_terms(kind), "Re: [Rose] x")


def _ended() -> tuple[f.EndedReaction, ...]:
    money = unconditional(Forfeit("money"))
    poor = Problem("too_poor", {"ducats": 4, "cash": 1})
    return (
        f.EndedReaction("civil_war", money, True),
        f.EndedReaction("indulgences", (), False, poor),
        f.EndedReaction("lift", (), False),
    )


def _around(language: str) -> Iterator[EmailFacts]:
    made = frame(A, language)
    for hours, expires in ((48, DUE), (0, None)):
        yield f.InvitationFacts(made, "Romain", 4, "ab" * 32, hours, "12", expires, "cd" * 32)
    yield from (f.JoinedFacts(made, ("Romain", "Zoé"), missing) for missing in (0, 1, 2))
    alone = replace(made, table=f.TableFacts("", ""))
    yield from (f.SigninFacts(alone, DUE, table, name) for table, name in (("", ""), ("Rose", "Ève")))
    yield from (f.AccountFacts(alone, kind, DUE, "a…@b.example") for kind in f.ACCOUNT_KINDS)
    at = first_entry_of("expansion")
    for back, rewound in ((6, None), (0, 3)):
        yield f.RulingFacts(
            made, "Romain", "27", view(at - back), view(at), visible_events(at - back, at), rewound, owed(at)
        )
    for cause in f.DEADLINE_CAUSES:
        yield f.DeadlineChangedFacts(
            made, owed(at), DUE, None if cause == "pause" else DUE + 7200, cause, "Romain", "27"
        )
    yield f.DeadlineChangedFacts(made, (), None, None, "master")
    yield from (f.BouncedFacts(made, DUE, via, 2) for via in f.BOUNCED_VIA)
    for author in ("Romain", ""):
        yield f.TalkFacts(made, author, "public", (), ("12 ?", "", "27"))
    yield from _mastering(language)
    yield from (f.TalkFacts(made, "Romain", kind, ("Zoé", "Édouard"), ("12",)) for kind in ("private", "master"))
    yield f.DeputyFacts(made, "Romain", DUE, DUE + 86400)
    yield f.SeatOfferFacts(made, "Romain", "Zoé", 4, 48, DUE)
    yield from _onlooking(made, language)
    yield f.SeatOfferFacts(made, "Romain", "", 4, 0, DUE)


def _onlooking(made: f.EmailContext, language: str) -> Iterator[EmailFacts]:
    """What a spectator reads: after a phase, without events, and at the end."""
    nobody = replace(made, reader=replace(made.reader, seat=Seat("")))
    at, last = first_entry_of("expansion"), len(sample_game.entries()) - 1
    acts = (f.Message("acted", {"name": "Romain", "line": "27"}),)
    yield f.SpectatorFacts(nobody, view(at, PUBLIC), visible_events(at - 6, at, PUBLIC), (B,), "map", acts)
    yield f.SpectatorFacts(nobody, view(at, PUBLIC), (), (B,))
    yield f.SpectatorFacts(nobody, view(last, PUBLIC), visible_events(last - 3, last, PUBLIC))


def _mastering(language: str) -> Iterator[EmailFacts]:
    """A master's letters: every outcome of a line, every sentence that there is, what players are told."""
    made, at = frame(A, language), first_entry_of("expansion")
    unread = Problem("not_understood", {"word": "27", "candidates": (), "accepted": ""})
    said = tuple(f.Message(code, TERMS[code]) for code in sorted(TERMS))
    acts = tuple(
        f.MasterCommandResult(
            n,
            "12",
            "27",
            outcome,
            said if n == 1 else (),
            unread if outcome == "refused" else None,
            "ABC123",
            visible_events(at - 2, at, PUBLIC),
        )
        for n, outcome in enumerate(("done", "preview", "confirm", "agree", "refused"), 1)
    )
    public = view(at, PUBLIC)
    yield f.MasterFacts(made, acts, ((9, "12"),), view=public, forms=(("27", "12"),), until=DUE)
    yield from (f.MasterFacts(made, (act,)) for act in acts[1:])
    yield f.MasterFacts(made, acts[:1])
    yield f.MasterFacts(made)
    yield f.MasterFacts(made, lead=said[:3])
    for first in ("broadcast", "held"):
        yield f.AnnouncementFacts(
            made, "Romain", (f.Message(first, TERMS[first]),), "27", visible_events(at - 2, at), view(at), owed(at)
        )
    yield f.AnnouncementFacts(made, "Romain", said)


UNSIGNED = RoundReceipt("abcdefghijkl", "expansion/3", 57, "52db9ba7", 32_000_000, DUE - 126, "ab" * 32, b"")
PROOF = UNSIGNED.sign(SigningKey("resolver", b"k" * 32))
"""What the letter about a round of the beacon gives to be kept."""


def _notice_terms(kind: str) -> dict[str, object]:
    known = {
        "asks": "expansion",
        "closed": DUE,
        "turn": 3,
        "limit_kb": 1000,
        "lines": 400,
        "first": DUE,
        "masked": "z…@x.example",
        "name": "Zoé",
        "before": "Roland",
        "minutes": 60,
        "missing": 1,
        "since": DUE,
        "until": DUE + 86400,
        "game": "Chess",
        "names": ("Zoé", "Édouard"),
        "why": "no_text",
        "round": 32_000_000,
        "due": DUE,
        "proof": str(PROOF),
        "other": "Zoé",
        "would": "Zoé 2",
        "state": "given_up",
        "reply": "550 5.1.1 User unknown",
    }
    return {term: known[term] for term in NOTICES[kind]}


@cache
def rendered(language: str) -> tuple[tuple[EmailFacts, Rendered], ...]:
    """All sample letters, rendered."""
    return tuple((facts, render(facts)) for facts in letters(language))


# --- every letter


def test_every_kind_of_facts_has_its_letter() -> None:
    """What the service can lay out, post can render."""
    assert set(LETTERS) == set(get_args(EmailFacts))
    assert {type(facts) for facts, _ in rendered("fr")} == set(LETTERS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_is_clean_and_narrow_with_a_short_subject(language: str) -> None:
    """No id, no word of the other language, 72 columns but for lines to copy; a subject that names the table."""
    for facts, letter in rendered(language):
        for line in (letter.subject, *_prose(letter.text)):
            assert faults(line.strip(), language) == [], (type(facts).__name__, line)
        for line in letter.text.split("\n"):
            free = line.startswith((";", "http", "  http")) or line.isupper() or "<" in line or "http" in line
            assert len(line) <= COLUMNS or free, (type(facts).__name__, line)
        assert "\n" not in letter.subject
        assert len(letter.subject) <= 150
        assert letter.subject.startswith("[Rose] ") or isinstance(facts, f.SigninFacts | f.AccountFacts)


_NOT_PROSE = re.compile(r"^;|^[A-ZÉÈÀ]{2,} |https?://|\S@\S| {2,}|^\W*$")


def _prose(text: str) -> Iterator[str]:
    """Lines of the letter that are sentences: no order, no address, no row of a table."""
    return (line for line in text.split("\n") if not _NOT_PROSE.search(line.strip()) and "attaquer" not in line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_facts_give_the_same_letter_after_storage(language: str) -> None:
    """A letter rendered by another process, later, has the same bytes."""
    for facts, letter in rendered(language):
        assert render(load(dump(facts))) == letter


@pytest.mark.parametrize("language", LANGUAGES)
def test_html_says_what_the_text_says(language: str) -> None:
    """Every word of the text is in the page, but for the lines drawn under titles."""
    for facts, letter in rendered(language):
        page = re.sub(r"<[^>]*>", " ", letter.html).replace("&#x27;", "'").replace("&quot;", '"').replace("&amp;", "&")
        page = page.replace("&lt;", "<").replace("&gt;", ">").lower()
        for word in letter.text.lower().split():
            if word.strip("-") and not word.startswith(("http", "o+")):
                assert word.rstrip(":") in page, (type(facts).__name__, word)


# --- the report


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("asks", ["history", "purchases", "expansion", "tokens"])
def test_the_first_screen_says_what_is_owed_and_until_when(asks: str, language: str) -> None:
    """Twelve lines hold the question, the deadline in the reader's zone and in UTC, the default, and who is awaited."""
    letter = render(report(language, first_entry_of(asks)))
    first = " ".join(letter.text.split("\n")[:FIRST_SCREEN]).replace("\u00a0", " ")
    assert {"fr": "20 h 00, heure de Paris (19 h 00 UTC)", "en": "20:00 Paris (19:00 UTC)"}[language] in first
    assert {"fr": "À VOUS jusqu'au vendredi", "en": "ORDERS DUE by Fri"}[language] in first
    assert {"fr": "Sans réponse", "en": "If you send nothing"}[language] in first


def test_what_changed_for_the_reader_adds_up() -> None:
    """Before plus all causes is after, for every figure that is counted, over a whole game."""
    figures = load_game_texts(GAME).telling.figures
    for at in range(6, len(sample_game.entries()), 6):
        for seat in SEATS[:2]:
            telling = SeatNarrator(frame(seat, "en"), view(at, seat))
            found = list_changes(telling, view(at - 6, seat), visible_events(at - 6, at, seat))
            for change in found:
                if change.label != "Misery":
                    causes = sum(int(cause.split(" ")[0].replace("−", "-")) for cause in change.causes)
                    assert int(change.before) + causes == int(change.after), change
            moved = sum(
                figures(view(at, seat), seat)[n] != figures(view(at - 6, seat), seat)[n] for n in ("cash", "cards")
            )
            assert len(found) >= moved


def test_piled_cash_is_told_to_its_owner_alone() -> None:
    """R33  Others read the last sum written on the sheet, marked as such."""
    start = run.start(RULES, SEATS, RULES.meta.chosen({"cash": "piled"}), b"piled" * 8, b"")
    seen = redact(start.position, A)
    facts = f.ReportFacts(frame(A, "en"), seen, seen, (e.Paid(seat=A, ducats=3, cause="alchemist"),), awaited=(B,))
    text = render(facts).text
    assert "An asterisk marks the last sum written on the sheet." in text
    assert "- Ducats: 40 → 40 (−3 Alchemist's Gold)" in text


def test_the_readers_lines_are_marked_done_won_lost_or_not_done_with_the_reason() -> None:
    """One by one, with how every try of a repeated line went."""
    at = first_entry_of("expansion")
    line = Line((Clause(Attack("roma", 8)),), 2)
    tell = frozenset({A})
    opened = [
        LineStarted(seat=A, gate="expansion/3", line=0, attempt=n, clause=line.plan[0], visible_to=tell) for n in (1, 2)
    ]
    poor = Problem("out_of_reach", {"province": "india"})
    events = (
        opened[0],
        sample_game.rivalry(),
        opened[1],
        sample_game.rivalry(dice=(2, 6, 1), won=True, left="marker"),
        LineFailed(
            seat=A,
            gate="expansion/3",
            line=1,
            reasons=(poor,),
            attempted=unconditional(Place("india", 1))[0],
            visible_to=tell,
        ),
    )
    text = render(replace(report("en", at), events=events, before=None)).text
    assert "1. ATTACK Roma 8: lost, then won" in text
    assert "2. PLACE India 1: not done" in text
    assert "India is out of reach" in " ".join(text.split())


def test_the_orders_template_can_be_sent_back_and_counts_for_nothing_until_it_is_edited() -> None:
    """All its lines are comments; END closes it; without the semicolons each line would be an order."""
    letter = render(report("fr", first_entry_of("purchases")))
    lines = letter.orders.split("\n")
    assert lines[-1] == "FIN"
    assert len(lines) > 3
    assert all(line.startswith(";") for line in lines[:-1])


def test_no_line_of_a_letter_reads_like_a_command() -> None:
    """Even when a reply brings the whole letter back unquoted, nothing before the template is an order."""
    words = ("HELP", "STATUS", "WITHDRAW", "END", "PASS", "PREVIEW", "AIDE", "ÉTAT", "RETIRER", "FIN", "RIEN", "ESSAI")
    for language in LANGUAGES:
        for facts, letter in rendered(language):
            if isinstance(facts, f.ReportFacts | f.NoticeFacts | f.StartedFacts):
                prose = letter.text.replace(letter.orders, "") if letter.orders else letter.text
                assert not [line for line in prose.split("\n") if line.split(" ")[0] in words], type(facts).__name__


# --- the receipt


def test_a_refused_line_says_why_and_offers_a_line_that_would_be_accepted() -> None:
    """The receipt says first that nothing was changed."""
    facts = replace(receipt_facts("en"), reactions=(), commands=())
    facts = replace(facts, sets=facts.sets[:1])
    text = render(facts).text.replace("\u00a0", " ")
    flat = " ".join(text.split())
    assert text.startswith("NOTHING WAS CHANGED: 2 lines are refused")
    assert "Line 2: Roma: 40 tokens wanted, 1 expansion token at hand. Try:" in flat
    assert "Your earlier orders remain valid" in flat
    found = build_receipt(SeatNarrator(facts.frame, facts.view), facts)
    offered = found.sets[0].lines[1].nearest
    likely = SeatNarrator(facts.frame, facts.view).writing
    assert offered in [
        likely(Line(line.plan), "expansion")
        for line in likely.likely_lines(facts.sets[0].decision or EXPANSION, LIKELY)
    ]


def test_a_receipt_says_what_happens_if_nothing_more_comes() -> None:
    """The default is part of every receipt while an answer is owed."""
    text = " ".join(render(replace(receipt_facts("en"), sets=())).text.split())
    assert "If you send nothing for the expansion: you place no token" in text


@pytest.mark.parametrize(
    ("language", "nothing"), [("en", "You have no stored orders."), ("fr", "Vous n'avez aucun ordre enregistré.")]
)
def test_what_a_receipt_files_is_never_called_nothing(language: str, nothing: str) -> None:
    """Where an answer ahead stands from before, a receipt for orders tells it, and not that there are no orders."""
    facts = receipt_facts(language)
    chosen = f.StoredReaction("civil_war", unconditional(Forfeit("money")))
    filed = replace(
        facts, sets=facts.sets[1:2], reactions=(), commands=(), stored_orders=(), stored_reactions=(chosen,)
    )
    assert nothing not in " ".join(render(filed).text.split())
    refused = replace(filed, sets=facts.sets[:1])
    assert nothing in " ".join(render(refused).text.split())


def test_a_notice_needs_its_terms() -> None:
    """A family that lacks a figure is an error, never a sentence with a hole."""
    with pytest.raises(LookupError, match="closed"):
        render(NoticeFacts(frame(A, "en"), "late", {"asks": "expansion"}))


def test_what_players_write_is_shown_as_they_wrote_it() -> None:
    """Marks, tags and line breaks in names and words stay words."""
    made = frame(A, "en", table=f.TableFacts(GAME, "<b>@h Rose¦</b>", {}, {}))
    letter = render(f.InvitationFacts(made, "Eve\n@h You won", 3, "ab" * 32, words="<script>¦@- x"))
    assert "Eve @h You won invites you" in letter.text
    assert "<script>" not in letter.html
    assert letter.subject == "[<b>@h Rose¦</b>] Eve @h You won invites you to play"


def test_acts_that_were_all_refused_are_not_told_as_yet_to_come() -> None:
    """What waits for a word is not done yet; what was refused was not done."""
    made, unread = frame(A, "en"), Problem("not_open", {"word": "x", "candidates": (), "accepted": ""})
    refused = f.MasterCommandResult(1, "PROCESS BID 9", "", "refused", (), unread)
    assert "Nothing was done." in render(f.MasterFacts(made, (refused,))).text
    waits = f.MasterCommandResult(2, "PAUSE", "PAUSE", "preview")
    assert "Nothing is done yet." in render(f.MasterFacts(made, (refused, waits))).text


@pytest.mark.parametrize(("language", "nobody"), [("en", "nobody wins"), ("fr", "personne ne l'emporte")])
def test_the_end_is_told_once_with_its_ranking(language: str, nobody: str) -> None:
    """Of those who share a place the one with most points comes first; where all were out together nobody wins."""
    last, third = len(sample_game.entries()) - 1, SEATS[2]
    shared = Ended(reason="alone", ranking=((A,), (B, third)), points={A: 30, B: -698, third: -448})
    text = render(f.GameOverFacts(frame(A, language), view(last), None, (shared,))).text
    assert text.count({"en": "The game is over.", "fr": "La partie est terminée."}[language]) == 1
    assert 0 < text.index("−448") < text.index("−698")
    empty = Ended(reason="alone", ranking=((), (A, B)), points={A: 3, B: 1})
    text = render(f.GameOverFacts(frame(A, language), view(last), None, (empty,))).text
    assert nobody in " ".join(text.split())
    assert "3 points" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_digest_of_a_letter_stands_whole_on_a_line_of_its_own(language: str) -> None:
    """All 256 bits can be copied: the entry's, the seed's, the whole game's and that of the server's keys."""
    for facts, letter in rendered(language):
        lines = letter.text.splitlines()
        for name in ("seed_digest", "root_digest", "keys_digest"):
            assert not getattr(facts, name, "") or getattr(facts, name) in lines, type(facts)
        assert facts.frame.digest in lines or facts.frame.digest[:8] not in letter.text, type(facts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_round_is_told_with_can_be_read_back(language: str) -> None:
    """The announcement of a round is in the letter and in a quoted reply, and the report shows the round."""
    told = render(NoticeFacts(frame(A, language), "round", _notice_terms("round"), "")).text
    quoted = "\n".join(f"> {line}" for line in told.splitlines())
    assert list(parse_rounds(told)) == list(parse_rounds(quoted)) == [PROOF]
    report = next(facts for facts, _ in rendered(language) if isinstance(facts, ReportFacts))
    drawn = render(replace(report, rounds=(DrawnRound(57, 32_000_000, "cd" * 24 + "ef" * 24),))).text.splitlines()
    at = drawn.index("cd" * 24)
    assert drawn[at + 1] == "ef" * 24
    assert any("32000000" in line for line in drawn[at - 3 : at])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [ReportFacts, f.ReceiptFacts])
def test_a_letter_says_which_round_a_phase_waits_for(language: str, kind: type[Any]) -> None:
    """While answers are fixed, reports and receipts name the round that the draws wait for, and when it comes."""
    usual = next(facts for facts, _ in rendered(language) if isinstance(facts, kind))
    table = replace(usual.frame.table, waits=f.PendingRound(32_000_000, DUE))
    said = render(replace(usual, frame=replace(usual.frame, table=table))).text
    assert "32000000" in said
    assert "32000000" not in render(usual).text
    assert max(map(len, said.splitlines())) <= COLUMNS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_before_the_first_turn_is_named_without_a_turn(language: str) -> None:
    """A question of the set-up is called as its letter called it: there was no turn yet."""
    said = [render(NoticeFacts(frame(A, language), "stale", {"asks": "bid", "turn": turn}, "")).text for turn in (0, 3)]
    assert "0" not in said[0].split("\n\n")[0]
    assert "3" in said[1].split("\n\n")[0]
