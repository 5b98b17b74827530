"""The pages on which one changes one's address, and is forgotten: complete without scripts, and silent about others."""

from tests.web.conftest import Town

OURS = "https://games.test"


def mailed(town: Town, kind: str) -> str:
    """The address of the page that the last letter of a kind leads to."""
    town.harness.run_queued_tasks()
    acts = [facts.frame.links.act for facts in town.harness.sent_facts("account") if facts.kind == kind]
    return str(acts[-1].removeprefix(OURS))


def test_both_ends_agree_by_a_button(town: Town) -> None:
    """Looking at a link does nothing; its button agrees, and after both the settings show the new address."""
    mine = town.browser("p1@games.test")
    assert mine.post("/settings/address", {"address": "new@elsewhere.test"}).status_code == 200
    for kind, said in (("move_new", "Now agree at the other address too"), ("move_old", "Done.")):
        path = mailed(town, kind)
        assert "n…@elsewhere.test" in town.browser().get(path).text
        assert said in town.browser().post(path).text
        assert town.browser().post(path, page="/sign-in").status_code == (200 if kind == "move_new" else 410)
    assert "new@elsewhere.test" in mine.get("/settings").text


def test_the_answer_is_the_same_whoever_has_the_address(town: Town) -> None:
    """An address of another player and one of nobody get the same page, so that it tells nobody who plays here."""
    mine = town.browser("p1@games.test")
    answers = [mine.post("/settings/address", {"address": one}) for one in ("p2@games.test", "no@games.test")]
    first, second = (answer.text.replace("p2@", "no@") for answer in answers)
    assert [answer.status_code for answer in answers] == [200, 200]
    assert first.partition("csrf_token")[0] == second.partition("csrf_token")[0]


def test_what_is_no_address_is_said(town: Town) -> None:
    """What cannot be an address, or is one's own, is refused with a sentence."""
    mine = town.browser("p1@games.test")
    for written in ("nowhere", "p1@games.test"):
        answer = mine.post("/settings/address", {"address": written})
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
    town.harness.run_queued_tasks()
    assert town.harness.sent_facts("account") == []


def test_being_forgotten_is_said_twice_and_signs_out(town: Town) -> None:
    """The page tells what stays and writes a letter; its button signs out, and a table under way is waited for."""
    mine = town.browser("p1@games.test")
    assert "a year at most" in mine.get("/settings/account-deletion").text
    assert mine.post("/settings/account-deletion").status_code == 200
    assert mine.get("/settings").status_code == 200
    path = mailed(town, "forget")
    assert "<button>Delete my account" in town.browser().get(path).text
    assert "Your seats are offered to other players" in town.browser().post(path).text
    assert mine.get("/settings").status_code == 303
    assert town.browser().post(path, page="/sign-in").status_code == 410
