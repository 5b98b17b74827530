"""The pages of a table's channels and of one's account: for whom they are, and that they show no secret."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from pbem.cli.main import main
from pbem.service.access import users
from pbem.service.seats import tables
from pbem.store.models import DiscordAccount, Webhook
from pbem.web import WebConfig, create_pages
from tests.discord.fake_discord import SECRET, Fake
from tests.discord.linked_games import Town, town
from tests.web.form_browser import Browser


@pytest.fixture
def at(state_dir: Path, fake: Fake) -> Town:
    """A table of three under way."""
    return town(state_dir, fake)


def browser(at: Town, address: str = "", *, discord: bool = True) -> Browser:
    """Somebody at the pages."""
    guest = Browser(create_pages(at.harness.web, WebConfig(requests_per_minute=100_000, discord=discord)))
    return guest.sign_in(at.harness, at.user(address)) if address else guest


def fields(at: Town, **more: str) -> dict[str, str]:
    """The form that links a channel."""
    return {"act": "add", "form": "discord", "language": "fr", "address": at.fake.hook, **more}


def test_who_keeps_the_table_links_a_channel(at: Town) -> None:
    """The host's form links it, the page shows it without its secret, and the channel says hello in its language."""
    host, path = browser(at, "p1@games.test"), f"/games/{at.game}/channels"
    assert "no channel" in host.get(path).text
    assert host.post(path, fields(at)).status_code == 303
    at.announce()
    shown = host.get(path).text
    assert "127.0.0.1/api/webhooks/…0123/…" in shown
    assert SECRET not in shown
    assert '<p class="small">Français</p>' in shown
    assert "The last message arrived on" in shown
    assert "salon relié" in at.fake.new()[0]["embeds"][0]["title"]


def test_the_channels_are_for_who_keeps_the_table(at: Town) -> None:
    """Another player, a stranger, nobody, and the host of another table act on no channel by its number."""
    path = f"/games/{at.game}/channels"
    browser(at, "p1@games.test").post(path, fields(at))
    number, eve = at.channel().id, browser(at, "eve@games.test")
    for guest in (browser(at, "p2@games.test"), eve):
        assert guest.get(path).status_code == 404
        sent = {"act": "remove", "channel": number}
        assert guest.post(path, sent, page="/settings").status_code == 404
    assert browser(at).get(path).status_code in (302, 303)
    other = tables.create(at.harness.web, at.user("eve@games.test"), "age_of_renaissance", "Eve", 3, {})
    for act in ("remove", "off", "on"):
        assert eve.post(f"/games/{other}/channels", {"act": act, "channel": number}).status_code == 404
    assert [row.state for row in at.harness.load_rows(Webhook)] == ["on"]


UNFIT = (
    ("https://10.0.0.1/x", "plain", "our own network"),
    ("http://hooks.example.com/x", "plain", "begin with https"),
    ("https://hooks.example.com/x", "discord", "not a Discord webhook"),
    ("nonsense", "slack", "not the address of a webhook|begin with https"),
    ("https://hooks.example.com:25/x", "slack", "contains a port"),
    ("https://hooks.example.com/x", "carrier pigeon", "not the address of a webhook"),
)


def test_an_address_that_cannot_stand_is_refused_with_the_reason(at: Town) -> None:
    """The page says why in words, and does not repeat the address."""
    host = browser(at, "p1@games.test")
    for address, form, reason in UNFIT:
        answer = host.post(f"/games/{at.game}/channels", fields(at, address=address, form=form))
        assert answer.status_code == 422
        assert re.search(reason, answer.text)
        assert "hooks.example.com" not in answer.text
    assert at.harness.load_rows(Webhook) == []


