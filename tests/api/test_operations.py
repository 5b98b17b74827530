"""What programs ask and what they get: as much as the page shows, in order, with problems that say what to do."""

import json
import re
from typing import Any

from pbem.service.access.api_tokens import SCOPES
from pbem.service.base import limits
from pbem.service.seats import tables
from pbem.store.models import OutboundEmail, SealedOrdersRow
from pbem.web import WebConfig, create_pages
from pbem.web.api import OPERATIONS
from pbem.web.api.examples import PATH_EXAMPLES
from pbem.web.api.openapi import PARAMETER
from pbem.web.api.problems import MEDIA, STATUS
from tests.api.api_client import PREFIX, Program, issued
from tests.api.conftest import Quay
from tests.api.test_tokens import signed_in
from tests.service.master_commands import get_user_id
from tests.web.form_browser import Plain, site

BID = {"entry": 1, "lines": ["FOR TURN 1 BIDS", "BID 3"]}


# --- looking


def test_a_program_finds_its_way_from_nothing_but_a_token(quay: Quay) -> None:
    """It finds its games, the orders due, and of each question form, what may be named, default and deadline."""
    program, due = quay.program("p1@games.test"), "2026-03-03T12:00:00Z"
    game = program.get("/games").json["games"][0]
    assert (game["game"], game["state"]) == (quay.game, "running")
    assert game["questions"] == [{"topic": "bid", "title": "Bids", "due": due, "is_answered": False}]
    asked = program.get(f"/games/{game['game']}/questions").json
    questions = asked["questions"]
    (bid,) = [q for q in questions if q["kind"] == "open"]
    assert (bid["heading"], bid["single"], bid["due"], bid["is_answered"]) == ("FOR TURN 1 BIDS", True, due, False)
    assert bid["said"]
    assert bid["default"]
    form = bid["forms"][0]
    assert (form["keyword"], form["usage"], form["slots"][0]["kind"]) == ("BID", "BID <coins>", "number")
    march = next(q for q in questions if q["topic"] == "march")
    lists = {slot["vocabulary"] for form in march["forms"] for slot in form["slots"] if slot["kind"] == "choice"}
    assert lists <= set(asked["vocabularies"])
    assert {"open", "optional", "advance", "reaction"} == {q["kind"] for q in questions}
    now = program.get(f"{quay.at}/questions?advance=false").json["questions"]
    assert now == [q for q in questions if q["kind"] in ("open", "optional")]


def test_each_sees_the_table_and_their_own_hand(quay: Quay) -> None:
    """A table tells its seats, who is awaited, one's own seat, and the journal's last entry and digest; the view of a
    seat holds what the seat knows; the public view is the same for all.
    """
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    table = two.get(quay.at).json
    assert [(chair["seat"], chair["player"]) for chair in table["seats"]] == [("s1", "Player 1"), ("s2", "p2")]
    assert (table["seat"], table["awaited"], table["state"], table["entry"]) == ("s2", ["s1", "s2"], "running", 1)
    assert re.fullmatch("[0-9a-f]{64}", table["digest"])
    assert table["options"]["pace"] == "sealed"
    mine, theirs = one.get(f"{quay.at}/view").json["view"], two.get(f"{quay.at}/view").json["view"]
    assert mine["known"]["s1"]
    assert mine["known"]["s2"] == theirs["known"]["s1"] == []
    assert one.get(f"{quay.at}/public").json == two.get(f"{quay.at}/public").json
    assert one.get(f"{quay.at}/public").json["view"]["known"] == {"s1": [], "s2": []}


def test_reports_news_and_help(quay: Quay) -> None:
    """Every report by its entry, with the view after it; the feed says what everybody learned; help has every form with
    an example, in the language asked for.
    """
    program = quay.program("p1@games.test")
    listed = program.get(f"{quay.at}/reports").json
    report = program.get(f"{quay.at}/reports/{listed['reports'][0]['entry']}").json
    assert report["sentences"] == listed["sentences"]
    assert any("Dealt" in sentence for sentence in report["sentences"])
    assert program.get(f"{quay.at}/reports/999").status_code == 404
    feed = program.get(f"{quay.at}/feed").json["entries"]
    assert [item["entry"] for item in feed] == [1]
    assert not any("Dealt" in sentence for item in feed for sentence in item["sentences"])
    english, french = (program.get(f"{quay.at}/help", Accept_Language=said).json for said in ("en", "fr"))
    assert "BID <coins>" in {row["usage"] for part in english["parts"] for row in part["rows"]}
    assert english["parts"][0]["title"] != french["parts"][0]["title"]


