"""What goes to an onlooker by letter: no word, no card and no order that he could not read on the public page."""

from engine.kernel.codec import dump
from pbem.service import letters, onlooking
from tests.access.world import everybody, leaks
from tests.archive.bots import play_on


def test_an_onlookers_letters_hold_nothing_that_is_not_everybodys() -> None:
    """Searched for every hidden card and every word that was said, noted or sealed, all through a game."""
    with everybody() as world:
        hall = world.hall
        onlooking.want(hall.web, world.user("spectator"), world.game, True)
        read = found = 0
        while hall.game(world.game).state == "running":
            forbidden = world.forbidden("spectator", "public") | set(world.words.values())
            before = len(hall.sent)
            play_on(hall, world.game, hall.game(world.game).entry + 1)
            while letters.deliver(hall.post):
                pass
            forbidden &= world.forbidden("spectator", "public") | set(world.words.values())
            for address, facts in hall.sent[before:]:
                if address.kind == "onlooker":
                    read += 1
                    assert leaks(dump(facts), forbidden) == set()
                elif address.kind in ("report", "relief"):
                    found += bool(leaks(dump(facts), forbidden))
        assert read > 2
        assert found, "the reports of seats hold such words: looking for them proves something"
