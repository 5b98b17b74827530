"""Whatever any game can say goes through, in every form and language; and the false Discord lets nothing bad pass."""

import json
import re
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.viewers import Seat
from pbem.discord import payloads, wording
from pbem.discord.payloads import DiscordMarkup, JsonMarkup, SlackMarkup, build_payload
from pbem.discord.words import load_catalogue
from pbem.narration.facts import EmailContext, Links, Reader, TableFacts
from pbem.narration.reports import Chapter
from pbem.service.base.webhook_ports import PendingSeat, WebhookMessageFacts
from pbem.service.channels import webhooks
from pbem.store.models import QuestionRow, SeatRow, WebhookMessage
from tests.archive.bots import play_on
from tests.budget import budget
from tests.discord.fake_discord import LIMITS, Fake, faults
from tests.discord.linked_games import Town, town

ACCOUNTS = {"p1@games.test": "700000000000001", "p2@games.test": "700000000000002"}


def owing(at: Town) -> set[str]:
    """The linked accounts of those who owe an answer now."""
    seats = {row.seat: row.user_id for row in at.harness.load_rows(SeatRow)}
    users = {at.user(address): outside for address, outside in ACCOUNTS.items()}
    waiting = {row.seat for row in at.harness.load_rows(QuestionRow) if row.is_blocking and row.answered_at is None}
    return {users[user] for seat in waiting if (user := seats[seat]) in users}


def calls_on_nobody(at: Town, row: WebhookMessage) -> bool:
    """Return True if a message is only for players who have linked no account: Discord is spared it."""
    linked = {at.user(address) for address in ACCOUNTS}
    seats = {row.seat for row in at.harness.load_rows(SeatRow) if row.user_id in linked}
    return row.kind == "asked" and not any(mark.rpartition("|")[2] in seats for mark in row.terms["only"])


@pytest.mark.long
@pytest.mark.parametrize("title", [pytest.param(t, marks=() if t == "amalfi" else pytest.mark.night) for t in GAMES])
def test_every_payload_of_a_game_is_taken(state_dir: Path, fake: Fake, title: str) -> None:
    """A game is played by bots, linked to channels of each form and language: no payload is refused, one message opens
    each phase, and it calls on exactly those who owe an order and have linked an account.
    """
    at = town(state_dir, fake, title)
    for address, outside in ACCOUNTS.items():
        at.account(address, outside)
    for form, language in (("discord", "en"), ("slack", "fr"), ("plain", "en")):
        at.link(form, language)
    webhooks.add_webhook(at.harness.web, at.host, at.game, "discord", "fr", fake.hook)
    at.announce()
    fake.limit = 1000
    for entry in range(2, budget(16, 32)):
        told = len(fake.new())
        play_on(at.harness, at.game, entry)
        at.announce(seconds=20)
        for body in fake.new()[told:]:
            if "allowed_mentions" in body:
                assert body["allowed_mentions"]["parse"] == []
                assert set(body["allowed_mentions"]["users"]) == owing(at)
                assert all(f"<@{one}>" in body["content"] for one in owing(at))
    assert fake.refused() == []
    unsent = [row for row in at.bulletins() if row.state not in ("sent", "editing")]
    assert [row.kind for row in unsent if row.state != "skipped" or not calls_on_nobody(at, row)] == []
    kinds = [row.kind for row in at.bulletins() if row.webhook_id == at.bulletins()[0].webhook_id]
    assert kinds.count("hello") == 1
    assert kinds.count("phase") > min(budget(1, 5), len(GAMES[title].meta.topics))
    assert len({row.key for row in at.bulletins()}) == len(at.bulletins())


@pytest.mark.night
def test_the_last_message_tells_how_the_game_ended(state_dir: Path, fake: Fake) -> None:
    """The end of a game is one message, with the digest of the last entry, that calls on nobody; then it is quiet."""
    at = town(state_dir, fake, "renaissance", 4, scenario="1515")
    at.link()
    play_on(at.harness, at.game)
    at.announce(3, seconds=20)
    assert at.harness.load_game(at.game).state == "over"
    last = [row for row in at.bulletins() if row.kind == "over"]
    assert len(last) == 1
    shown = fake.messages[last[0].remote_message_id]["embeds"][0]
    assert "the game is over" in shown["title"]
    assert re.search(r"digest [0-9a-f]{64}", shown["footer"]["text"])
    assert "fields" not in shown
    before = len(fake.taken)
    at.announce(3, hours=30)
    assert len(fake.taken) == before


# --- extremes

_NAMES = st.text(min_size=1, max_size=80)
_SEATS = tuple(Seat(f"s{n}") for n in range(1, 8))


@st.composite
def facts(draw: st.DrawFn) -> WebhookMessageFacts:
    """A message of any kind before a game begins, with names that mean to do harm."""
    nasty = st.sampled_from(
        ["@everyone", "<@700000000000001>", "**[x](https://evil.test)**", "`|~_", "<!channel>", "é" * 80]
    )
    names = {seat: draw(_NAMES | nasty) for seat in _SEATS}
    terms = {"name": draw(_NAMES | nasty), "before": 1_800_000_000, "after": 1_800_003_600, "who": draw(_NAMES | nasty)}
    kind = draw(st.sampled_from(sorted(set(load_catalogue("en")["lead"]) - {"past", "moved", "taken"})))
    table = TableFacts("age_of_renaissance", draw(_NAMES | nasty), names)
    owed = tuple(
        PendingSeat(seat, "bid", str(700000000000001 + n)) for n, seat in enumerate(_SEATS) if draw(st.booleans())
    )
    frame = EmailContext(
        Reader("", draw(st.sampled_from(["fr", "en"]))), table, Links("https://games.test/games/" + "x" * 12)
    )
    return WebhookMessageFacts(
        "m",
        kind,
        frame,
        questions=owed,
        subject=6,
        topic=("bid", "tokens"),
        turn=7,
        due=1_800_000_000,
        terms=terms,
        paused=draw(st.booleans()),
        closed=draw(st.booleans()),
    )


