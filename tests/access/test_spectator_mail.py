"""What goes to a spectator by letter: no word, no card and no order that they cannot read on the public page."""

from engine.kernel.codec import dump
from engine.kernel.secrets import redact
from engine.kernel.viewers import PUBLIC
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.service.mail import delivery
from pbem.service.resolver import reports
from pbem.store.models import Game
from tests.access.world import World, everybody, leaks
from tests.archive.bots import play_on
from tests.budget import budget


def read_public_journal(world: World, since: int, until: int) -> str:
    """What the journal says that everybody was told after an entry, up to another; cards shuffled away since too."""
    services = world.harness.resolver
    with services.db.snapshot() as session:
        game = session.get_one(Game, world.game)
        keys = load_game_keys(services, game)
        records = [load_entry(session, keys, game, number) for number in range(since + 1, until + 1)]
        return "\n".join(dump(redact(tuple(record.events), PUBLIC)) for record in records)


def test_a_spectators_letters_hold_nothing_that_is_not_everybodys() -> None:
    """Through the first phases, in long runs a whole game: no hidden card, no word said in secret, noted or sealed."""
    with everybody() as world:
        harness = world.harness
        reports.subscribe_spectator(harness.web, world.user("spectator"), world.game, True)
        read = found = 0
        told = harness.load_game(world.game).entry
        while harness.load_game(world.game).state == "running" and read < budget(3, 1000):
            forbidden = world.forbidden("spectator", "public") | set(world.words.values())
            before = len(harness.sent)
            play_on(harness, world.game, harness.load_game(world.game).entry + 1)
            while delivery.deliver(harness.mailer):
                pass
            forbidden &= world.forbidden("spectator", "public") | set(world.words.values())
            for address, facts in harness.sent[before:]:
                if address.kind == "spectator":
                    read, entry = read + 1, int(facts.frame.entry)
                    assert leaks(dump(facts), forbidden) <= leaks(read_public_journal(world, told, entry), forbidden)
                    told = entry
                elif address.kind in ("report", "deputy_report"):
                    found += bool(leaks(dump(facts), forbidden))
        assert read >= 3
        assert found, "the reports of seats hold such words: looking for them proves something"
