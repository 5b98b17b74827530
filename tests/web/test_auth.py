"""Signing in and out, and what a link does when it is only looked at."""

from pbem.service.seats import sign_in
from tests.web.conftest import Town
from tests.web.form_browser import Browser, site


def link(town: Town, address: str) -> str:
    """The path of a mailed sign-in link."""
    return sign_in.create_sign_in_link(town.harness.web, town.user(address)).removeprefix("https://games.test")


def test_the_answer_is_the_same_for_every_address(town: Town) -> None:
    """Asking for a link tells nothing of who plays here; the link that the letter holds signs in."""
    answers = {
        town.browser().post("/sign-in", {"address": address}).text.replace(address, "")
        for address in ("p1@games.test", "never@games.test", "no address at all", "a@b\r\nBcc: c@d")
    }
    assert len({text.split("<main")[1].split("</main>")[0] for text in answers}) == 1
    town.harness.run_queued_tasks()
    guest = town.browser()
    path = next(
        f.frame.links.act for a, f in town.harness.sent if (a.kind, a.to_address) == ("signin", "p1@games.test")
    )
    assert guest.post(path.removeprefix("https://games.test")).status_code == 303
    assert "Rose" in guest.get("/").text


def test_the_answer_is_the_same_beyond_the_links_of_the_day(town: Town) -> None:
    """Who asks for too many links for an address is shown the page as ever; others still get theirs for it."""
    answers = []
    for _ in range(4):
        answers += [town.browser().post("/sign-in", {"address": "p1@games.test"}) for _ in range(4)]
        town.harness.advance_time(hours=1)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text.split("<main")[1].split("</main>")[0] for answer in answers}) == 1
    town.harness.run_queued_tasks()
    assert len(town.harness.sent_facts("signin")) == 10
    town.browser().post("/sign-in", {"address": "p1@games.test"}, environ_overrides={"REMOTE_ADDR": "198.51.100.7"})
    town.harness.run_queued_tasks()
    assert len(town.harness.sent_facts("signin")) == 11


def test_looking_at_a_link_does_nothing(town: Town) -> None:
    """A scanner that opens every link of a letter uses none up; the button signs in, once, and within an hour."""
    path, late = link(town, "p1@games.test"), link(town, "p1@games.test")
    for _ in range(3):
        assert town.browser().get(path).status_code == 200
    guest = town.browser()
    assert guest.post(path).status_code == 303
    assert town.browser().post(path).status_code == 410
    assert guest.get("/settings").status_code == 200
    town.harness.advance_time(hours=1, seconds=1)
    other = town.browser()
    assert other.post(late).status_code == 410
    assert other.get("/settings").status_code == 303


def test_a_session_begins_anew_and_ends_with_every_copy(town: Town) -> None:
    """What the cookie held before signing in is worth nothing after it; a cookie that was copied before signing out
    opens nothing after it; and a session ends after thirty days, however often it was used.
    """
    guest, copies = town.browser(), list[Browser]()

    def copy() -> None:
        cookie = guest.client.get_cookie("pbem")
        assert cookie is not None
        copies.append(Browser(town.app))
        copies[-1].client.set_cookie("pbem", cookie.value)

    guest.get("/sign-in")
    copy()
    guest.sign_in(town.harness, town.user("p1@games.test"))
    copy()
    assert [one.get("/settings").status_code for one in copies] == [303, 200]
    guest.post("/sign-out", page="/settings")
    assert [one.get("/settings").status_code for one in (guest, *copies)] == [303, 303, 303]
    guest.sign_in(town.harness, town.user("p1@games.test"))
    town.harness.advance_time(days=30, seconds=1)
    assert guest.get("/settings").status_code == 303


def test_one_comes_back_to_where_one_wanted_to_go(town: Town) -> None:
    """After signing in the page asked for first is shown, but never one of another site."""
    guest = town.browser()
    assert guest.get(f"/games/{town.game}").status_code == 303
    answer = guest.post(link(town, "p1@games.test"))
    assert answer.headers["Location"] == f"/games/{town.game}"
    for back in ("//evil.test", "https://evil.test", "/\\evil.test", "/a?b", "x"):
        assert guest.post("/language", {"language": "en", "back": back}, page="/").headers["Location"] == "/"


def test_cookies_are_strict(town: Town) -> None:
    """Scripts and other sites cannot reach them; where there is https they are for https and this host alone."""
    header = town.browser().get("/sign-in").headers["Set-Cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Strict" in header
    secure = Browser(site(town.harness, is_secure=True)).get("/sign-in", base_url="https://games.test")
    assert secure.headers["Set-Cookie"].startswith("__Host-pbem=")
    assert "Secure" in secure.headers["Set-Cookie"]
    assert secure.headers["Strict-Transport-Security"]


def test_a_reader_who_comes_by_a_link_of_their_mail_page_stays_signed_in(town: Town) -> None:
    """Strict cookies stay behind on such a step: one step of our own follows, and no session is overwritten."""
    path = f"/games/{town.game}"
    bare = Browser(town.app)
    answer = bare.get(path, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert f'content="0;url={path}"' in answer.text
    assert "Set-Cookie" not in answer.headers


def test_a_name_like_another_players_is_refused_in_the_settings(town: Town) -> None:
    """The page names the player whom one would be taken for, and a name that would do."""
    guest = town.browser("p2@games.test")
    answer = guest.post("/settings", {"name": "Plаyer 1", "zone": "UTC"})
    assert answer.status_code == 422
    assert "can be mistaken for “Player 1”" in answer.text
    assert "“Plаyer 1 2”" in answer.text
    assert guest.post("/settings", {"name": "Plаyer 1 2", "zone": "UTC"}).status_code == 200


def test_language_and_zone(town: Town) -> None:
    """Both are kept for letters too; an unknown zone changes nothing and is answered with what would do.

    Until somebody chooses, pages follow their browser.
    """
    assert 'lang="fr"' in town.browser().get("/", headers={"Accept-Language": "fr-CH, en;q=0.5"}).text
    guest = town.browser("p1@games.test")
    answer = guest.post("/settings", {"name": "Ann", "zone": "Mars/Olympus"})
    assert answer.status_code == 422
    assert "Europe/Paris" in answer.text
    assert guest.post("/settings", {"name": "  Ann\nB ", "zone": "Europe/Paris"}).status_code == 200
    assert 'value="Ann B"' in guest.get("/settings").text
    guest.post("/language", {"language": "fr", "back": "/settings"}, page="/settings")
    assert 'lang="fr"' in town.browser("p1@games.test").get("/").text
