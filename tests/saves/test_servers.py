"""A server of an earlier version is brought up by the migrations, and its games go on as if nothing had happened."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Engine, MetaData, create_engine, func, inspect, select, text

from engine.age_of_renaissance.orders import Forfeit
from engine.kernel.orders import simply
from pbem.service.access import programs
from pbem.service.game.filed_orders import filed_by
from pbem.service.game.journal import Counted, game_keys, record_of
from pbem.service.post import taking_in
from pbem.service.run.replay import replay
from pbem.store.models import BallotRow, DecisionRow, Game, LetterIn, LetterOut
from pbem.store.schema import configuration, create
from tests.archive.bots import owed_lines, play_on
from tests.saves import MOST_BYTES
from tests.saves.make_server import user, write
from tests.saves.server import DATABASE, HERE, About, opened, path_of, signing_then, unpack
from tests.service.hall import Hall
from tests.test_schema import FROZEN
from tests.web.guests import Browser, orders, site

FILES = sorted(HERE.glob("*.tar.xz"))
VERSION = {path: path.name.removesuffix(".tar.xz") for path in FILES}


@dataclass
class Kept:
    """A kept server, brought up."""

    hall: Hall
    about: About

    def wake(self) -> None:
        """Do what waited when it was kept."""
        for _ in range(2):
            self.hall.sweep()

    def write_in(self) -> None:
        """The letter that its player had ready comes in."""
        taking_in.take_in(self.hall.door, (self.about.recipient,), self.about.letter.encode())
        self.hall.settle()

    def close(self) -> None:
        """After the update all that lacked at the gate of Rose comes in: a letter that was ready, and a new one."""
        self.wake()
        self.write_in()
        write(self.hall, self.about.rose, "nora", owed_lines(self.hall, self.about.rose, "s3"))
        self.hall.settle()

    def letters_to(self, name: str) -> list[str]:
        """The kinds of the letters that went to somebody since, oldest first."""
        return [address.kind for address, _ in self.hall.sent if address.to_address == f"{name}@games.test"]

    def counted(self, entry: int) -> dict[str, Counted]:
        """The answers that an entry of Rose counted, by seat."""
        with self.hall.play.db.reading() as session:
            game = session.get_one(Game, self.about.rose)
            record = record_of(session, game_keys(self.hall.play, game), game, entry)
        return {one.seat: one for one in record.counted}


@pytest.fixture(params=FILES, ids=list(VERSION.values()))
def path(request: pytest.FixtureRequest) -> Path:
    """Each file."""
    found: Path = request.param
    return found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def kept(path: Path, request: pytest.FixtureRequest, state_dir: Path) -> Iterator[Kept]:
    """Each kept server on each database, with the newest tables."""
    about = unpack(path, state_dir)
    url = f"sqlite:///{state_dir}/{DATABASE}"
    if request.param == "postgresql":
        url = moved(url, request.getfixturevalue("fresh_postgres_url"), VERSION[path])
    create(url)
    hall = opened(state_dir, about.moment, url)
    yield Kept(hall, about)
    hall.web.db.close()


def moved(url: str, to: str, version: str) -> str:
    """The rows of a kept database in a PostgreSQL of the same version; returns its address."""
    command.upgrade(configuration(to), version)
    old, new = create_engine(url), create_engine(to.replace("postgresql://", "postgresql+psycopg://"))
    ours, theirs = MetaData(), MetaData()
    ours.reflect(old)
    theirs.reflect(new)
    with old.connect() as reading, new.begin() as writing:
        for table in theirs.sorted_tables:
            rows = [dict(row) for row in reading.execute(select(ours.tables[table.name])).mappings()]
            if rows and table.name != "alembic_version":
                writing.execute(table.insert(), rows)
    _count_on(new)
    old.dispose()
    new.dispose()
    return to


def _count_on(engine: Engine) -> None:
    """New rows are numbered after those that were brought along."""
    with engine.begin() as connection:
        for table in inspect(connection).get_table_names():
            found = "SELECT pg_get_serial_sequence(:table, column_name) FROM information_schema.columns "
            where = "WHERE table_name = :table AND column_default LIKE 'nextval%'"
            for (sequence,) in connection.execute(text(found + where), {"table": table}):
                last = connection.scalar(text(f'SELECT max(id) FROM "{table}"'))
                if last:
                    connection.execute(text("SELECT setval(:sequence, :last)"), {"sequence": sequence, "last": last})


def test_a_server_of_the_last_frozen_migration_is_kept() -> None:
    """A migration is frozen together with a server that ran it: `python -m tests.saves.make_server` keeps one."""
    assert path_of(max(FROZEN).partition("_")[0]) in FILES


def test_a_kept_server_is_small(path: Path) -> None:
    """A server can be kept with the sources."""
    assert path.stat().st_size <= MOST_BYTES


def test_nothing_refers_to_what_is_not_there(kept: Kept) -> None:
    """After the migrations every row that names another one finds it."""
    with kept.hall.web.db.reading() as session:
        if kept.hall.web.db.sqlite:
            assert session.execute(text("PRAGMA foreign_key_check")).all() == []
        assert session.scalar(select(func.count()).select_from(Game)) == 2


def test_letters_that_waited_are_read_and_sent(kept: Kept) -> None:
    """A letter that was not read yet is answered; drafts laid out before go out in the words of this version."""
    kept.wake()
    assert [row.state for row in kept.hall.rows(LetterIn) if row.state != "done"] == []
    assert {row.state for row in kept.hall.rows(LetterOut)} == {"sent"}
    assert "receipt" in kept.letters_to("p1")
    assert {"started", "receipt", "talk"} <= {address.kind for address, _ in kept.hall.sent}


def test_a_waiting_ballot_still_counts(kept: Kept) -> None:
    """A sealed set of the earlier version is opened when its phase closes, and is what its receipt acknowledged."""
    before = kept.hall.game(kept.about.rose).entry
    kept.close()
    counted = kept.counted(before + 1)
    assert counted["s1"].commitment == kept.about.commitment
    assert {seat: one.how for seat, one in counted.items()} == dict.fromkeys(("s1", "s2", "s3"), "ballot")
    assert kept.hall.game(kept.about.rose).entry > before


def test_what_else_waited_is_read_as_it_was_meant(kept: Kept) -> None:
    """A rider of the earlier version still stands beside the set: what its author wrote, ready for its question."""
    with kept.hall.play.db.reading() as session:
        game = session.get_one(Game, kept.about.rose)
        sets, riders = filed_by(kept.hall.play, session, game.id, game_keys(kept.hall.play, game), "s1", 1)
    assert [(one.asks, one.commitment, one.number) for one in sets] == [("history", kept.about.commitment, None)]
    assert [(one.asks, one.orders) for one in riders] == [("civil_war", simply(Forfeit("money")))]


def test_a_letter_answers_a_report_of_before(kept: Kept) -> None:
    """The reply address of a report that was sent by the earlier version takes orders."""
    kept.write_in()
    facts = next(facts for facts in kept.hall.of("receipt") if facts.frame.reader.seat == "s2")
    assert [(one.asks, one.taken) for one in facts.sets] == [("history", True)]


def test_a_browser_stays_signed_in(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old cookie opens its reader's table, and orders can be sent from there."""
    signing_then(monkeypatch, kept.about.moment)
    browser = Browser(site(kept.hall))
    browser.client.set_cookie("pbem", kept.about.cookie)
    lines = owed_lines(kept.hall, kept.about.rose, "s3")
    assert orders(browser, kept.about.rose, "\n".join(lines), "submit").status_code == 200
    assert {row.seat for row in kept.hall.rows(BallotRow) if row.standing} == {"s1", "s3"}


