"""Write the server of the present version of the tables, if it is missing: `python -m tests.saves.make_server`."""

from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.mail.addresses import reply_address
from pbem.service.access import accounts, programs
from pbem.service.channels import webhooks
from pbem.service.orders import web_orders
from pbem.service.post import taking_in
from pbem.service.seats import deputies, spectators, substitutes, tables
from pbem.service.talk import messages, muting
from pbem.service.time import absences
from pbem.store.models import BallotRow
from pbem.store.schema import create
from pbem.vault import KeyFolder, new_token
from tests.archive.bots import owed_lines, play_on
from tests.archive.files import steady
from tests.saves.server import DATABASE, DOMAIN, HERE, KEYS, About, newest, opened, pack, path_of, signing_then
from tests.service.hall import Hall, seated
from tests.service.masterly import ask, meant
from tests.service.timed import tick
from tests.web.guests import Browser, site

MOMENT = 1_772_366_400
"""2026-03-01, 12:00 UTC."""
ENTRIES = 5
"""How far Rose is played by bots."""


def made(folder: Path) -> About:
    """A server on which something waits everywhere, in an empty folder."""
    KeyFolder.create(folder / KEYS)
    create(f"sqlite:///{folder}/{DATABASE}")
    hall = steady(opened(folder, MOMENT))
    rose = seated(hall, "age_of_renaissance", 3, 48, talk="free", watchers="open")
    play_on(hall, rose, ENTRIES)
    hall.woken.append(("deliver", ""))
    hall.settle()
    people(hall, rose)
    write(hall, rose, "p1", ["ON CIVIL WAR: MONEY"])
    hall.settle()
    program = programs.issue(hall.web, user(hall, "p1"), name="a bot", scope="play", days=30, game_id=rose)
    with pytest.MonkeyPatch.context() as patch:
        signing_then(patch, MOMENT)
        browser = Browser(site(hall)).sign_in(hall, user(hall, "nora"))
    cookie = browser.client.get_cookie("pbem")
    assert cookie is not None
    thorn = seated(hall, "renaissance", 3, 48, stop=True)
    recipient = reply_address(hall.token("s2"), DOMAIN)
    begin(hall, thorn)
    filed = owed_lines(hall, rose, "s1")
    write(hall, rose, "p1", filed)
    taking_in.take_in(hall.door, (recipient,), letter(recipient, "asked", "STATUS"))
    web_orders.ask_to_read(hall.web, user(hall, "p1"), rose)
    messages.say(hall.web, user(hall, "p2"), rose, ["all"], "The server moves tonight.", new_token())
    ballot = next(row for row in hall.rows(BallotRow) if row.kind == "orders" and row.standing)
    about = About(
        int(hall.moment.timestamp()),
        rose,
        thorn,
        tuple(filed),
        ballot.commitment,
        recipient,
        letter(recipient, "answered", *owed_lines(hall, rose, "s2")).decode(),
        cookie.value,
        program,
    )
    hall.web.db.close()
    return about


def user(hall: Hall, name: str) -> int:
    """Somebody's number."""
    with hall.web.db.writing() as session:
        return tables.user_of(hall.web, session, f"{name}@games.test").id


def people(hall: Hall, game: str) -> None:
    """A spectator, talk, a diary, an absence with a deputy, another player, a pause, a channel, and what masters do."""
    p1, p2 = user(hall, "p1"), user(hall, "p2")
    spectators.watch(hall.web, user(hall, "otto"), game)
    messages.say(hall.web, p1, game, ["s2"], "Shall we share the spices?", new_token())
    muting.mute(hall.web, p2, game, "s3", True)
    messages.note(hall.web, p2, game, "Never trust the first seat.", new_token())
    now = hall.web.now()
    absences.announce(hall.web, p2, now + 5 * 86_400_000, now + 20 * 86_400_000)
    deputies.name(hall.web, p2, game, "zoe@games.test", absences.announced(hall.web, p2)[0][0])
    hall.settle()
    assert deputies.decide(hall.web, hall.of("deputy")[-1].frame.links.act.rpartition("/")[2], agrees=True)
    hall.say("s3", "RESIGN YES")
    assert substitutes.take_over(hall.web, user(hall, "nora"), game, "s3")
    hall.settle()
    meant(hall, game, "PAUSE")
    tick(hall, hours=3)
    meant(hall, game, "RESUME")
    tick(hall, minutes=1)
    webhooks.add(hall.web, p1, game, "slack", "en", "https://hooks.slack.com/services/T0/B0/x")
    accounts.link(hall.web, accounts.new_code(hall.web, p2), "1234567890", "two")
    meant(hall, game, "TELL The post is slow this week.")
    ask(hall, game, "PROMOTE zoe@games.test")
    hall.settle()


def write(hall: Hall, game: str, name: str, lines: list[str]) -> None:
    """Orders by the page."""
    web_orders.submit(hall.web, user(hall, name), game, hall.game(game).entry, new_token(), lines)


def letter(recipient: str, name: str, *lines: str) -> bytes:
    """A letter as it comes in."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "p2@games.test", recipient, "Re: orders"
    made["Message-ID"] = f"<{name}@players.test>"
    made.set_content("\n".join(lines) + "\n")
    return made.as_bytes()


def begin(hall: Hall, game: str) -> None:
    """Everybody comes to a table, and its first reports are laid out but not sent."""
    for address, facts in list(hall.sent):
        if address.kind == "invitation" and address.game == game:
            tables.join(hall.web, facts.frame.links.act.rpartition("/")[2], words="luck")
    while hall.game(game).state != "running":
        hall.work("play", game)
    hall.woken.clear()


def main() -> None:
    """The file of the present version, unless it is there."""
    path = path_of(newest())
    if path.exists():
        return
    HERE.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix="pbem-ms-") as folder:
        pack(Path(folder), made(Path(folder)), path)
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
