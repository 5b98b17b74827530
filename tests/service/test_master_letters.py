"""What the letters of game masters say: names as they were written, reasons, and how corrections are written."""

import re
from pathlib import Path

import pytest

from engine.kernel.languages import LANGUAGES
from pbem.narration.letters import Rendered, render
from pbem.service.masters import api
from tests.service.master_commands import HOST, MASTER, build_mastered_game, get_user_id, send_commands, set_language
from tests.service.server_fixtures import ServerHarness, build, start_game


def write_letter(harness: ServerHarness, game: str, *lines: str, language: str = "en") -> Rendered:
    """Write to the master's address; the letter that answers, in a language."""
    set_language(harness, language, MASTER)
    api.send_address(harness.web, get_user_id(harness, MASTER), game)
    harness.run_queued_tasks()
    token = next(str(a.token) for a, _ in reversed(harness.sent) if a.kind == "master" and a.to_address == MASTER)
    harness.receive_reply(token, list(lines), sender=MASTER)
    harness.run_queued_tasks()
    return render(next(f for a, f in reversed(harness.sent) if a.kind == "master" and a.key.startswith("master.")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_is_shown_as_its_writer_wrote_it(language: str, state_dir: Path) -> None:
    """A confirmation, and what came of it, name the address whole, by letter and by page."""
    harness, game = build_mastered_game(state_dir)
    asked = write_letter(harness, game, "REPLACE p2 BY pc@players.test", language=language)
    assert asked.text.count(" pc@players.test") > 1
    assert not re.search(r"[Pp]cplayers", asked.text + asked.html)
    word = re.findall(r"CONFIRM(?:ER)? (\w{6})", asked.text)[0]
    done = write_letter(harness, game, f"CONFIRM {word}", language=language)
    assert " pc@players.test" in done.text.partition("\n\n")[2]


def test_the_reason_of_a_pause_reaches_every_player(state_dir: Path) -> None:
    """What a master writes after PAUSE stands in each player's letter about it."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, "PAUSE Anna moves house", who=MASTER)
    letters = harness.sent_facts("deadline_changed")
    assert [(facts.cause, facts.reason) for facts in letters] == [("pause", "Anna moves house")] * 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_the_answer_to_help(language: str, state_dir: Path) -> None:
    """HELP is answered as such, and lists what CORRECT can put right, each with a line that is possible now."""
    harness, game = build_mastered_game(state_dir)
    asked = write_letter(harness, game, "HELP", language=language)
    for wrong in ("understood no act", "Nothing understood", "compris aucun acte", "Rien n'a été compris"):
        assert wrong not in asked.text + asked.subject
    assert f"\n{'DONNER' if language == 'fr' else 'GIVE'} <" in asked.text
    facts = harness.sent_facts("master")[-1]
    assert [bool(example) for _, _, example in facts.corrections] == [True] * len(facts.corrections) != []
    for _, _, example in facts.corrections:
        shown = api.preview_commands(harness.web, game, get_user_id(harness, MASTER), ["CORRECT misread", example])
        assert (shown.acts[0].outcome, shown.acts[0].events != ()) == ("preview", True), example


@pytest.mark.parametrize("language", LANGUAGES)
def test_acts_written_to_ones_own_seat_get_the_address_that_takes_them(language: str, state_dir: Path) -> None:
    """Nothing is done, and a letter that takes acts quotes them; a player who is no master gets the receipt alone."""
    harness = build(state_dir)
    start_game(harness, "toy", 3, 48)
    set_language(harness, language, HOST)
    before = len(harness.sent_facts("master"))
    harness.reply("s2", "EXTEND 2 days", "BID 1")
    assert len(harness.sent_facts("master")) == before
    harness.reply("s1", "EXTEND 2 days", "PAUSE for Easter", "BID 1")
    (facts,) = harness.sent_facts("master")[before:]
    letter = render(facts)
    assert "EXTEND 2 days / PAUSE for Easter" in letter.text
    assert facts.frame.links.answer in letter.text
    token = next(str(a.token) for a, _ in reversed(harness.sent) if a.kind == "master")
    harness.receive_reply(token, ["EXTEND 2 days"], sender=HOST)
    harness.run_queued_tasks()
    assert [act.outcome for act in harness.sent_facts("master")[-1].acts] == ["done"]


def test_the_last_letter_to_a_former_player_has_no_links(state_dir: Path) -> None:
    """A player who was removed reads what became of the seat, and nothing to click that no longer works."""
    harness, game = build_mastered_game(state_dir)
    word = send_commands(harness, game, "EJECT p2", who=MASTER).acts[0].word
    send_commands(harness, game, f"CONFIRM {word}", who=MASTER)
    (facts,) = (f for f in harness.sent_facts("notice") if f.kind == "replaced")
    letter = render(facts)
    assert "http" not in letter.text
    assert 'href="http' not in letter.html