def test_a_program_keeps_its_token(kept: Kept) -> None:
    """The token of a program opens its owner's seat."""
    found = programs.bearer(kept.hall.web, kept.about.program)
    assert found is not None
    assert found.person.id == user(kept.hall, "p1")


def test_what_was_kept_is_the_middle_of_a_gate(kept: Kept) -> None:
    """Each kept server has an open gate with some of its orders in, and reports of another game to be sent."""
    asked = [row for row in kept.hall.rows(DecisionRow) if row.game_id == kept.about.rose and row.blocking]
    assert {row.seat for row in asked} == {"s1", "s2", "s3"}
    assert {row.seat for row in asked if row.answered_at is not None} == {"s1"}
    drafts = [row for row in kept.hall.rows(LetterOut) if row.game_id == kept.about.thorn and row.state == "draft"]
    assert {row.seat for row in drafts if row.kind == "started"} == {"s1", "s2", "s3"}


def test_the_gate_that_was_open_closes_and_the_next_one_opens(kept: Kept) -> None:
    """Letter and page bring what lacked at the open gate: it closes once, each hears of it, and is asked again."""
    before = kept.hall.game(kept.about.rose).entry
    kept.close()
    reports = Counter(a.seat for a, _ in kept.hall.sent if a.kind == "report" and a.game == kept.about.rose)
    assert reports == {"s1": 1, "s2": 1, "s3": 1}
    begun = Counter(a.seat for a, _ in kept.hall.sent if a.kind == "started" and a.game == kept.about.thorn)
    assert begun == {"s1": 1, "s2": 1, "s3": 1}
    play_on(kept.hall, kept.about.rose, kept.hall.game(kept.about.rose).entry + 2)
    assert kept.hall.game(kept.about.rose).entry > before + 1


def test_replaying_tells_every_game_as_it_was(kept: Kept) -> None:
    """What `pbem doctor replay` lists before the switch is nothing: each entry of each game is told as it was."""
    told = list(replay(kept.hall.play))
    assert {one.game for one in told} == {kept.about.rose, kept.about.thorn}
    assert all(one.entries > 0 for one in told)
    assert [one.otherwise for one in told] == [(), ()]


def test_games_go_on_to_their_next_turns(kept: Kept) -> None:
    """Both games are played on, entry after entry, on the tables of this version."""
    kept.wake()
    for game in (kept.about.rose, kept.about.thorn):
        play_on(kept.hall, game, kept.hall.game(game).entry + 3)
    assert {row.trouble for row in kept.hall.rows(Game)} == {None}
