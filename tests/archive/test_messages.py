"""What was said at a table, in its file: what everybody heard, and all of it once the game is over."""

from pathlib import Path

import pytest

from pbem.archive.container import NotAnArchive
from pbem.archive.contents import archive_of, parse
from pbem.crypto import new_token
from pbem.service.archive import files, transfer
from pbem.service.messages import conversations, messages
from tests.archive.bots import play_on
from tests.archive.files import verify_file
from tests.service.server_fixtures import ServerHarness, build, restore_or_make, start_game
from tests.service.test_messages import player, say

SECRETS = {"Psst", "A question", "My plan"}


def chatty(harness: ServerHarness, *, over: bool = False) -> str:
    """A game at which something was said in every way there is; `over`: and which was played to its end."""

    def make() -> str:
        game = start_game(harness, "toy", 3, talk="free", anonymous="yes")
        say(harness, game, 1, ["all"], "Hello")
        say(harness, game, 2, ["all"], "Who am I?", unsigned=True)
        say(harness, game, 1, ["s2"], "Psst")
        say(harness, game, 3, ["master"], "A question")
        messages.write_diary(harness.web, player(harness, 3), game, "My plan", new_token())
        if over:
            play_on(harness, game)
        return game

    return restore_or_make(harness, ("chatty", over), make)


def read_messages(blob: bytes) -> list[tuple[str, str, str]]:
    """Kind, name and words of everything said in a file."""
    return [(line["kind"], line["name"], line["text"]) for line in parse(blob).press]


PUBLIC = [("public", "Player 1", "Hello"), ("public", "", "Who am I?")]


def test_a_running_games_file_has_what_everybody_heard(state_dir: Path) -> None:
    """Secrets, words to the master and diaries are in the file for those who may read them, and for nobody else."""
    harness = build(state_dir)
    game = chatty(harness)
    assert read_messages(files.export_game(harness.resolver, game)) == PUBLIC
    assert read_messages(files.export_game(harness.resolver, game, "s2")) == [*PUBLIC, ("private", "Player 1", "Psst")]
    assert {text for _, _, text in read_messages(files.export_game(harness.resolver, game, "s3"))} & SECRETS == {
        "A question",
        "My plan",
    }


def test_the_record_has_all_of_it_here_and_elsewhere(state_dir: Path) -> None:
    """Once the game is over the file has secrets and diaries, but never the name of an unsigned author.

    Opened on another server, it comes out the same again, and the record shows what was said.
    """
    harness, other = build(state_dir), build(state_dir / "other")
    game = chatty(harness, over=True)
    blob = files.export_game(harness.resolver, game)
    assert verify_file(blob).code == 0
    assert {text for _, _, text in read_messages(blob)} >= SECRETS
    assert [(name, line["seat"]) for line in parse(blob).press if not (name := line["name"])] == [("", "")]
    assert all("for" not in line for line in parse(blob).press)
    transfer.import_game(other.resolver, blob)
    assert files.export_game(other.resolver, game) == blob
    assert {one.text for one in conversations.record_of(other.web, game)} >= SECRETS


def test_a_game_handed_over_takes_its_talk_along(state_dir: Path) -> None:
    """On the new server each player finds what they heard and no more; the open part of the file has no secret."""
    harness, other = build(state_dir), build(state_dir / "other")
    game = chatty(harness)
    blob = transfer.export(harness.resolver, game, transfer.load_own_key(other.resolver))
    assert read_messages(blob) == PUBLIC
    transfer.import_game(other.resolver, blob)
    heard = {
        seat: {one.text for one in conversations.load_conversation(other.web, player(other, seat), game).messages}
        for seat in (1, 2, 3)
    }
    assert heard[2] & SECRETS == {"Psst"}
    assert heard[3] & SECRETS == {"A question"}
    assert [one.text for one in conversations.load_conversation(other.web, player(other, 3), game).diary] == ["My plan"]


def test_a_line_that_is_no_talk_is_no_archive(state_dir: Path) -> None:
    """A file whose talk is of another form is refused with a sentence."""
    harness = build(state_dir)
    members = dict(parse(files.export_game(harness.resolver, chatty(harness))).members())
    changes: tuple[dict[str, object], ...] = ({"kind": "shouted"}, {"to": "all"}, {"more": 1}, {"at": "noon"})
    for change in changes:
        with pytest.raises(NotAnArchive):
            archive_of({**members, "press.jsonl": ({**members["press.jsonl"][0], **change},)})
