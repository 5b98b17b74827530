"""A turn of four, played by letters on a server in one process whose chance and clock are fixed.

Two seats' letters are kept.  They write in the language that they read; the other two are there to be played against.
"""

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.age_of_renaissance.ruleset import RULES
from pbem.narration.facts import Links
from pbem.narration.letters import Rendered, render
from pbem.store.models import User
from tests.service.master_commands import eliminate_seat
from tests.service.server_fixtures import ServerHarness, build, start_game

GAME = "age_of_renaissance"
HOURS = 48
DEAL = "golden 23"
"""What all chance of the turn is made of."""
PLAYERS: Mapping[str, tuple[str, str]] = {
    "s1": ("Romain", "Europe/Paris"),
    "s2": ("Zoe", "Europe/London"),
    "s3": ("Édouard", "Europe/Paris"),
    "s4": ("Alice", "America/New_York"),
}
KEPT = ("s1", "s2")


@dataclass(frozen=True)
class Kept:
    """A letter that is kept: which seat got it, in which language, the how-manieth, of which kind."""

    seat: str
    language: str
    number: int
    kind: str
    rendered: Rendered

    @property
    def path(self) -> str:
        """Where its text lies, below the folder of letters."""
        return f"{self.seat}.{self.language}/{self.number:02d}-{self.kind}.txt"

    @property
    def text(self) -> str:
        """Subject and text, as a mail reader shows them."""
        return f"Subject: {self.rendered.subject}\n\n{self.rendered.text}"


def kept(folder: Path, languages: Sequence[str]) -> Iterator[Kept]:
    """Play the turn, the two seats reading these languages; their letters, in the order in which they were sent."""
    harness = played(folder, dict(zip(KEPT, languages, strict=True)))
    counts = dict.fromkeys(KEPT, 0)
    for address, facts in harness.sent:
        if address.seat in counts:
            counts[address.seat] += 1
            language = facts.frame.reader.language
            yield Kept(address.seat, language, counts[address.seat], address.kind, render(settled(facts)))


def settled(facts: Any) -> Any:
    """The same facts with marks that are drawn anew each time (tokens, digests of entries and keys) made plain."""
    frame = facts.frame
    digest = hashlib.sha256(f"entry {frame.entry}".encode()).hexdigest() if frame.digest else ""
    made = replace(frame, links=_plain(frame.links), digest=digest)
    known = {"keys_digest": hashlib.sha256(b"keys").hexdigest()} if getattr(facts, "keys_digest", "") else {}
    root = {"root_digest": digest} if getattr(facts, "root_digest", "") else {}
    proofs = {"proofs": tuple(map(_unsigned, facts.proofs))} if getattr(facts, "proofs", ()) else {}
    return replace(facts, frame=made, **root, **proofs, **known)


def _unsigned(proof: str) -> str:
    """A receipt whose key and signature are always the same."""
    sign = hashlib.sha256(proof.partition("\n")[0].encode()).hexdigest()
    return "\n".join((*proof.split("\n")[:-3], sign[:16], sign, sign))


def _plain(links: Links) -> Links:
    """Links whose tokens are always the same."""
    answer = "o+7h2k9qxw4m@games.test" if links.answer else ""
    mute = "https://games.test/unsubscribe/7h2k9qxw4m" if links.mute else ""
    return replace(links, answer=answer, mute=mute, act=_act(links.act), never=_act(links.never))


def _act(act: str) -> str:
    return f"{act.rpartition('/')[0]}/7h2k9qxw4m" if act else ""


_STREAMS: Mapping[str, str] = {"_seat_user": "_sit", "create_keys_and_seed": "prepare", "seal": "sealed"}
"""The names under which `DEAL` was chosen, for functions that are called otherwise since."""


class Chance:
    """Bytes that are the same in each run, whatever else is drawn: they go by the asker, and how often they asked."""

    def __init__(self) -> None:
        self.drawn: Counter[str] = Counter()

    def __call__(self, size: int) -> bytes:
        asking = sys._getframe(1).f_code.co_name
        asking = _STREAMS.get(asking, asking)
        self.drawn[asking] += 1
        return hashlib.shake_256(f"{DEAL} {asking} {self.drawn[asking]}".encode()).digest(size)


