"""The migrations make exactly the tables that the program means."""

import hashlib
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from pbem.store.database import Database
from pbem.store.models import Base
from pbem.store.schema import MIGRATIONS, configuration, create

FROZEN = {
    "0001_tables.py": "233744c61d0fb0ec851b4c0be74debaca35fd1d8b169f24dc6752eb9a4e48491",
    "0002_master.py": "ec385ad6fc1811293c4534b3ccfea0b6c9cd4ca13fb51f47bd40b6b40c954c90",
    "0003_talk.py": "d86b93bc586e720a2eb942caa2a7ee80e815cf55e1b6b82e3986356e638b18af",
    "0004_programs.py": "a4470426b59794ba88b143bdbc17a2b319e805c61fe0ca57c23f1b2603d6608f",
    "0005_channels.py": "d93b8dd55dddd7bc2c3d0a8045cbbd597a06874cf2b964a40e9cc2d5eff4c144",
    "0006_pictures.py": "d71aa16ae0167cee7aba8926aaf2428d82d745477f72b3da34c90ee5e4006524",
    "0007_lists.py": "79da0a8e22a14bd605f5ccfff5c2ebeb61bad8d4b1a93ae95331ed19be4c164e",
    "0008_asking.py": "883f2621b2761b08fcd765c8a33b9bc0922a75deb6821f3993b20c73088a285e",
    "0009_rules.py": "94b0ed8769eb0b1e19cab2cfcd733f15dca556651ccc33572788d6c40e406f98",
    "0010_counts.py": "89a675660523582119c0ab41ecb1a48f8d637fdea5b09dd1e415d08318591c67",
    "0011_addresses.py": "d9f4b5cf223d66eaa7a69bfd4b2b05b4355cc3bb4f4e0e5522bd7229172fbde2",
    "0012_languages.py": "e4bca56d8f4fe6213cf9a83b5f9c9f971b0464843edd615a91d7afbff12fca43",
    "0013_recipients.py": "a908d390c4ed3a95bd90a1f242d3b011d61966cb9d6c144e2c354da63978de2a",
    "0014_unanswered.py": "253cabbe7fa692fc49ca8300c1cee4fc62d7e8429aea1dda4fc8c370afaa530f",
    "0015_signed.py": "c403f76c20910598ae9cdef5065e8ac8483d50879fb46ebd3d34074aad5eb7ef",
    "0016_ended.py": "42fe9fd95f4b33e01cc4a83dd39dd53acd21756f5c8a247125146b8426cf3f89",
    "0017_mixing.py": "e12e44640eea480e4c852e030678dd6a72116e3afe99d15ebb97638a47e7e563",
    "0018_letters.py": "10cfdd79ae5d01422dff3e423c371efb102bec797485bc501da8f3f3585038a9",
    "0019_uninvited.py": "ab96cc86f726efc90f8fc5fb471e3c8f2d849305fc218395e5a54fd20e270629",
    "0020_days.py": "cd6c8e087b0ece80f060545295be96136d059c49fb64d544175eba6e31959043",
    "0021_rounds.py": "cb6f3bc61f981788196b76c7bc522e7bee0834e4322a9441114f29b17c627177",
    "0022_asked.py": "e6747c651191f58d4ee5aa3a1f991abd4f5292f48db11e1af2514606c8decfbd",
    "0023_reminders.py": "74fa8186ff9ed0544ec8e7a0e1ea598e886d82ab0e94853be79d2bc3a764f606",
    "0024_choices.py": "24569e5501edf19f72d5342d692ffa297861d31cf84a5c836ecf248e2ed9a2fd",
    "0025_contents.py": "63b2c7bf8e047ce0445cf2b331671c5ec68113a2c855f76bc1c35fc8884a4b75",
    "0026_letters.py": "25c3f785f6b1ba2a53cb965f29034f73863aa8c93ee8a1a2bb5b59dd66702bd0",
    "0027_compacted.py": "df146379b4a11dfbc23c42a3e96eca679ede3c5630979f339f68c1a81aa7adbc",
    "0028_bots.py": "bdc7b30aa62bb3fd01f8d9a89dfe7577678062d306fcbf39a00f3dfaac0ce79f",
    "0029_parts.py": "e8749f5e88e912dd8a68297fbdadfe33c4d9154b41b22ad57e462f8a70c93b6d",
    "0030_operators.py": "0662bfeac8875134cbca2781da1ca6d88aed4b857b04408291ac120857aceb9b",
    "0031_leaving.py": "3b9b70b89ac27a488c6c71171de0efbf4f01112b421cb53e1882e8db9aa9eb04",
}
"""The migrations that servers have run already, with the SHA-256 of each file."""


def differences(url: str) -> list[object]:
    """What a migrated database has that the models have not, and the other way round."""
    create(url)
    database = Database(url)
    try:
        with database.engine.connect() as connection:
            return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))
    finally:
        database.close()


def test_migrations_make_the_tables_of_the_models_on_sqlite(state_dir: Path) -> None:
    """A new SQLite database, migrated, is what the models say."""
    assert differences(f"sqlite:///{state_dir}/new.sqlite3") == []


def test_migrations_make_the_tables_of_the_models_on_postgresql(fresh_postgres_url: str) -> None:
    """A new PostgreSQL database, migrated, is what the models say."""
    assert differences(fresh_postgres_url) == []


@pytest.mark.parametrize("times", [1, 2])
def test_migrating_again_changes_nothing(state_dir: Path, times: int) -> None:
    """However often a server is brought up, its tables stay."""
    url = f"sqlite:///{state_dir}/again.sqlite3"
    for _ in range(times):
        create(url)
    assert differences(url) == []


@pytest.mark.parametrize("name", FROZEN)
def test_a_migration_that_servers_have_run_never_changes(name: str) -> None:
    """Migrations are append-only: a database that has run one would never learn of a change in it."""
    now = hashlib.sha256((MIGRATIONS / "versions" / name).read_bytes()).hexdigest()
    assert now == FROZEN[name], f"{name} has run on servers already: put it back, and write a new migration instead"


def test_migrations_follow_each_other_in_one_line() -> None:
    """Each migration follows the one whose number comes before its own, the frozen ones first."""
    scripts = ScriptDirectory.from_config(configuration(""))
    numbers = [script.revision for script in reversed(list(scripts.walk_revisions()))]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]
    assert sorted(FROZEN) == sorted(path.name for path in (MIGRATIONS / "versions").glob("0*.py"))[: len(FROZEN)]


def test_international_addresses_of_before_are_kept_in_one_form(state_dir: Path) -> None:
    """A person stored under an international address is found by it again, unless it is another person's."""
    url = f"sqlite:///{state_dir}/before.sqlite3"
    command.upgrade(configuration(url), "0010")
    database = Database(url)
    before = [
        "zoé@bücher.example",
        "ada@bücher.example",
        "ada@xn--bcher-kva.example",
        "zoé@☃☃.example",
        "bob@b.example",
    ]
    counts = "turns, turns_on_time, games_begun, games_finished"
    made = f"INSERT INTO users (address, name, language, zone, created_at, {counts})"
    with database.engine.begin() as connection:
        for address in before:
            connection.execute(text(f"{made} VALUES (:a, 'x', 'en', 'UTC', 0, 0, 0, 0, 0)"), {"a": address})
    command.upgrade(configuration(url), "head")
    with database.engine.connect() as connection:
        after = list(connection.execute(text("SELECT address FROM users ORDER BY id")).scalars())
    database.close()
    assert after == ["zoé@xn--bcher-kva.example", *before[1:]]
