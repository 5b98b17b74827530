"""Reading back one's own sealed orders: through the resolver, for the browser that asked, once."""

from sqlalchemy import select

from pbem.store.models import ResolverRequest, SealedOrdersRow
from tests.web.conftest import Town
from tests.web.form_browser import Browser, orders


def asked(town: Town, text: str) -> tuple[Browser, str]:
    """A seat that sent orders and asks to read them back."""
    guest = town.browser("p1@games.test")
    orders(guest, town.game, text, "submit")
    town.harness.run_queued_tasks()
    path = f"/games/{town.game}/own-orders"
    assert guest.post(path, page=f"/games/{town.game}").status_code == 303
    return guest, path


def test_orders_are_read_back_once(town: Town) -> None:
    """The page waits until play has answered, then shows sets and reactions; then nothing of it is left anywhere."""
    guest, path = asked(town, "BID 3\nON PARRY: PARRY Oak Shield")
    waiting = guest.get(path)
    assert 'http-equiv="refresh"' in waiting.text
    assert "BID 3" not in waiting.text
    town.harness.run_queued_tasks()
    shown = guest.get(path).text
    assert "BID 3" in shown
    assert "ON PARRY: PARRY Oak Shield" in shown
    with town.harness.web.db.snapshot() as session:
        assert list(session.scalars(select(ResolverRequest))) == []
        commitment = session.scalars(select(SealedOrdersRow.commitment).where(SealedOrdersRow.kind == "orders")).one()
    assert commitment in shown
    assert "nothing to show" in guest.get(path).text


def test_what_is_shown_once_is_not_used_up_unseen(town: Town) -> None:
    """A HEAD, which shows nothing, is refused and uses nothing up; a seat that sent nothing is told so."""
    guest, path = asked(town, "BID 3")
    town.harness.run_queued_tasks()
    assert guest.client.head(path).status_code == 405
    assert "BID 3" in guest.get(path).text
    other = town.browser("p2@games.test")
    other.post(path, page=f"/games/{town.game}")
    town.harness.run_queued_tasks()
    assert "You have no stored orders" in other.get(path).text


def test_no_other_browser_and_no_other_seat_opens_it(town: Town) -> None:
    """Neither another seat nor another browser of the player opens it, even with its number and key, or with any text
    in the cookie; and the answer stays for its owner.
    """
    guest, path = asked(town, "BID 3")
    town.harness.run_queued_tasks()
    cookie = guest.client.get_cookie("pbem-read", path=path)
    assert cookie is not None
    number = cookie.value.partition(".")[0]
    spoilt = ["", ".", "x.y", f"{number}.", f"{number}.{'A' * 44}", f"{number}.é"]
    for address, value in (
        *(("p2@games.test", None), ("p1@games.test", None), ("p2@games.test", cookie.value)),
        *(("p1@games.test", value) for value in spoilt),
    ):
        other = town.browser(address)
        if value is not None:
            other.client.set_cookie("pbem-read", value, path=path)
        answer = other.get(path)
        assert (answer.status_code, "BID 3" in answer.text) == (200, False), (address, value)
    assert "BID 3" in guest.get(path).text


def test_the_key_is_for_that_page_alone(town: Town) -> None:
    """The cookie is strict, hidden from scripts, sent to no other page and short-lived; the database never has it."""
    guest = town.browser("p1@games.test")
    answer = guest.post(f"/games/{town.game}/own-orders", page=f"/games/{town.game}")
    header = next(h for h in answer.headers.getlist("Set-Cookie") if h.startswith("pbem-read="))
    for part in ("HttpOnly", "SameSite=Strict", f"Path=/games/{town.game}/own-orders", "Max-Age=600"):
        assert part in header
    key = header.partition("=")[2].partition(";")[0].partition(".")[2]
    with town.harness.web.db.snapshot() as session:
        row = session.scalars(select(ResolverRequest)).one()
    assert key.encode() not in row.request
