"""A few turns on a real server whose cards have random names, searched for leaks at every step.

`python -m tests.canary.play TITLE FOLDER SEED TURNS` runs within the copy that `renamed` made; it prints what it found,
as JSON.
"""

import base64
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import GAMES
from engine.kernel.events import ReactionSkipped
from engine.kernel.languages import LANGUAGES
from engine.kernel.position import Position
from engine.kernel.run import fold
from engine.kernel.secrets import Secret, truth
from engine.kernel.viewers import PUBLIC
from pbem.app import build_services, create_app
from pbem.config.settings import Settings
from pbem.crypto import unseal_email
from pbem.demo.players import template_lines
from pbem.discord.interactions import Interaction, respond
from pbem.narration.glossary import load_effects
from pbem.ops.supervisor import ROLES
from pbem.pictures.raster import png
from pbem.service.access import users
from pbem.service.channels import webhook_sender, webhooks
from pbem.service.game.journal import load_entry, load_game_keys, load_state
from pbem.service.game.seat_views import load_history
from pbem.service.mail import pictures
from pbem.service.mail.pictures import Place, picture_context
from pbem.service.pages import feeds
from pbem.service.resolver import reports
from pbem.service.seats import sign_in, spectators
from pbem.store.models import BoardImage, DiscordAccount, Game
from tests.canary import api, output_channels
from tests.canary.byte_search import MARK, Search
from tests.canary.decks import DECKS
from tests.canary.refusals import searched, sentences, without
from tests.canary.renamed_cards import new_word
from tests.crashes.server import ADDRESSES, REACTIONS, Server, opened
from tests.discord.fake_discord import PLACE, Fake, Taken
from tests.web.form_browser import hidden

MOST_ROUNDS = 30
SEATS = {address: f"s{number}" for number, address in enumerate(ADDRESSES, 1)}
ONLOOKER = "otto@players.localhost"
"""Looks on, and wants letters."""
OWN = frozenset({"mailboxes"})

_LIST = re.compile(r"<(select|datalist)\b.*?</\1>|\{[^{}]*\}", re.DOTALL)
_EFFECTS = re.compile(r"<dl\b.*?</dl>", re.DOTALL)
_WORD = re.compile(MARK + "[a-z]+", re.IGNORECASE)