def played(folder: Path, languages: Mapping[str, str]) -> ServerHarness:
    """The whole turn."""
    harness = build(folder, installed={GAME: RULES})
    harness.configure(random_bytes=Chance())
    introduce(harness, languages)
    game = start_game(harness, GAME, 4, HOURS)
    turn = Turn(harness, game, languages)
    for scene in _SCENES:
        scene(turn)
    return harness


def introduce(harness: ServerHarness, languages: Mapping[str, str]) -> None:
    """Players whose names, languages and zones are known before they are invited."""
    with harness.web.db.transaction() as session:
        for number, (seat, (name, zone)) in enumerate(PLAYERS.items(), 1):
            session.add(
                User(
                    email=f"p{number}@games.test",
                    name=name,
                    language=languages.get(seat, "en"),
                    time_zone=zone,
                    created_at=harness.web.now(),
                )
            )


@dataclass
class Turn:
    """The turn as its scenes see it."""

    harness: ServerHarness
    game: str
    languages: Mapping[str, str]
    old: str = ""
    """A reply address whose question is closed."""

    def say(self, seat: str, french: str, english: str = "") -> None:
        """A letter in the language of its writer; lines are parted by `|`."""
        self.write(self.harness.reply_token(seat), seat, french, english)

    def write(self, token: str, seat: str, french: str, english: str = "") -> None:
        """The same to a certain reply address, be it an old one."""
        text = english if english and self.languages.get(seat, "en") == "en" else french
        self.harness.advance_time(minutes=7)
        self.harness.receive_reply(token, text.split("|"), sender=f"p{seat[1]}@games.test")
        self.harness.run_queued_tasks()

    def others(self, *lines: str) -> None:
        """The seats whose letters are not kept answer alike."""
        for seat in ("s3", "s4"):
            self.say(seat, "|".join(lines))

    def pass_until_reminded(self) -> None:
        """Let the clock run to the last day."""
        self.harness.advance_time(hours=HOURS - 12)
        self._tick()

    def pass_the_deadline(self) -> None:
        """Let the clock run past the deadline of whatever is open."""
        self.harness.advance_time(hours=13)
        self._tick()

    def _tick(self) -> None:
        self.harness.run_scheduled_jobs()
        self.harness.run_queued_tasks()


def _set_up(turn: Turn) -> None:
    """Cards, bids and capitals: one refused at first, help asked for."""
    turn.say(
        "s1",
        "bonjour à tous !|GARDER Mysticisme, Pierre philosophale|GARDER Mysticisme, Ivoire|ENCHÈRE 3|AIDE",
        "hello all!|KEEP Mysticism, Alchemist's Gold|KEEP Mysticism, Ivory|BID 3|HELP",
    )
    turn.say(
        "s2",
        "GARDER Guerre, Charlemagne|MISER 5|CAPITALES Gênes, Venise, Paris, Barcelone",
        "KEEP War, Charlemagne|BID 5|CAPITALS Genoa, Venice, Paris, Barcelona",
    )
    turn.say(
        "s1",
        "GARDER Mysticisme, Pierre philosophale|CAPITALES Venise, Barcelone",
        "KEEP Mysticism, Alchemist's Gold|CAPITALS Venice, Barcelona",
    )
    turn.say("s1", "CAPITALES Venise, Barcelone, Gênes, Paris", "CAPITALS Venice, Barcelona, Genoa, Paris")
    turn.say("s3", "KEEP Civil War, Stone|BID 0|CAPITALS Paris, Genoa, Venezia, Barcelona")
    turn.say("s4", "KEEP Stirrups, Dionysius|BID 2|CAPITALS Barcelona, Paris, Genoa, Venezia")


def _tokens(turn: Turn) -> None:
    """Tokens with choices on file and orders ahead; a reminder; one seat lets the deadline pass."""
    turn.say(
        "s1",
        "PIONS 12|SUR GUERRE CIVILE : ARGENT|SUR ÉGALITÉ : DERNIER|POUR TOUR 1 EXPANSION|PLACER Florence 4",
        "TOKENS 12|ON CIVIL WAR: MONEY|ON TIE: LAST|FOR TURN 1 EXPANSION|PLACE Florence 4",
    )
    turn.say("s3", "TOKENS 14")
    turn.pass_until_reminded()
    turn.say("s2", "PIONS 12|RETIRER EXPANSIO|ÉTAT", "TOKENS 12|WITHDRAW EXPANSIO|STATUS")
    turn.pass_the_deadline()


