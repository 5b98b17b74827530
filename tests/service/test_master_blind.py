"""A master is blind: what they are shown, refused or told does not change with what is hidden."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.orders import unconditional
from engine.kernel.secrets import Sealed, truth
from engine.kernel.viewers import Seat
from pbem.narration.facts import MasterFacts
from pbem.service.access import users
from pbem.service.masters import api
from pbem.service.masters.execution import has_sealed_values, hidden_cards
from pbem.store.models import AuditEntry, Master
from tests.service.master_commands import (
    HOST,
    MASTER,
    appoint_outsider,
    get_user_id,
    load_audit,
    send_commands,
    send_confirmed,
)
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.toy.board import CARDS, WARES
from tests.toy.orders import Attack
from tests.toy.steps import March


def steady(folder: Path, cards: str) -> tuple[ServerHarness, str]:
    """A game of three whose deal is made of these words, and whose master holds no seat; names and numbers alike."""
    folder.mkdir()
    harness = build(folder)
    harness.configure(random_bytes=lambda count: (cards.encode() * count)[:count])
    game = start_game(harness, "toy", 3, 48)
    appoint_outsider(harness, game)
    return harness, game


def hands(harness: ServerHarness, game: str) -> str:
    """Everybody's cards."""
    with truth():
        return dump(tuple(c.value for hand in harness.load_state(game).board.hands.values() for c in hand))


def shown(facts: MasterFacts) -> Any:
    """An answer without what is drawn anew for each table: words of confirmation, digests, addresses."""
    frame = replace(facts.frame, digest="", links=replace(facts.frame.links, answer="", mute="", page="", leave=""))
    acts = tuple(replace(act, word="") for act in facts.acts)
    seen = replace(facts.view, core=replace(facts.view.core, options={})) if facts.view is not None else None
    return dump(replace(facts, frame=frame, acts=acts, view=seen))


LINES = (
    ("PREVIEW",),
    ("STATUS",),
    ("PROCESS BIDS 1",),
    ("PROCESS",),
    ("EXTEND 2 days",),
    ("HOLD p2",),
    ("EJECT p2",),
    ("ELIMINATE p2",),
    ("OPEN HAND p2",),
    ("ANSWER FOR p2", "BID 3", "END"),
    ("ANSWER FOR p2", "PARRY WITH Shield"),
    ("ANSWER FOR p2", "BID 50"),
    ("PAUSE",),
    ("REPLACE p2 BY somebody@games.test",),
)


def test_previews_do_not_change_with_what_is_hidden(tmp_path: Path) -> None:
    """Two tables that differ in their cards, and in the secret answers of one seat: every preview says the same.

    A preview makes no act, no letter and no line in the audit.
    """
    one, game = steady(tmp_path / "a", "one deal")
    two, other = steady(tmp_path / "b", "another!")
    assert hands(one, game) != hands(two, other)
    one.reply("s3", "BID 1", "FOR MARCH", "ATTACK Mill WITH 1")
    two.reply("s3", "BID 7", "FOR MARCH", "ATTACK Abbey WITH 2")
    before = [dump(one.load_state(game)), len(one.sent), len(one.load_rows(AuditEntry))]
    for lines in LINES:
        said = [
            shown(api.preview_commands(harness.web, at, get_user_id(harness, MASTER), lines))
            for harness, at in ((one, game), (two, other))
        ]
        assert said[0] == said[1], lines
    one.run_queued_tasks()
    assert [dump(one.load_state(game)), len(one.sent), len(one.load_rows(AuditEntry))] == before


def test_the_room_of_a_blind_master_shows_no_card(tmp_path: Path) -> None:
    """Page, status, audit and answers hold the public position and no more: what the master was not shown is masked."""
    harness, game = steady(tmp_path / "a", "one deal")
    harness.reply("s2", "BID 7")
    send_commands(harness, game, "ANSWER FOR p3", "BID 5", "END", who=MASTER)
    room = api.load_master_page(harness.web, get_user_id(harness, MASTER), game)
    letters = [facts for address, facts in harness.sent if address.to_address == MASTER]
    text = dump(room.status) + dump(tuple(letters)) + repr(room.audit)
    assert not any(f'"{card}"' in text for card in CARDS)
    assert "BID 5" not in repr(room.audit)
    assert "BID 5" not in repr([(row.line, row.reason) for row in harness.load_rows(AuditEntry)])