# --- acting


def test_a_preview_keeps_nothing(quay: Quay) -> None:
    """A preview says what would become of the lines, and keeps none of them."""
    program = quay.program("p1@games.test")
    assert program.post(f"{quay.at}/preview", BID).json["outcome"] == "taken"
    refused = program.post(f"{quay.at}/preview", {"entry": 1, "lines": ["BID 900"]}).json
    assert (refused["outcome"], refused["sets"][0]["is_valid"]) == ("refused", False)
    assert refused["sets"][0]["lines"][0]["reason"]
    assert quay.harness.load_rows(SealedOrdersRow) == []


def test_orders_are_sealed_receipted_and_mailed(quay: Quay) -> None:
    """As by letter, orders get a commitment, the names of those still awaited, and a receipt by mail.

    Lines for an entry before a question was put do not count for that question.
    """
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    assert one.post(f"{quay.at}/orders", {**BID, "entry": 0}).json["outcome"] != "taken"
    assert [row for row in quay.harness.load_rows(SealedOrdersRow) if row.kind == "orders"] == []
    receipt = one.post(f"{quay.at}/orders", BID).json
    assert (receipt["outcome"], receipt["sets"][0]["taken"], receipt["awaited"]) == ("taken", True, ["s2"])
    assert re.fullmatch("[0-9a-f]{64}", receipt["sets"][0]["commitment"])
    sealed = [row.commitment for row in quay.harness.load_rows(SealedOrdersRow) if row.kind == "orders"]
    assert sealed == [receipt["sets"][0]["commitment"]]
    quay.harness.run_queued_tasks()
    assert quay.harness.sent_facts("receipt")
    assert two.post(f"{quay.at}/orders", BID).json["settled"]
    quay.harness.run_queued_tasks()
    assert one.get(quay.at).json["entry"] > 1


def test_the_same_key_acts_once(quay: Quay) -> None:
    """A call sent again with its key says so and does nothing; another key, program, seat or call acts anew."""
    one = quay.program("p1@games.test")
    assert one.post(f"{quay.at}/orders", BID, key="k").json["outcome"] == "taken"
    assert one.post(f"{quay.at}/orders", BID, key="k").json["outcome"] == "repeated"
    assert one.post(f"{quay.at}/pace", {"entry": 1, "pace": "wait"}, key="k").json["outcome"] == "done"
    assert one.post(f"{quay.at}/pace", {"entry": 1, "pace": "dance"}).status_code == 422
    assert one.post(f"{quay.at}/withdraw", {"entry": 1}, key="k").json["outcome"] == "withdrawn"
    assert one.post(f"{quay.at}/orders", BID, key="k").json["outcome"] == "repeated"
    assert not one.get(quay.at).json["questions"][0]["is_answered"]
    assert one.post(f"{quay.at}/orders", BID, key="k2").json["outcome"] == "taken"
    assert quay.program("p1@games.test").post(f"{quay.at}/orders", BID, key="k").json["outcome"] == "taken"
    receipts = [row for row in quay.harness.load_rows(OutboundEmail) if row.kind == "receipt"]
    assert len(receipts) == 5


def test_sealed_orders_are_read_back_once_with_the_key(quay: Quay) -> None:
    """A resolver opens them for that key; the answer is destroyed as it is read; another's key opens nothing."""
    program, other = quay.program("p1@games.test"), quay.program("p2@games.test")
    program.post(f"{quay.at}/orders", BID)
    asked = program.post(f"{quay.at}/own-orders")
    assert asked.status_code == 202
    place, key = asked.headers["Location"].removeprefix(PREFIX), {"key": asked.json["key"]}
    assert program.post(place, key).json == {"state": "waiting", "filed": []}
    quay.harness.run_queued_tasks()
    assert other.post(place, key).status_code == 404
    assert program.post(place, {"key": "x"}).status_code == 404
    filed = program.post(place, key).json["filed"]
    assert [(f["topic"], f["lines"], f["is_reaction"]) for f in filed] == [("bid", ["BID 3"], False)]
    assert program.post(place, key).status_code == 404