def _history(turn: Turn) -> None:
    """Cards: a misspelt one, a preview, a set that replaces another; a War, and a reaction that answers."""
    turn.say(
        "s1",
        "JOUER Pierre philosophal CONTRE Gênes|JOUER Atlantide",
        "PLAY Alchemists Gold AGAINST Genoa|PLAY Atlantis",
    )
    turn.say(
        "s1",
        "ESSAI|JOUER Mysticisme|JOUER Pierre philosophale CONTRE Gênes",
        "PREVIEW|PLAY Mysticism|PLAY Alchemist's Gold AGAINST Genoa",
    )
    turn.say(
        "s1",
        "JOUER Pierre philosophale CONTRE Gênes|CHANCE mon chat a marché sur la carte",
        "PLAY Alchemist's Gold AGAINST Genoa|LUCK my cat walked over the map",
    )
    turn.say("s2", "JOUER Charlemagne|JOUER Guerre CONTRE Paris", "PLAY Charlemagne|PLAY War AGAINST Paris")
    turn.say("s2", "JOUER Guerre CONTRE Venise", "PLAY War AGAINST Venice")
    turn.say("s3", "PLAY Civil War AGAINST Venice")
    turn.say("s4", "PLAY Stirrups|PLAY Dionysius")


def _purchases(turn: Turn) -> None:
    """A letter without any order, a line that the one before has made too dear, and what each can pay."""
    turn.say("s2", "Je réfléchis encore, à demain", "I am still thinking, until tomorrow")
    turn.old = turn.harness.reply_token("s2")
    turn.say("s1", "STABILISER", "STABILISE")
    turn.say("s2", "FLOTTE|STABILISER|ACHETER Vassal", "FLEET|STABILISE|BUY Vassal")
    turn.say("s2", "STABILISER", "STABILISE")
    turn.say("s3", "FLEET")
    turn.say("s4", "FLEET|STABILISE")


def _expansion(turn: Turn) -> None:
    """Lines with conditions and an ELSE; one set was sent ahead, and is withdrawn for another."""
    turn.say("s2", "ATTAQUER Milano 9|PLACER Roma 4", "ATTACK Milano 9|PLACE Roma 4")
    turn.say(
        "s2",
        "SI JE TIENS Firenze : PLACER Roma 4 SINON PLACER Milano 3|PLACER Sankt Gallen 1|ACHETER CARTE",
        "IF I HOLD Firenze: PLACE Roma 4 ELSE PLACE Milano 3|PLACE Sankt Gallen 1|BUY CARD",
    )
    turn.say(
        "s1",
        "RETIRER|PLACER Milano 3|PLACER Firenze 4|PLACER Dubrovnik 3",
        "WITHDRAW|PLACE Milano 3|PLACE Firenze 4|PLACE Dubrovnik 3",
    )
    turn.write(turn.old, "s2", "FLOTTE", "FLEET")
    turn.say("s3", "PLACE Dijon 3|PLACE Lyon 4")
    turn.say(
        "s2",
        "ACHETER CARTE|PLACER Milano 3|SI JE TIENS Firenze : PLACER Roma 4 SINON PLACER Firenze 4",
        "BUY CARD|PLACE Milano 3|IF I HOLD Firenze: PLACE Roma 4 ELSE PLACE Firenze 4",
    )
    turn.say("s4", "PASS")


def _next_turn(turn: Turn) -> None:
    """Tokens of the next turn."""
    turn.say("s2", "PIONS 10", "TOKENS 10")


def _end(turn: Turn) -> None:
    """All but one leave: leaving offers the seat, a master eliminates it, and the game is over."""
    turn.say("s1", "RAPPORT|PIONS 15", "REPORT|TOKENS 15")
    for seat in ("s3", "s4"):
        turn.harness.advance_time(minutes=7)
        eliminate_seat(turn.harness, turn.game, seat)
    turn.say("s2", "QUITTER LA PARTIE", "LEAVE THE GAME")
    eliminate_seat(turn.harness, turn.game, "s2")


_SCENES: tuple[Callable[[Turn], None], ...] = (
    _set_up,
    _tokens,
    _history,
    _purchases,
    _expansion,
    _next_turn,
    _end,
)
