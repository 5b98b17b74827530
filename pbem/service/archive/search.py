"""The search index of finished games, which a resolver makes once when a game is over or was imported.

It has the words of a game's narration in the clear, since nothing of it is secret any more; what players wrote is not
in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, delete, select
from sqlalchemy.orm import Session

from engine.kernel.events import Ended
from engine.kernel.languages import LANGUAGES
from engine.kernel.spelling import search_terms
from engine.kernel.viewers import Seat
from pbem.common.states import OPENED
from pbem.crypto import GameKeys
from pbem.service.archive import library
from pbem.service.archive.library import ArchivedGame
from pbem.service.base.database_access import FIRST_PAGE, Page, PageWindow
from pbem.service.base.services import SearchWords, Services
from pbem.service.game.journal import load_entry, load_game_keys, load_state_at
from pbem.service.mail import assembly
from pbem.store.games import load_seats, lock_game
from pbem.store.models import ArchiveSearchTerm, Game, GameResult, SeatRow, User

MOST_WORDS: Final = 8
"""Words of one search; the others are left aside."""
LAST: Final = "\U0010ffff"
"""Behind it no word begins."""
STEPS: Final = 20
"""How many earlier positions are looked at for the name of a seat that has none at the end."""


@dataclass(frozen=True)
class Match:
    """A finished game that fits a search, and the entries whose telling does; none where its names alone do."""

    game: ArchivedGame
    entries: tuple[int, ...] = ()


# --- making it


def index_game(services: Services, game_id: str) -> bool:
    """Store the result of a game and the words of its narration, once. Return False if there is nothing to do.

    The narration is read without a lock; only the result is written under one.
    """
    with services.db.snapshot() as session:
        game = session.get(Game, game_id)
        if (
            game is None
            or game.state not in OPENED
            or _is_indexed(session, game_id)
            or game.rules not in services.installed
        ):
            return False
        game_keys = load_game_keys(services, game)
        told = [(n, load_entry(session, game_keys, game, n).events) for n in range(1, game.entry + 1)]
        ended = next((e for _, events in reversed(told) for e in reversed(events) if isinstance(e, Ended)), None)
        last = load_state_at(session, game_keys, game, game.entry)
        words = (
            services.search_words(game.rules, assembly.load_table_facts(session, game).names, last, told)
            if services.search_words
            else SearchWords()
        )
        powers = _find_earlier_names(services, session, game_keys, game, words.powers) if services.search_words else {}
    with services.db.transaction() as session:
        locked = lock_game(session, game_id)
        if locked is None or _is_indexed(session, game_id):
            return False
        _store(session, locked, ended, powers)
        _write(session, game_id, words.words)
    return True


def _is_indexed(session: Session, game_id: str) -> bool:
    return session.scalar(select(GameResult.seat).where(GameResult.game_id == game_id).limit(1)) is not None


def _find_earlier_names(
    services: Services, session: Session, game_keys: GameKeys, game: Game, powers: Mapping[Seat, str]
) -> Mapping[Seat, str]:
    """Names for seats that had none any more at the end: the last one that they played under."""
    names = dict(powers)
    for entry in range(game.entry - 1, 0, -max(1, game.entry // STEPS)):
        if all(names.values()) or services.search_words is None:
            break
        then = services.search_words(game.rules, {}, load_state_at(session, game_keys, game, entry), ()).powers
        names = {seat: name or then.get(seat, "") for seat, name in names.items()}
    return names


def _store(session: Session, game: Game, ended: Ended | None, powers: Mapping[Seat, str]) -> None:
    rows = load_seats(session, game.id)
    ranking = ended.ranking if ended is not None else (tuple(Seat(row.seat) for row in rows),)
    place = 1 if ended is None or ended.has_winner else 2  # the first is the game itself
    for group in ranking:
        for seat in group:
            row = next(row for row in rows if row.seat == seat)
            session.add(
                GameResult(
                    game_id=game.id,
                    seat=seat,
                    user_id=row.user_id,
                    rules=game.rules,
                    place=place,
                    power=powers.get(seat, ""),
                    tied_with=len(group),
                    players=len(rows),
                    points=int(ended.points.get(seat, 0)) if ended is not None else 0,
                )
            )
        place += len(group)


def _write(session: Session, game_id: str, words: Mapping[str, Mapping[str, frozenset[int]]]) -> None:
    session.execute(delete(ArchiveSearchTerm).where(ArchiveSearchTerm.game_id == game_id))
    session.add_all(
        ArchiveSearchTerm(language=language, word=word, game_id=game_id, entries=pack_entries(entries))
        for language, places in words.items()
        for word, entries in places.items()
    )


def pack_entries(entries: Iterable[int]) -> bytes:
    """Pack entries as bits: bit n stands for entry n."""
    bits = sum(1 << entry for entry in set(entries))
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little")


def unpack_entries(bits: int) -> tuple[int, ...]:
    """Return the entries that bits stand for, in order."""
    return tuple(n for n in range(bits.bit_length()) if bits >> n & 1)


# --- searching


def search(
    services: Services,
    user_id: int,
    language: str,
    wanted: tuple[str, ...],
    part: PageWindow = FIRST_PAGE,
    only: str = "",
) -> Page[Match]:
    """Find the finished games that a user may read and that have every word, the newest first.

    A word matches in the names of game type, table and players, or as the beginning of a word of the narration in this
    language; all words found in the narration must be in one entry. `wanted`: folded like the narration.
    """
    if not wanted:
        page = library.list_games(services, user_id, part, only)
        return Page(tuple(map(Match, page.rows)), page.next_offset)
    open_to = library.accessible_ids(services, user_id)
    if only:
        open_to = open_to.where(Game.id == only)
    with services.db.snapshot() as session:
        names = _game_names(services, session, open_to)
        bits = {word: _load_postings(session, language, word, list(names)) for word in wanted[:MOST_WORDS]}
        matches = {game: entries for game in names if (entries := _match(game, names[game], bits)) is not None}
        window = part.slice(list(matches))
        games = library.load_finished(session, window.rows)
    return Page(tuple(Match(game, matches[game.game]) for game in games), window.next_offset)


def _game_names(services: Services, session: Session, open_to: Select[Any]) -> Mapping[str, frozenset[str]]:
    """The words of each game's title, table and players, folded as a story's are; the newest game first.

    Of the many rows that are looked through only these columns are read; what is shown is read whole.
    """
    titles = {name: _normalize(map(rules.meta.title.printed, LANGUAGES)) for name, rules in services.installed.items()}
    columns = select(Game.id, Game.rules, Game.title).where(Game.id.in_(open_to))
    games = session.execute(columns.order_by(*library.NEWEST)).all()
    sitting = select(SeatRow.game_id, User.name).join(User, SeatRow.user_id == User.id)
    players: dict[str, list[str]] = {}
    for game, name in session.execute(sitting.where(SeatRow.game_id.in_(open_to))):
        players.setdefault(game, []).append(name)
    return {game: titles[rules] | _normalize((title, *players.get(game, ()))) for game, rules, title in games}


def _normalize(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in search_terms(text))


def _load_postings(session: Session, language: str, word: str, games: list[str]) -> dict[str, int]:
    begins = [ArchiveSearchTerm.word.startswith(word, autoescape=True)]
    if session.get_bind().dialect.name == "sqlite":  # which finds no beginning by an index, but a stretch
        begins += [ArchiveSearchTerm.word >= word, ArchiveSearchTerm.word < word + LAST]
    rows = session.execute(
        select(ArchiveSearchTerm.game_id, ArchiveSearchTerm.entries).where(
            ArchiveSearchTerm.language == language, *begins, ArchiveSearchTerm.game_id.in_(games)
        )
    )
    postings: dict[str, int] = {}
    for game, entries in rows:
        postings[game] = postings.get(game, 0) | int.from_bytes(entries, "little")
    return postings


def _match(game: str, names: frozenset[str], bits: Mapping[str, Mapping[str, int]]) -> tuple[int, ...] | None:
    """The entries that fit; empty where names alone do; None where the game does not."""
    missing = [word for word in bits if not any(name.startswith(word) for name in names)]
    if not missing:
        return ()
    common = -1
    for word in missing:
        common &= bits[word].get(game, 0)
    return unpack_entries(common) or None
