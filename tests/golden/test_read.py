"""What a reader must find in the kept letters: said once, without contradiction, and true for a line sent back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.golden.make import LETTERS

NOTHING_STANDS = ("Vous n'avez aucun ordre enregistré.", "You have no stored orders.")
TAKEN = ("Vos ordres sont enregistrés.", "Your orders are in.")


def _letters(kind: str) -> Iterator[tuple[str, str]]:
    """The kept letters of a kind, each on one line, with its path."""
    for path in sorted(LETTERS.rglob(f"*-{kind}.txt")):
        yield path.relative_to(LETTERS).as_posix(), " ".join(path.read_text("utf-8").replace("\u00a0", " ").split())


def _one(where: str) -> str:
    """One letter as a reader's screen shows it."""
    return Path(LETTERS, where).read_text("utf-8").replace("\u00a0", " ")


def test_no_receipt_takes_orders_and_says_that_none_stand() -> None:
    """What stands includes what the letter brought."""
    receipts = list(_letters("receipt"))
    assert len(receipts) > 40
    for path, text in receipts:
        assert not (any(t in text for t in TAKEN) and any(n in text for n in NOTHING_STANDS)), path


@pytest.mark.parametrize("kind", ["receipt", "report", "reminder", "started"])
def test_every_letter_that_asks_says_until_when_in_the_readers_zone_and_in_utc(kind: str) -> None:
    """The letter also says what happens if nothing comes."""
    asks = re.compile("À VOUS|ORDERS DUE|: à vous\\.|: orders due\\.")
    found = [(path, text) for path, text in _letters(kind) if asks.search(text)]
    assert found
    for path, text in found:
        assert re.search(r"(Paris|London|Londres) \(\d\d(:| h )\d\d UTC\)", text), path
        assert re.search("Sans réponse|If you send nothing|Si vous n'envoyez rien", text), path


def test_an_awaited_seat_is_named_by_power_and_player() -> None:
    """A power has one name in a list, wherever the list stands."""
    awaited = re.compile(r"(?:On attend (?:aussi|encore)|Also waiting for:|Still waiting for:) ([^.]*)\.")
    for kind in ("receipt", "report"):
        for path, text in _letters(kind):
            for names in awaited.findall(text):
                if "Venezia" in names or "Genoa" in names or "Paris" in names or "Barcelona" in names:
                    assert all("(" in name for name in re.split(", | et | and ", names)), (path, names)


def test_every_report_tells_news_or_asks() -> None:
    """No letter is empty of news and questions."""
    reports = list(_letters("report"))
    assert reports
    for path, text in reports:
        assert re.search("CE QUI S'EST PASSÉ|WHAT HAPPENED|À VOUS|ORDERS DUE", text), path


def test_no_two_heads_follow_each_other_in_a_story() -> None:
    """A phase in which nothing happened has no head of its own."""
    for path in sorted(LETTERS.rglob("*.txt")):
        lines = path.read_text("utf-8").split("\n")
        for head, after in (("CE QUI S'EST PASSÉ", "LA TABLE"), ("WHAT HAPPENED", "THE TABLE")):
            if head in lines and after in lines:
                story = lines[lines.index(head) + 2 : lines.index(after)]
                heads = [n for n, line in enumerate(story) if line and line[0] not in "- "]
                assert all(story[n + 1].startswith("- ") for n in heads), path


def test_reactions_and_orders_ahead_are_shown_in_every_receipt_and_report_while_they_stand() -> None:
    """A player who has not looked for three days finds there what they have on file."""
    for where in ("s1.fr/07-report.txt", "s1.fr/10-receipt.txt", "s1.fr/11-report.txt"):
        text = _one(where)
        assert "PLACER Firenze 4" in text, where
        assert "- Perte en cas de Guerre civile : ARGENT" in text, where


def test_a_reaction_that_answered_is_told_with_its_answer() -> None:
    """The report of what it decided tells the reaction and its answer."""
    assert "- Perte en cas de Guerre civile : utilisée (ARGENT)." in _one("s1.fr/11-report.txt")


def test_help_lists_every_form_of_what_is_asked_with_a_line_that_stands_and_the_default() -> None:
    """Help is in the reader's language, with what may be sent ahead and what a line may depend on."""
    text = _one("s1.en/02-receipt.txt")
    flat = " ".join(text.split())
    told = (
        "KEEP <cards>, ...",
        "For example: KEEP Mysticism, Alchemist's Gold",
        "your first two cards are kept",
        "BID <ducats>",
        "you bid 0 ducats",
        "For example: CAPITALS Venezia, Genoa, Barcelona, Paris",
        "FOR TURN 1 EXPANSION",
        "ON CIVIL WAR: MONEY",
        "IF I HOLD <province>",
    )
    for said in told:
        assert said in flat, said


def test_a_refused_command_and_an_empty_one_are_answered() -> None:
    """The receipt tells what came of each request, even of withdrawing nothing."""
    assert "- RETIRER expansion : il n'y avait rien à retirer." in _one("s2.fr/07-receipt.txt")
    assert "- ESSAI : rien n'est envoyé ; voyez ci-dessus" in _one("s1.fr/09-receipt.txt")
    assert "- RAPPORT : votre dernier rapport arrive dans une lettre à part." in _one("s1.fr/16-receipt.txt")


def test_orders_to_a_closed_question_are_refused_as_such() -> None:
    """They are neither skipped as talk nor taken for another question."""
    assert "That question is closed (the purchases, turn 1)" in " ".join(_one("s2.en/18-notice.txt").split())


def test_the_end_tells_the_readers_own_story_by_turns() -> None:
    """At most ten events, each with its turn."""
    story = _one("s1.fr/20-game_over.txt").partition("VOTRE HISTOIRE")[2].partition("DERNIERS ÉVÉNEMENTS")[0]
    events = [line for line in story.split("\n") if line.startswith("- ")]
    assert 3 <= len(events) <= 10
    assert sum(line.startswith("- Tour 1. ") for line in events) == len(events) - 1