def test_a_channel_can_be_stopped_tried_again_and_removed(at: Town) -> None:
    """Each has its button; a table has four channels at most."""
    host, path = browser(at, "p1@games.test"), f"/games/{at.game}/channels"
    host.post(path, fields(at))
    number = at.channel().id
    host.post(path, {"act": "off", "channel": number})
    assert "You have turned it off." in host.get(path).text
    at.announce(3)
    assert at.fake.taken == []
    host.post(path, {"act": "on", "channel": number})
    at.announce()
    assert len(at.fake.messages) == 1
    for _ in range(3):
        host.post(path, fields(at))
    assert 'name="address"' not in host.get(path).text
    assert host.post(path, fields(at)).status_code == 422
    host.post(path, {"act": "remove", "channel": number})
    assert number not in {row.id for row in at.harness.load_rows(Webhook)}


WHY = {
    "500 0": "il a répondu 500 0",
    "400 220001": "il appartient à un forum",
    "no answer": "aucune réponse à temps",
    "unknown": "nom de serveur inconnu",
    "tls": "son certificat n&#39;est pas valable",
    "inside": "il mène dans notre propre réseau",
    "port": "son adresse n&#39;est pas valable",
}


def test_failures_are_shown_to_the_owner_in_their_language(at: Town) -> None:
    """The page says how many attempts failed, when, and why, in the owner's words; and that a channel is off."""
    host, path = browser(at, "p1@games.test"), f"/games/{at.game}/channels"
    host.post(path, fields(at))
    at.fake.trouble = ["500", "500"]
    at.announce(1)
    assert "The last attempt failed" in host.get(path).text
    at.fake.gone, at.fake.trouble = True, []
    at.announce(1, minutes=5)
    assert "the webhook no longer exists" in host.get(path).text
    host.post("/language", {"language": "fr"}, page="/")
    for error, shown in WHY.items():
        with at.harness.web.db.transaction() as session:
            session.execute(update(Webhook).values(failures=1, failed_at=at.harness.web.now(), error=error, state="on"))
        assert f"({shown}" in host.get(path).text.replace("\u202f", " ").replace("\xa0", " ")


def test_a_code_is_shown_once_to_its_owner(at: Town) -> None:
    """The page of one's account gives a code to copy, and ends the link."""
    guest = browser(at, "p2@games.test")
    assert "/pbem link" not in guest.get("/settings/discord").text
    shown = guest.post("/settings/discord", {"act": "code"}).text
    assert re.search(r"/pbem link [a-z0-9]{26}<", shown)
    at.account("p2@games.test", "700000000000002")
    assert "Linked: p2@games.test" in guest.get("/settings/discord").text
    assert guest.post("/settings/discord", {"act": "unlink"}).status_code == 303
    assert at.harness.load_rows(DiscordAccount) == []


def test_without_an_application_no_code_is_given(at: Town) -> None:
    """A server without an application at Discord says so."""
    guest = browser(at, "p2@games.test", discord=False)
    assert "is not registered with Discord" in guest.get("/settings/discord").text
    assert "/pbem link" not in guest.post("/settings/discord", {"act": "code"}, page="/settings").text


def test_the_pages_tell_whose_letters_come_back(at: Town) -> None:
    """A player whom our letters do not reach is told so on each of their pages, for a week; nobody else is."""
    with at.harness.web.db.transaction() as session:
        user = users.get_or_create_user(at.harness.web, session, "p2@games.test")
        user.bounced_at = at.harness.web.now()
    at.harness.advance_time(hours=1)
    told = "Our letters to p2@games.test come back"
    theirs, other = browser(at, "p2@games.test"), browser(at, "p1@games.test")
    assert told in theirs.get("/").text
    assert told in theirs.get(f"/games/{at.game}").text
    assert told not in other.get("/").text
    at.harness.advance_time(days=7)
    assert told not in theirs.get("/").text


def test_the_commands_print_what_discord_wants() -> None:
    """`pbem game discord` prints JSON that can be sent as it is."""
    found = CliRunner().invoke(main, ["game", "discord"])
    assert found.exit_code == 0
    assert [one["name"] for one in json.loads(found.output)] == ["pbem"]
