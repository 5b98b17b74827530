"""Masters' acts by programs: the same lines as at every other door, with a scope of their own."""

from typing import Any

from pbem.store.models import AuditEntry, Master, QuestionRow
from tests.api.conftest import Quay
from tests.api.test_operations import problem
from tests.service.master_commands import MASTER, appoint_outsider, get_user_id


def acted(answer: Any) -> list[tuple[str, str]]:
    """What came of each line, and the word that was given."""
    assert answer.status_code == 200, answer.text
    return [(act["outcome"], act["word"]) for act in answer.json["acts"]]


def test_a_line_is_done_in_the_masters_language_and_asks_twice(quay: Quay) -> None:
    """As on the page: what was written, our spelling of it, and sentences; the audit says that a program did it.

    What asks twice is not done by the first call; the second, with its word, does it; each with a key of its own.
    """
    master, path = quay.program("p1@games.test", scope="master"), f"{quay.at}/master"
    before = {row.id: row.due_at or 0 for row in quay.harness.load_rows(QuestionRow)}
    answer = master.post(path, {"lines": ["prolonger 2 jours"]}, Accept_Language="fr")
    assert acted(answer) == [("done", "")]
    assert (answer.json["acts"][0]["line"], answer.headers["Content-Language"]) == ("EXTEND 2 days", "en")
    after = {row.id: row.due_at or 0 for row in quay.harness.load_rows(QuestionRow)}
    assert {after[number] - due for number, due in before.items() if due} == {2 * 86_400_000}
    lines, entry = ["PROCESS BID 1"], quay.harness.load_game(quay.game).entry
    assert acted(master.post(f"{path}/preview", {"lines": lines})) == [("preview", "")]
    assert [(row.channel, row.action, row.outcome) for row in quay.harness.load_rows(AuditEntry)] == [
        ("program", "extend", "done")
    ]
    ((outcome, word),) = acted(master.post(path, {"lines": lines}))
    assert (outcome, len(word)) == ("confirm", 6)
    assert acted(master.post(path, {"lines": lines, "word": "nothing"}))[0][0] == "confirm"
    assert acted(master.post(path, {"lines": lines, "word": word}, key="k")) == [("done", "")]
    assert master.post(path, {"lines": lines, "word": word}, key="k").json["outcome"] == "repeated"
    quay.harness.run_queued_tasks()
    assert quay.harness.load_game(quay.game).entry > entry


def test_no_program_looks_behind_the_screens(quay: Quay) -> None:
    """OPEN is for people: it is neither previewed nor done for a program, and is not in its list of forms."""
    appoint_outsider(quay.harness, quay.game)
    master = quay.program(MASTER, scope="master")
    for path in ("master/preview", "master"):
        answer = master.post(f"{quay.at}/{path}", {"lines": ["OPEN HAND p2"]})
        assert acted(answer) == [("refused", "")]
        assert "Only a person" in answer.json["acts"][0]["messages"][0]
    forms = master.get(f"{quay.at}/master").json["forms"]
    assert not any(form["usage"].startswith("OPEN") for form in forms)
    assert any(form["usage"].startswith("EXTEND") for form in forms)


def test_the_desk_shows_what_the_page_shows(quay: Quay) -> None:
    """Everybody at the table sees the audit, newest first and in parts; only a master sees how the table stands.

    A program that looks is no sign of its master; an act that it was told to do is one.
    """
    master, player = quay.program("p1@games.test", scope="master"), quay.program("p2@games.test", scope="read")
    for days in (1, 2):
        master.post(f"{quay.at}/master", {"lines": [f"EXTEND {days} days"]})
    seen = [row.seen_at for row in quay.harness.load_rows(Master)]
    quay.harness.advance_time(hours=1)
    mine, theirs = master.get(f"{quay.at}/master").json, player.get(f"{quay.at}/master").json
    assert [act["line"] for act in theirs["audit"]] == ["EXTEND 2 days", "EXTEND 1 days"]
    assert (mine["yours"], theirs["yours"], theirs["status"]) == (True, False, [])
    assert mine["status"]
    assert [act["line"] for act in player.get(f"{quay.at}/master?before=2").json["audit"]] == ["EXTEND 1 days"]
    assert [row.seen_at for row in quay.harness.load_rows(Master)] == seen
    master.post(f"{quay.at}/master", {"lines": ["EXTEND 1 day"]})
    assert [row.seen_at for row in quay.harness.load_rows(Master)] > seen


def test_a_player_votes_and_is_refused_what_masters_do(quay: Quay) -> None:
    """The same call depends on its author's rights; a token that only plays does not reach it at all."""
    player = quay.program("p2@games.test", scope="master")
    assert acted(player.post(f"{quay.at}/master", {"lines": ["EXTEND 2 days"]})) == [("refused", "")]
    assert get_user_id(quay.harness, "p2@games.test") not in {row.user_id for row in quay.harness.load_rows(AuditEntry)}
    plain = quay.program("p1@games.test")
    problem(plain.post(f"{quay.at}/master", {"lines": ["EXTEND 2 days"]}), 403, "other_scope")
    problem(plain.post(f"{quay.at}/master/preview", {"lines": ["EXTEND 2 days"]}), 403, "other_scope")
    problem(player.post(f"{quay.at}/orders", {"entry": 1, "lines": ["BID 3"]}), 403, "other_scope")