@pytest.mark.parametrize(("title", "language"), [*zip(GAMES, cycle(LANGUAGES), strict=False)])
def test_the_longest_messages_fit(title: str, language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six seats with the longest names, every question of the game at once, and a story without end: all is taken."""
    name, asked = "@*" * 40, tuple(topic.key for topic in GAMES[title].meta.topics)
    table = TableFacts(title, name, dict.fromkeys(_SEATS, name))
    frame = EmailContext(Reader("", language), table, Links("https://games.test/games/" + "x" * 32))
    owed = tuple(PendingSeat(seat, one, f"{'7' * 18}{seat[1]}") for seat in _SEATS for one in asked)
    story = (Chapter("x" * 200, tuple(f"{n} " + "y" * 90 for n in range(200))),)
    awaited = tuple(DiscordMarkup().plain(name) for _ in _SEATS)
    monkeypatch.setattr(
        payloads,
        "build_message",
        lambda *given: replace(wording.build_message(*given), chapters=story, awaited=awaited, small="z" * 300),
    )
    for kind in set(load_catalogue("en")["lead"]) - {"past"}:
        before = 1_800_000_000 if kind == "moved" else name
        terms = {"name": name, "before": before, "after": 1_800_003_600, "who": name}
        said = WebhookMessageFacts(
            "m",
            kind,
            frame,
            questions=owed,
            subject=6,
            topic=asked,
            turn=99,
            due=1_800_000_000,
            terms=terms,
            paused=True,
        )
        body = json.loads(build_payload("discord", said))
        assert faults(body) == [], kind
        assert all(f"<@{one}>" in body["content"] for one in body["allowed_mentions"]["users"])


def texts(part: Any) -> list[str]:
    """All texts of a message to Discord, but for the list of whom it calls on."""
    if isinstance(part, dict):
        return [text for name, value in part.items() if name != "allowed_mentions" for text in texts(value)]
    if isinstance(part, list):
        return [text for value in part for text in texts(value)]
    return [part] if isinstance(part, str) else []


@settings(max_examples=budget(12, 300))
@given(facts())
def test_no_name_makes_a_payload_that_is_refused_or_calls_on_anybody(said: WebhookMessageFacts) -> None:
    """Names of tables and players, whatever they hold, fit into every form; they are text, and call on nobody."""
    body = json.loads(build_payload("discord", said))
    assert faults(body) == []
    listed = body["allowed_mentions"]
    assert listed["parse"] == []
    assert set(listed["users"]) <= {one.discord_id for one in said.questions}
    shown = "\n".join(texts(body))
    plain = shown.replace(" ".join(f"<@{one}>" for one in listed["users"]), "", 1)
    assert not re.search(r"(?<!\\)<[@!#&]|@everyone|(?<!\\)\]\(", plain)
    slack = json.loads(build_payload("slack", said))
    assert set(slack) == {"text"}
    assert len(slack["text"]) < 4000
    marks = re.findall(r"<[^>]*>", slack["text"])
    assert all(mark.startswith(("<https://games.test/", "<!date^")) for mark in marks)
    assert json.loads(build_payload("plain", said))["page"].startswith("https://games.test/")


def test_a_name_stays_on_one_line() -> None:
    """Nothing that a player wrote begins a line of its own, where signs mean something."""
    voices: tuple[Any, ...] = (DiscordMarkup(), SlackMarkup(), JsonMarkup())
    assert not [voice for voice in voices if "\n" in voice.plain("a\n# b\r\n> c\u2028d")]


# --- the false Discord itself

BUTTON = {"type": 2, "style": 1, "label": "b", "custom_id": "c"}
BAD: tuple[Any, ...] = (
    {"content": "x" * 2001},
    {"embeds": [{"title": "t"}] * 11},
    {"embeds": [{"title": "x" * 257}]},
    {"content": "x", "username": ""},
    {"content": "x", "username": "my DisCord bot"},
    {"content": "x", "username": "Clyde"},
    {"embeds": [{"fields": [{"name": "n"}]}]},
    {"content": "x", "components": [BUTTON]},
    {"embeds": [{"description": "x" * 3001}] * 2},
    {"content": "  "},
    {},
    {"components": [{"type": 10, "content": "only a component"}]},
    {"content": "x", "flags": LIMITS["components_v2_flag"]},
    {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
    {"content": "x", "allowed_mentions": {"users": [str(n) for n in range(101)]}},
    [],
)


def test_the_false_discord_refuses_what_the_true_one_would() -> None:
    """Shapes, sizes and the four rules beside them: each kind of bad message is refused; one at the edge is taken."""
    assert [body for body in BAD if not faults(body)] == []
    assert faults({"content": "x" * 2000}) == []
    assert faults({"embeds": [{"title": "x" * 256, "description": "y" * 4096, "footer": {"text": "z" * 1648}}]}) == []
    component = [{"type": 10, "content": "a component"}]
    assert faults({"components": component, "flags": 32768}, {"with_components": ["true"]}) == []