def test_whether_an_answer_stands_is_told_to_its_seat_alone(tmp_path: Path) -> None:
    """It could tell a hand or a purse, so the master reads the same words whether the card is held or not."""
    harness, game = steady(tmp_path / "a", "one deal")
    send_confirmed(harness, game, "PROCESS BIDS 1", who=MASTER)
    with truth():
        held = {card.value for card in harness.load_state(game).board.hands[Seat("s2")]}
    for mine in (False, True):
        ware = next(name for name in WARES if (name in held) is mine)
        facts = send_commands(harness, game, "ANSWER FOR p2", f"SELL {ware}", who=MASTER)
        assert [(said.code, said.terms) for said in facts.acts[0].said] == [("answered", {"name": "p2"})]
        assert load_audit(harness, game)[0].outcome == "done"
        receipt = harness.sent_facts("receipt")[-1]
        assert (receipt.frame.reader.seat, receipt.warnings) == ("s2", ("by_master",))
        assert receipt.sets[0].taken is mine


def test_what_a_master_opens_all_players_are_told_before(tmp_path: Path) -> None:
    """The letters to all go out first; from then on the master is blind no more, and can take no seat of the game."""
    harness, game = steady(tmp_path / "a", "one deal")
    send_confirmed(harness, game, "OPEN HAND p2", who=MASTER)
    told = [address.to_address for address, _ in harness.sent if address.kind == "announcement"]
    assert sorted(told) == [HOST, "p2@games.test", "p3@games.test"]
    assert not any(address.kind == "opened" for address, _ in harness.sent)
    harness.advance_time(minutes=2)
    harness.run_task("send_outbound_emails", "")
    opened = next(facts for address, facts in harness.sent if address.kind == "opened")
    hand = opened.after.board.hands[Seat("s2")]
    assert all(card.known_to for card in hand)
    assert not any(card.known_to for card in opened.after.board.hands[Seat("s3")])
    assert [row.blind for row in harness.load_rows(Master) if row.ends_at is None] == [False]
    assert [a.said[0].code for a in send_commands(harness, game, f"REPLACE p3 BY {MASTER}", who=MASTER).acts] == [
        "no_sat_before"
    ]


def test_the_deck_is_opened_by_play_alone_and_sealed_orders_to_nobody(tmp_path: Path) -> None:
    """OPEN DECK shows the unknown cards in their order, and nothing else; OPEN ORDERS what was carried out."""
    harness, game = steady(tmp_path / "a", "one deal")
    send_confirmed(harness, game, "OPEN DECK", who=MASTER)
    said = next(facts for address, facts in harness.sent if address.kind == "opened").lead[0]
    with truth():
        deck = tuple(card.value for card in harness.load_state(game).board.deck)
    assert (said.code, said.terms["hidden"]) == ("opened_deck", (("deck", deck),))
    assert hidden_cards(harness.load_state(game).board) == {"deck": deck}
    harness.reply("s2", "BID 7")
    assert has_sealed_values((March(Seat("s1"), "march/1", "march", Sealed(unconditional(Attack("mill", 1)))),))
    assert not has_sealed_values(({"a": (1, "b")}, None))
    send_confirmed(harness, game, "OPEN ORDERS p2", who=MASTER)
    assert [facts.lead[0].code for a, facts in harness.sent if a.kind == "opened"][1:] == ["opened_nothing"]
    for seat in ("s1", "s3"):
        harness.reply(seat, "BID 1")
    send_confirmed(harness, game, "OPEN ORDERS p2", who=MASTER)
    shown_sets = [facts for a, facts in harness.sent if a.kind == "opened"][-1].stored_orders
    assert [one.topic for one in shown_sets] == ["bid"]


def test_acts_are_read_in_both_languages_and_written_in_the_readers(tmp_path: Path) -> None:
    """A reader of French gets their lines and the list of acts in French, in whichever language they wrote."""
    harness, game = steady(tmp_path / "a", "one deal")
    users.set_language(harness.web, get_user_id(harness, MASTER), "fr")
    facts = send_commands(harness, game, "HOLD p2", "LIBÉRER p2", "HELP", who=MASTER)
    assert [(act.line, act.outcome) for act in facts.acts] == [("RETENIR p2", "done"), ("LIBÉRER p2", "done")]
    assert "TRAITER" in " ".join(line for line, _ in facts.forms)
