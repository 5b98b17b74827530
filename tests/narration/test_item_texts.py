"""Long texts of things: HELP and a name tells one, a report those that its reader sees first, and nobody else's."""

from dataclasses import replace

import pytest

from engine.kernel.languages import Language
from engine.kernel.position import Position
from engine.kernel.secrets import Secret, redact
from engine.kernel.viewers import Seat
from pbem.narration import facts as f
from pbem.narration import receipts
from pbem.narration.item_texts import MOST, find, list_items, list_names, text_of
from pbem.narration.letters import render
from pbem.narration.narrator import narrator
from tests.narration.cases import Case, case_of, cases
from tests.narration.text_checks import A, B
from tests.toy.board import Board

TOY = case_of("toy")
IN_BOTH = pytest.mark.parametrize("language", ["en", "fr"])


def flat(facts: f.EmailFacts) -> str:
    """A letter without its breaks of lines."""
    return " ".join(render(facts).text.split())


def help_receipt(language: Language, *about: str) -> str:
    """The receipt of a letter that asks for help."""
    view = redact(TOY.position(0), A)
    commands = tuple(f.ExecutedCommand("help", word) for word in about)
    return flat(f.ReceiptFacts(TOY.frame(A, language), view, commands=commands))


@pytest.mark.parametrize("about", ["Iron Shield", "iron", "Écu de fer", "iron sheild", "ecu de fer"])
def test_help_and_a_name_tells_one_thing(about: str) -> None:
    """In either language, shortened or misspelt: what it does and its long text, and none of the rest."""
    said = help_receipt("en", about)
    assert "It turns an attack away." in said
    assert "Forged where the road leaves the abbey. Once shown it lies on the discard" in said
    assert "HOW TO ANSWER" not in said
    assert "Bronze Shield" not in said


def test_help_is_told_in_the_language_of_its_reader() -> None:
    """Whatever language the name was written in."""
    said = help_receipt("fr", "Iron Shield")
    assert "Écu de fer" in said
    assert "Forgé là où la route quitte l'abbaye." in said.replace("’", "'")


@IN_BOTH
def test_help_about_nothing_known_says_so_and_explains_all(language: Language) -> None:
    """A name that nothing has is no reason to send nothing."""
    said = help_receipt(language, "Excalibur")
    assert {"en": "there is nothing by that name", "fr": "rien ne porte ce nom"}[language] in said
    assert {"en": "HOW TO ANSWER", "fr": "COMMENT RÉPONDRE"}[language] in said


def test_help_alone_tells_few_things_and_lists_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a game has hundreds of things HELP names them, and tells how to read of one."""
    assert "The bank pays 5 coins for it" in help_receipt("en", "").replace("the bank", "The bank")
    monkeypatch.setattr(receipts, "LISTED", 3)
    said = help_receipt("en", "")
    assert "the bank pays" not in said.lower()
    assert (
        "HELP followed by one of these names explains what it does: Oak Shield, Iron Shield, Bronze Shield, Silk."
        in said
    )


def with_hand(*cards: Secret[str]) -> Position[Board]:
    """The game with these cards in the first seat's hand."""
    position = TOY.position(0)
    board = replace(position.board, hands={**position.board.hands, A: cards})
    return replace(position, board=board)


def own(card: str, *others: Seat) -> Secret[str]:
    """A card of the first seat's hand."""
    return Secret(card, frozenset({A, *others}))


def report(seat: Seat, before: Position[Board] | None, after: Position[Board]) -> str:
    """What a seat is told."""
    then = redact(before, seat) if before is not None else None
    return flat(f.ReportFacts(TOY.frame(seat, "en"), redact(after, seat), before=then))


def test_a_thing_is_told_when_its_reader_sees_it_first() -> None:
    """The text comes with the first report on which the thing can be seen, and not again with the next."""
    none, one, two = with_hand(), with_hand(own("iron")), with_hand(own("iron"), own("silk"))
    assert "NEW TO YOU" in report(A, None, one)
    assert "Forged where" in report(A, none, one)
    later = report(A, one, two)
    assert "Forged where" not in later
    assert "The bank pays 5 coins for it." in later
    assert "NEW TO YOU" not in report(A, two, two)


def test_nobody_is_told_of_what_they_do_not_see() -> None:
    """A text would name a hidden card; who comes to know it later is told then."""
    hidden, shown = with_hand(own("iron")), with_hand(own("iron", B))
    assert "NEW TO YOU" not in report(B, with_hand(), hidden)
    assert "Forged where" in report(B, hidden, shown)


def test_too_many_new_things_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report tells a dozen in full at most."""
    assert MOST == 12
    monkeypatch.setattr("pbem.narration.item_texts.MOST", 1)
    said = report(A, with_hand(), with_hand(own("iron"), own("silk")))
    assert "(HELP followed by a name explains one): Silk." in said


@pytest.mark.parametrize("case", cases(), ids=str)
@IN_BOTH
def test_every_thing_with_a_text_has_a_name_by_which_it_is_found(case: Case, language: Language) -> None:
    """What HELP lists can be asked for by the name that it lists."""
    narrates = narrator(case.game, language)
    assert len(list_names(narrates)) == len(list_items(case.game, language))
    for kind, thing in list_items(case.game, language):
        name = text_of(narrates, kind, thing).name.partition(" [")[0]
        assert (kind, thing) in find(narrates, name)