def test_words_go_to_whom_they_are_for(quay: Quay) -> None:
    """Words to all go out once for each key, a diary is for its author alone, and forbidden words get a reason."""
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    for _ in range(2):
        assert one.post(f"{quay.at}/talk", {"to": ["all"], "text": "Well met."}, key="k").status_code == 200
    (heard,) = two.get(f"{quay.at}/talk").json["messages"]
    assert (heard["text"], heard["name"], heard["kind"], heard["is_own"]) == ("Well met.", "Player 1", "public", False)
    assert one.post(f"{quay.at}/diary", {"text": "He lies."}).status_code == 200
    assert [h["text"] for h in one.get(f"{quay.at}/talk").json["diary"]] == ["He lies."]
    assert two.get(f"{quay.at}/talk").json["diary"] == []
    refused = problem(one.post(f"{quay.at}/talk", {"to": ["nobody"], "text": "x"}), 409, "cannot_say")
    assert "no private messages" in refused["detail"]


# --- what comes back, and how


def test_unchanged_answers_are_not_sent_again(quay: Quay) -> None:
    """The tag of an answer depends on entry, seat and language, and changes as the game goes on."""
    one, two = quay.program("p1@games.test"), quay.program("p2@games.test")
    for path in (f"{quay.at}/{name}" for name in ("view", "public", "feed", "reports/1")):
        mark = one.get(path).headers["ETag"]
        again = one.get(path, If_None_Match=mark)
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", mark)
        assert one.get(path, If_None_Match=f'W/{mark}, "x"').status_code == 304
        assert one.get(path, If_None_Match='"x"').status_code == 200
        assert one.get(path, If_None_Match=mark, Accept_Language="fr").status_code == 200
        assert two.get(path, If_None_Match=mark).status_code == 200
    mark = one.get(f"{quay.at}/view").headers["ETag"]
    for program in (one, two):
        program.post(f"{quay.at}/orders", BID)
    quay.harness.run_queued_tasks()
    assert one.get(f"{quay.at}/view", If_None_Match=mark).status_code == 200