@dataclass
class Canary:
    """What is secret from whom, and where it was found nevertheless."""

    server: Server
    chance: random.Random
    fake: Fake
    written: dict[str, set[str]] = field(default_factory=lambda: {address: set() for address in ADDRESSES})
    held: dict[str, set[str]] = field(default_factory=lambda: {seat: set() for seat in SEATS.values()})
    shown: set[str] = field(default_factory=set)
    read: dict[tuple[bytes, frozenset[str]], frozenset[str]] = field(default_factory=dict)
    refused: dict[str, frozenset[str]] = field(default_factory=dict)
    leaks: list[str] = field(default_factory=list)
    position: Position[Any] | None = None
    entry: int = 0
    searches: int = 0
    pages: int = 0
    calls: int = 0
    letters: int = 0
    messages: int = 0
    drawn: dict[Place, str] = field(default_factory=dict)
    made: dict[Place, bytes] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    planted: str = ""
    hidden_cards: int = 0
    turn: int = 0

    def __post_init__(self) -> None:
        """Seats at the pages: every player, a stranger who is signed in, and nobody."""
        self.services = build_services(self.server.settings, "resolver")
        self.rules, self.deck = GAMES[self.server.title], DECKS[self.server.title]
        self.wholes = self.deck.wholes() + self._explained()
        names = (name for words in self.deck.names.values() for name in (words.printed("fr"), words.printed("en")))
        self.search_for = Search(name.lower() for name in names)
        self.post = build_services(self.server.settings, "mailer")
        app = create_app(self.server.settings)
        app.config["TESTING"] = True
        with self.server.services.db.transaction() as session:
            ids = {
                a: users.get_or_create_user(self.server.services, session, a).id
                for a in (*ADDRESSES, "eve@players.localhost")
            }
        self.visitors = {address: app.test_client() for address in (*ids, "")}
        self.app, self.tokens = app, api.tokens(self.server.services, ids)
        self.ids, self.links = ids, dict[str, dict[str, str]]()
        app.after_request(lambda made: output_channels.with_leak(made, self.planted) if self.planted else made)
        for address, number in ids.items():
            link = sign_in.create_sign_in_link(self.server.services, number)
            self._sign_in(address, "/" + link.split("/", 3)[3])

    def _sign_in(self, address: str, path: str) -> None:
        client = self.visitors[address]
        form = client.get(path).get_data(as_text=True)
        values = dict(re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', form))
        answer = client.post(path, data=values)
        assert answer.status_code in (302, 303), f"signing in: {answer.status}"

    def _explained(self) -> list[set[str]]:
        """The cards whose effects help explains to anybody: all of them, in each language."""
        known = ((language, load_effects(self.server.title, language).get("card", {})) for language in LANGUAGES)
        return [
            {self.deck.names[card].printed(language).lower() for card in cards if card in self.deck.names}
            for language, cards in known
        ]

    def link(self) -> None:
        """Link the table to channels of each form, and the players to accounts at Discord."""
        with self.server.services.db.transaction() as session:
            for address in ADDRESSES:
                user = users.get_or_create_user(self.server.services, session, address)
                session.add(DiscordAccount(user_id=user.id, discord_id=_outside(address), name="", linked_at=0))
            host = session.get_one(Game, self.server.game).host_id
        for form, language in (("discord", "fr"), ("slack", "en"), ("plain", "fr")):
            webhooks.add_webhook(self.server.services, host, self.server.game, form, language, self.fake.address(form))
        spectators.invite(self.server.services, host, self.server.game, ONLOOKER)
        with self.server.services.db.transaction() as session:
            spectator = users.get_or_create_user(self.server.services, session, ONLOOKER).id
        reports.subscribe_spectator(self.server.services, spectator, self.server.game, True)

    # --- what is secret

    def words_for(self, address: str, number: int) -> list[str]:
        """What a player writes besides orders: words for luck, a reaction with words behind it, talk, and a diary."""
        luck, reaction, talk = (new_word(self.chance) for _ in range(3))
        self.written[address] |= {luck, reaction, talk}
        self.search_for.known |= {luck, reaction, talk}
        ahead = f"{REACTIONS[self.server.title]} ; {reaction}"
        noted = new_word(self.chance)
        self.written[address].add(noted)
        self.search_for.known.add(noted)
        diary = ["DIARY: I note", f"{noted} {noted}", "END"]
        return [f"LUCK {luck}", ahead, f"I think that {talk} will happen", f"; {reaction}", *diary]

    def collect_cards(self) -> tuple[set[str], dict[str, set[str]]]:
        """The cards of the deck and of each hand, as they truly are; notes what was ever seen elsewhere.

        Every fact since the last look is followed: what was shown in between may have been shuffled back since.
        """
        with self.services.db.snapshot() as session:
            game = session.get_one(Game, self.server.game)
            keys = load_game_keys(self.services, game)
            looked, self.entry = self.entry or game.entry, game.entry
            facts = [
                event for n in range(looked, game.entry) for event in load_entry(session, keys, game, n + 1).events
            ]
            position = self.position or load_state(session, keys, game)
            self.refused = {address: self._refused(session, game, seat) for address, seat in SEATS.items()}
        with truth():
            deck, hands = self._noted(position)
            for fact in facts:
                position = fold(self.rules, position, [fact])
                deck, hands = self._noted(position)
                self.shown |= set(self.deck.public(fact))
        self.position = position
        return deck, hands

    def _refused(self, session: Session, game: Game, seat: str) -> frozenset[str]:
        """The sentences that tell a player that they do not hold what their own reactions asked for."""
        story = load_history(self.services, session, game.id, seat, 0, game.entry)
        reasons = (fact.reason for fact in story if isinstance(fact, ReactionSkipped))
        return sentences(self.server.title, (one for one in reasons if one.code in self.deck.lacking))

    def _noted(self, position: Position[Any]) -> tuple[set[str], dict[str, set[str]]]:
        board = position.board
        self.turn = board.turn
        deck = {card.value for card in self.deck.piled(board)}
        hands = {str(s): {card.value for card in self.deck.held(power)} for s, power in board.powers.items()}
        kept = {s.value for s in _secrets(position) if not s.known_to.issuperset(position.core.seats)}
        self.shown |= set(self.deck.names) - deck - kept - set().union(*hands.values())
        for seat, hand in hands.items():
            self.held[seat] |= hand
        self.shown -= set(self.deck.absent(board))
        return deck, hands

    def secret_from(self, viewer: str, deck: set[str], hands: Mapping[str, set[str]]) -> set[str]:
        """Names of faces that a viewer has no way to know: all copies hidden, none ever held by them or shown."""
        mine = self.held.get(viewer, set())
        known = {self.deck.names[card] for card in (*self.shown, *mine)}
        far = deck.union(*(hand for seat, hand in hands.items() if seat != viewer))
        found = {self.deck.names[card] for card in far} - known
        return {name.lower() for names in found for name in (names.printed("fr"), names.printed("en"))}

    # --- the searches

    @property
    def pictures(self) -> int:
        """How many pictures came with letters."""
        mails = (mail for box in self.server.post.boxes.values() for mail in box)
        return sum(part.get_content_maintype() == "image" for mail in mails for part in mail.message().walk())

    def search(self, when: str) -> None:
        """Every file, every page and every letter, for whatever its reader must not know."""
        deck, hands = self.collect_cards()
        self.searches += 1
        said = set().union(*self.written.values())
        nobody = self.secret_from(PUBLIC, deck, hands) | said
        self.hidden_cards = max(self.hidden_cards, len(nobody) - len(said))
        self._files(when, nobody)
        self._messages(when, nobody)
        for number, (address, seat) in enumerate(SEATS.items()):
            secret = self.secret_from(seat, deck, hands) | (said - self.written[address])
            self._letters(when, address, secret)
            self._drawn(when, address, secret)
            self._check_discord(when, address, secret)
            if number == self.searches % len(SEATS):
                self._pages(when, address, secret)
        self._letters(when, ONLOOKER, nobody)
        self._drawn(when, ONLOOKER, nobody)
        self._pages(when, ("eve@players.localhost", "")[self.searches % 2], nobody)

    def _letters(self, when: str, address: str, secret: set[str]) -> None:
        for mail in self.server.post.boxes.get(address, []):
            raw, told = mail.path.read_bytes(), self.refused.get(address, frozenset())
            if (raw, told) not in self.read:
                self.read[raw, told] = self.search_for.within(searched(mail, told), deep=False)
            self.letters += 1
            self._note(f"{when}: {mail.path.name} to {address}", self.read[raw, told] & secret)

    def _messages(self, when: str, nobody: set[str]) -> None:
        """Everything that was told to the table's channels, changes of it too: each reader of a channel may know it."""
        webhook_sender.send_due(self.post)
        for one in list(self.fake.taken):
            told = f"{one.path}\n{one.headers}\n{json.dumps(one.body, ensure_ascii=False)}".encode()
            self._note(f"{when}: {one.method} to a channel", self.search_for.within(told, deep=False) & nobody)
        self.messages = len(self.fake.taken)

    def keep_pictures(self) -> None:
        """Keep the pictures that lie there, while they do: each is gone with its letter."""
        with self.post.db.snapshot() as session:
            for row in session.scalars(select(BoardImage).where(BoardImage.state == "rendered")):
                self.made[row.game_id, row.viewer, row.entry, row.from_entry, row.language] = row.ciphertext

    def _drawn(self, when: str, address: str, secret: set[str]) -> None:
        """The pictures of a player's letters, as they were before they were pixels: drawn again, to the same bytes."""
        self.keep_pictures()
        for place, sealed in self.made.items():
            if place[1] != SEATS.get(address, PUBLIC):
                continue
            if place not in self.drawn:
                svgs: list[str] = []
                again = pictures._render(replace(self.post, render_picture=_keeping(svgs)), place)
                self.drawn[place] = svgs[0]
                keys = self.post.mailer_keys
                kept = unseal_email(keys.opening, keys.verify, picture_context(*place), sealed).content
                assert again == kept, f"the picture of entry {place[2]} is not drawn of what its reader may see"
                told = without(svgs[0] + self.planted, self.refused.get(address, ())).encode()
                self._note(f"{when}: a picture for {address}", self.search_for.within(told, deep=False) & secret)

    def _check_discord(self, when: str, address: str, secret: set[str]) -> None:
        """What a player is answered at Discord: their own affairs and nobody else's."""
        outside, mark = _outside(address), f"orders/{self.server.game}/{self.entry}"
        asked = [Interaction(2, "1", "t", outside, "", "en", PLACE, part, {}) for part in output_channels.SPOKEN]
        asked.append(Interaction(4, "1", "t", outside, "", "en", PLACE, "orders", {"table": ""}))
        asked.append(
            Interaction(5, f"{self.searches}{outside}", "t", outside, "", "en", PLACE, mark, {"lines": "I DO NOT KNOW"})
        )
        for one in asked[: 5 if self.searches % 4 == 0 else 4]:
            said = respond(self.server.services, one)
            said = output_channels.leaky_reply(said, self.planted) if self.planted else said
            told = without(json.dumps(said, ensure_ascii=False), self.refused[address]).encode()
            found = self.search_for.within(told, deep=False)
            self._note(f"{when}: /pbem {one.kind} {one.subcommand.partition('/')[0]} of {address}", found & secret)

    def _pages(self, when: str, address: str, secret: set[str]) -> None:
        client, entry = self.visitors[address], self.entry if self.searches % 2 else 1
        for name, path in output_channels.pages(self.server.game, entry, self._links(address)):
            self._page(f"{when}: {name} at {path} for {address or 'nobody'}", name, client.get(path), address, secret)
        key = hidden(client.get("/sign-in").get_data(as_text=True), "csrf_token")
        question = self.server.last_question(address) if address in SEATS else None
        text = "\n".join(line for lines in template_lines(question.text) for line in lines) if question else "PASS"
        for made in output_channels.checked(client, self.server.game, key, self.entry, text):
            self._page(f"{when}: check for {address or 'nobody'}", "check", made, address, secret)
        self._calls(when, address, secret)

    def _page(self, where: str, name: str, answer: Any, address: str, secret: set[str]) -> None:
        assert answer.status_code < 500, f"{where}: {answer.status}"
        self.pages += answer.status_code == 200
        self.met |= {name} if answer.status_code == 200 else set()
        shown = _EFFECTS.sub(self._unless_whole, _LIST.sub(self._unless_whole, output_channels.shown(answer)))
        shown = without(shown, self.refused.get(address, ()))
        self._note(where, self.search_for.within(shown.encode(), deep=False) & secret)

    def _links(self, address: str) -> Mapping[str, str]:
        """The links of a player's own calendar, and of the table's feed where they may have one."""
        if address not in self.links:
            self.links[address] = {}
            if address in SEATS:
                made = {"calendar_feed": (feeds.CALENDAR, ""), "news_feed": (feeds.FEED, self.server.game)}
                services, user = self.server.services, self.ids[address]
                self.links[address] = {name: feeds.create_link(services, user, *what) for name, what in made.items()}
        return self.links[address]

    def _calls(self, when: str, address: str, secret: set[str]) -> None:
        """What a program of the same visitor gets."""
        token, language = self.tokens[address], ("fr", "en")[self.searches // 2 % 2]
        for path, status, text in api.responses(self.app, token, self.server.game, language, self._whole):
            assert status < 500, f"{path}: {status}"
            self.calls += status == 200
            self.met |= {path} if status == 200 else set()
            shown = without(text, self.refused.get(address, ()))
            found = self.search_for.within(shown.encode(), deep=False)
            self._note(f"{when}: {path} for the program of {address or 'nobody'}", found & secret)

    def _unless_whole(self, found: re.Match[str]) -> str:
        """A list to choose from that names all the cards of a kind tells nothing; any other is searched."""
        return "" if self._whole(found.group(0)) else found.group(0)

    def _whole(self, text: str) -> bool:
        """Return True if a list names all the cards of a kind."""
        return {word.lower() for word in _WORD.findall(text)} in self.wholes

    def _files(self, when: str, secret: set[str]) -> None:
        for place, found in self.search_for.files(self.server.settings.state_dir, OWN).items():
            self._note(f"{when}: {place}", found & secret)

    def _note(self, where: str, found: Iterable[str]) -> None:
        words = " ".join(sorted(found))
        if words:
            self.leaks.append(f"{where}: {words}")

    # --- playing

    def before(self, number: int) -> None:
        """The first letter is looked for while it is unread, and again while its sealed orders wait for the others."""
        if number == 1:
            self._files_alone("unread")
            self.server.go_on("mailer", "resolver")
        elif number == 2:
            self.server.settle()
            self.search("sealed")
        else:
            self.server.hold("mailer", "resolver")

    def _files_alone(self, when: str) -> None:
        """While the workers stand still, no page may wait for them; files are enough."""
        deck, hands = self.collect_cards()
        nobody = self.secret_from(PUBLIC, deck, hands).union(*self.written.values())
        self._files(when, nobody)

    def play(self, turns: int) -> None:
        """So many turns, with a search after every gate."""
        self.search("dealt")
        for _ in range(MOST_ROUNDS):
            asked = [address for address in ADDRESSES if self.server.last_question(address) is not None]
            self.server.round(self.words_for, self.before if len(asked) == len(ADDRESSES) else lambda number: None)
            self.search("played")
            if self.turn > turns:
                return

    def missed(self) -> list[str]:
        """Leaks that are planted and not found: a word in a log, in the database's folder, in a letter to another, to
        a channel; and in whatever each page, call and command answers, and each picture.
        """
        deck, hands = self.collect_cards()
        everybody = (self.secret_from(seat, deck, hands) for seat in (*SEATS.values(), PUBLIC))
        card = output_channels.choose_leak(set[str].intersection(*everybody), self.wholes)
        word = sorted(self.written[ADDRESSES[0]])[0]
        self.fake.taken.append(Taken("POST", "/", {}, {"embeds": [{"description": f"a {card}"}]}))
        before = len(self.leaks)
        log = self.server.settings.state_dir / "logs" / "post.log"
        with log.open("ab") as end:
            end.write(b"letter: " + base64.b64encode(f"x {card.capitalize()} x".encode()) + b"\n")
        other = self.server.post.boxes[ADDRESSES[1]][-1].path
        other.write_bytes(other.read_bytes() + word.encode())
        seen = self.server.post.boxes[ONLOOKER][-1].path
        seen.write_bytes(seen.read_bytes() + card.encode())
        latest = {place[1]: place for place in self.drawn}
        self.drawn = {place: svg for place, svg in self.drawn.items() if place not in latest.values()}
        self.planted = card
        self._everybody()
        self.planted = ""
        sung = self.leaks[before:]
        del self.leaks[before:]
        wanted = [(card, "post.log"), (word, other.name), (card, "to a channel"), (card, "a picture for")]
        wanted += [(card, f"{seen.name} to {ONLOOKER}")]
        wanted += [(card, f"/pbem {kind} {part} of") for kind, part in self._spoken()]
        wanted += [(card, f" {path} for the program" if path.startswith("/api") else f": {path} ") for path in self.met]
        return [f"{what} {where}" for what, where in wanted if not any(what in one and where in one for one in sung)]

    @staticmethod
    def _spoken() -> Iterator[tuple[int, str]]:
        yield from ((2, part) for part in output_channels.SPOKEN)
        yield from ((4, "orders"), (5, "orders"))

    def _everybody(self) -> None:
        """A search in which every visitor looks at everything."""
        self.searches += -self.searches % 4 or 4
        self.met.clear()
        deck, hands = self.collect_cards()
        nobody = self.secret_from(PUBLIC, deck, hands).union(*self.written.values())
        self._files("planted", nobody)
        self._messages("planted", nobody)
        self._letters("planted", ONLOOKER, nobody)
        self._drawn("planted", ONLOOKER, nobody)
        for address in SEATS:
            secret = self.secret_from(SEATS[address], deck, hands).union(*self.written.values()) - self.written[address]
            self._letters("planted", address, secret)
            self._drawn("planted", address, secret)
            self._check_discord("planted", address, secret)
            self._pages("planted", address, secret)


def _keeping(svgs: list[str]) -> Callable[[str], bytes]:
    """What makes pixels of a picture, and keeps the picture."""

    def draw(svg: str) -> bytes:
        svgs.append(svg)
        return png(svg)

    return draw


def _outside(address: str) -> str:
    """A player's account at Discord."""
    return f"70000000000000{ADDRESSES.index(address) + 1}"


def _secrets(thing: Any) -> Iterable[Secret[Any]]:
    """All secrets within a thing, wherever they lie."""
    if isinstance(thing, Secret):
        yield thing
    elif is_dataclass(thing):
        for part in fields(thing):
            yield from _secrets(getattr(thing, part.name))
    elif isinstance(thing, Mapping):
        for value in thing.values():
            yield from _secrets(value)
    elif isinstance(thing, tuple | list | frozenset | set):
        for value in thing:
            yield from _secrets(value)


def main(title: str, folder: Path, seed: str, turns: int) -> None:
    """Play and search; what came of it goes to the standard output as one line of JSON."""
    chance = random.Random(f"{seed} of the players")
    server = opened(folder, title)
    (folder / "same-chance").unlink()
    wanted = {"PBEM_PICTURES": "yes"}
    server.settings = Settings.from_env({**server.settings.variables, **wanted})
    with Fake(limit=1000) as fake:
        server.start(ROLES)
        try:
            server.deal(DECKS[title].options)
            canary = Canary(server, chance, fake)
            server.watch = canary.keep_pictures
            canary.link()
            canary.play(turns)
            leaks, opened_pages = list(canary.leaks), frozenset(canary.met)
            missed = canary.missed()
        finally:
            server.stop()
    counted = ("searches", "pages", "calls", "letters", "pictures", "messages", "hidden_cards", "turn")
    counts = {name: getattr(canary, name) for name in counted}
    unseen = sorted({name for name, _ in output_channels.pages("g", 1, {})} - opened_pages - output_channels.ELSEWHERE)
    counts = {**counts, "drawn": len(canary.drawn)}
    print(json.dumps({**counts, "leaks": leaks, "missed": missed, "unseen": unseen, "deaths": server.deaths}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