def test_no_answer_sets_a_cookie_or_reads_one(quay: Quay) -> None:
    """A session opens nothing here, so no page of another site can act for a player; HEAD is GET without a body."""
    assert signed_in(quay).client.get(f"{PREFIX}/me").status_code == 401
    program = quay.program("p1@games.test")
    answer = program.get("/me")
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Type"] == "application/json"
    head = program.client.head(f"{PREFIX}/me", headers={"Authorization": f"Bearer {program.token}"})
    assert (head.status_code, head.data) == (200, b"")


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem that an answer tells, complete."""
    assert answer.status_code == status == STATUS[code]
    assert answer.mimetype == MEDIA
    told: dict[str, Any] = json.loads(answer.text)
    assert (told["type"], told["status"]) == (f"/api/docs#{code}", status)
    assert all(told[name] for name in ("title", "detail", "instead"))
    return told


def test_every_problem_says_what_why_and_what_would(quay: Quay) -> None:
    """Each problem follows RFC 9457, with its own status and headers, in the language asked for."""
    program, nobody = quay.program("p1@games.test"), quay.program()
    problem(nobody.get("/me"), 401, "no_token")
    assert nobody.get("/me").headers["WWW-Authenticate"] == 'Bearer realm="pbem"'
    assert "invalid_token" in Program(quay.app, "x" * 26).get("/me").headers["WWW-Authenticate"]
    problem(program.get("/nowhere"), 404, "not_found")
    wrong = program.client.delete(f"{PREFIX}/me")
    problem(wrong, 405, "wrong_method")
    assert set(wrong.headers["Allow"].split(", ")) == {"GET", "HEAD"}
    problem(program.get("/me", Accept="text/html"), 406, "cannot_answer_so")
    assert program.get("/me", Accept="text/html, */*;q=0.1").status_code == 200
    for key in ("", "a b"):
        problem(program.post(f"{quay.at}/orders", BID, key=key), 400, "no_key")
    shown = problem(program.post(f"{quay.at}/orders", {"entry": 1, "lines": [3]}), 422, "does_not_fit")
    assert "$.lines[0]" in shown["detail"]
    problem(program.post(f"{quay.at}/orders", {**BID, "more": 1}), 422, "does_not_fit")
    for query in ("advance=perhaps", "advance=true&advance=false"):
        problem(program.get(f"{quay.at}/questions?{query}"), 422, "does_not_fit")
    assert json.loads(program.get("/nowhere", Accept_Language="fr-CH, en;q=0.5").text)["title"] == "Introuvable"
    answer = program.get("/games/bcdfghjkmnpq", Accept_Language="de")
    assert (json.loads(answer.text)["title"], answer.headers["Content-Language"]) == ("Not found", "en")
    assert "Accept-Language" in answer.headers["Vary"]


def test_bodies_that_are_not_what_they_say(quay: Quay) -> None:
    """A body that is not JSON or UTF-8, of another type, compressed, too long or too deep is refused."""
    program, good = quay.program("p1@games.test"), json.dumps(BID).encode()

    def sent(content: bytes, kind: str = "application/json", **headers: str) -> Any:
        shown = {"Authorization": f"Bearer {program.token}", "Content-Type": kind, "Idempotency-Key": "raw", **headers}
        return program.client.post(f"{PREFIX}{quay.at}/orders", data=content, headers=shown)

    for content in (b"", b"{", b"\xff\xfe", b'"\\ud800"', b"[" * 100_000, b'{"entry":1,"lines":["\xe9"]}'):
        problem(sent(content), 400, "not_json")
    problem(sent(good, "text/plain"), 415, "wrong_type")
    problem(sent(good, "application/json; charset=latin-1"), 415, "wrong_type")
    problem(sent(good, **{"Content-Encoding": "gzip"}), 415, "wrong_type")
    problem(sent(b" " * 300_000), 413, "too_long")
    assert sent(good, "application/json; charset=UTF-8").status_code == 200


def test_a_game_of_others_and_one_that_is_not_there_look_the_same(quay: Quay) -> None:
    """On every operation the two answers are the same, byte by byte, headers included."""
    strangers = {scope: quay.program("stranger@games.test", scope=scope) for scope in SCOPES}
    for operation in OPERATIONS:
        if "<game>" in operation.path:
            stranger = strangers[operation.scope]
            there, nowhere = (stranger.tried(operation, game) for game in (quay.game, "bcdfghjkmnpq"))
            assert there.status_code == nowhere.status_code == 404
            assert (there.text, sorted(there.headers.items())) == (nowhere.text, sorted(nowhere.headers.items()))


def test_a_table_that_has_not_begun_takes_no_orders(quay: Quay) -> None:
    """Any orders get 409; the outline of the table is there."""
    game = tables.create(quay.harness.web, get_user_id(quay.harness, "p1@games.test"), "toy", "Later", 2, {})
    quay.harness.run_queued_tasks()
    program = quay.program("p1@games.test")
    assert program.get(f"/games/{game}").json["state"] == "open"
    problem(program.post(f"/games/{game}/orders", BID), 409, "not_running")
    problem(program.get(f"/games/{game}/view"), 409, "not_running")


# --- how often


def test_calls_are_counted_for_each_token(quay: Quay) -> None:
    """A token that asks too often is told when to come back; other tokens on the same line are not held up."""
    app = create_pages(quay.harness.web, WebConfig(requests_per_minute=5), Plain)
    one, two = (Program(app, issued(quay.harness, f"p{n}@games.test")) for n in (1, 2))
    for _ in range(5):
        assert one.get("/me").status_code == 200
    answer = one.get("/me")
    problem(answer, 429, "too_many")
    assert 1 <= int(answer.headers["Retry-After"]) <= 61
    assert two.get("/me").status_code == 200


def test_acts_are_counted_by_the_hour(quay: Quay) -> None:
    """More acts than a player needs are refused until the next hour, while looking goes on."""
    quay.harness.configure(limits={"acts": 2})
    program = Program(site(quay.harness), issued(quay.harness, "p1@games.test"))
    for _ in range(2):
        assert program.post(f"{quay.at}/orders", BID).status_code == 200
    answer = program.post(f"{quay.at}/orders", BID)
    problem(answer, 429, "too_many")
    assert int(answer.headers["Retry-After"]) <= limits.HOUR_S + 1
    assert program.get("/me").status_code == 200
    quay.harness.advance_time(hours=1)
    assert program.post(f"{quay.at}/orders", BID).status_code == 200


def test_nobody_gets_anything_without_a_token(quay: Quay) -> None:
    """Every operation refuses a missing, a wrong and a malformed token."""
    client = create_pages(quay.harness.web, WebConfig(requests_per_minute=10**9), Plain).test_client()
    for operation in OPERATIONS:
        path = PREFIX + PARAMETER.sub(lambda found: {**PATH_EXAMPLES, "game": quay.game}[found[1]], operation.path)
        for shown in ("", "Bearer", "Bearer x", "Basic cDE6eA==", "bearer \x7f", f"Bearer {'b' * 26}"):
            headers = {"Authorization": shown} if shown else {}
            problem(client.open(path, method=operation.method, headers=headers), 401, "no_token")
