"""An imaginary game for the tests of the order language: names share beginnings, forms share words."""

from engine.kernel.catalogues import Words
from engine.kernel.forms import Choice, Fact, Form, Slot, Topic
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Clause, Line, Order
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLetter
from tests.bilingual import words


class Raid(Order):
    may_retry = True
    place: str
    crews: int


class Settle(Order):
    place: str
    crews: int


class Learn(Order):
    crafts: tuple[str, ...]


class Hire(Order):
    what: str
    ship: str | None = None


class PlayCard(Order):
    tale: str
    place: str | None = None


class Sell(Order):
    good: str
    counted_as: str | None = None


class Stake(Order):
    crews: int


class Shout(Order):
    what: str


class Fleet(Order):
    ship: str
    count: int = 1


class Loss(Order):
    what: str
    places: tuple[str, ...] = ()


def choices(*names: tuple[str, str, str]) -> tuple[Choice, ...]:
    """Choices from (value, French names, English names)."""
    return tuple(Choice(value, words(fr, en)) for value, fr, en in names)


PLACES = choices(
    ("acre", "Saint Jean d'Acre|Acre", "Acre"),
    ("luz", "Saint Jean de Luz", "Saint Jean de Luz"),
    ("malo", "Saint-Malo", "Saint Malo"),
    ("mars", "Marseille", "Marseilles"),
    ("montp", "Montpellier", "Montpellier"),
    ("montf", "Montferrat", "Montferrat"),
    ("roma", "Rome", "Roma"),
    ("romagna", "Romagne", "Romagna"),
    ("firenze", "Florence", "Firenze"),
    ("norwich", "Norwich", "Norwich"),
    ("harwich", "Harwich", "Harwich"),
)
GOODS = choices(
    ("gold", "Or", "Gold"), ("wine", "Vin", "Wine"), ("both", "Drap/Vin", "Cloth/Wine"), ("cloth", "Drap", "Cloth")
)
CRAFTS = choices(*((letter.lower(), letter, letter) for letter in "ANWX"), ("silk", "Route de la soie", "Silk Road"))
TALES = choices(
    ("civil", "Guerre civile", "Civil War"),
    ("revolt", "Rébellion", "Rebellion"),
    ("heart", "Cœur de lion", "Lion Heart"),
)
SHIPS = choices(
    ("galley", "Galère", "Galley"), ("galley2", "Galère 2", "Galley 2"), ("caravel", "Caravelle", "Caravel")
)

PLACE = Slot("place", "place", words("province", "province"), PLACES, suggested=("romagna", "montf"))
CREWS = Slot("crews", "number", words("pions", "tokens"), low=1, high=24, suggested=(3,))

RAID = Form(words("ATTAQUER|RAZZIER", "ATTACK|RAID"), Raid, (PLACE, CREWS), about=words("Attaquer.", "Attack."))
SETTLE = Form(words("PLACER", "PLACE"), Settle, (PLACE, CREWS), about=words("Placer.", "Place."))
PLAY = Form(
    words("JOUER", "PLAY"),
    PlayCard,
    (
        Slot("tale", "tale", words("carte", "card"), TALES),
        Slot("place", "place", words("province", "province"), PLACES, optional=True, lead=words("À|CHEZ", "AT")),
    ),
)
SELL = Form(
    words("VENDRE", "SELL"),
    Sell,
    (
        Slot("good", "good", words("marchandise", "commodity"), GOODS),
        Slot("counted_as", "good", words("marchandise", "commodity"), GOODS, optional=True, lead=words("COMME", "AS")),
    ),
)
LEARN = Form(
    words("ACHETER", "BUY"), Learn, (Slot("crafts", "craft", words("progrès", "advances"), CRAFTS, many=True),)
)
CARD = Form(words("ACHETER CARTE", "BUY CARD"), Hire, fixed={"what": "card", "ship": None})
SHIP = Form(
    words("ACHETER NAVIRE", "BUY SHIP"),
    Hire,
    (Slot("ship", "ship", words("navire", "ship"), SHIPS),),
    fixed={"what": "ship"},
)
FLEET = Form(
    words("ARMER", "FIT OUT"),
    Fleet,
    (
        Slot("ship", "ship", words("navire", "ship"), SHIPS),
        Slot("count", "number", words("nombre", "count"), optional=True, default=1, low=1, high=9),
    ),
)
STAKE = Form(words("ENCHÈRE|MISE", "BID"), Stake, (Slot("crews", "number", words("pions", "tokens"), low=-3, high=40),))
SHOUT = Form(words("CRIER", "SHOUT"), Shout, (Slot("what", "text", words("paroles", "words"), text=True),))
MONEY = Form(words("ARGENT", "MONEY"), Loss, fixed={"what": "money", "places": ()})
CEDE = Form(
    words("CÉDER", "CEDE"),
    Loss,
    (Slot("places", "place", words("provinces", "provinces"), PLACES, many=True),),
    fixed={"what": "places"},
)
HOLD = Fact("hold", words("JE TIENS", "I HOLD"), (Slot("place", "place", words("province", "province"), PLACES),))
RICH = Fact("cash", words("J'AI", "I HAVE"), (Slot("least", "number", words("ducats", "ducats"), low=0),))
FACTS = (HOLD, RICH)

EXPANSION = Topic("expansion", words("EXPANSION", "EXPANSION"), lines=True)
PURCHASES = Topic("purchases", words("ACHATS", "PURCHASES"), lines=True)
TOKENS = Topic("tokens", words("PIONS", "TOKENS"))
FINAL = Topic("final", words("DÉNOUEMENT", "FINAL"))
CIVIL = Topic("civil", words("GUERRE CIVILE", "CIVIL WAR"), is_reaction=True)
WAR = Topic("war", words("GUERRE", "WAR"), is_reaction=True)

FIELD = (RAID, SETTLE, PLAY, SELL, FLEET, SHOUT)
SHOP = (LEARN, CARD, SHIP)
EVERY = (*FIELD, *SHOP, STAKE, MONEY, CEDE)
LIKELY = (Line((Clause(Settle("romagna", 2)),)), Line((Clause(Raid("montf", 3)),)))

OPEN = Section(EXPANSION, FIELD, 4, open=True, likely=LIKELY)
LATER = Section(EXPANSION, FIELD, 5)
SHOPS = Section(PURCHASES, SHOP)
REACTIONS = (Section(CIVIL, (MONEY, CEDE)), Section(WAR, (CEDE,)))
TOPICS = (EXPANSION, PURCHASES, TOKENS, FINAL, CIVIL, WAR)
GRAMMAR = Grammar((OPEN, LATER, SHOPS), REACTIONS, FACTS, "en", TOPICS)


def read(*lines: str, grammar: Grammar = GRAMMAR) -> ParsedLetter:
    """The reading of a letter of these lines."""
    return parse_letter(lines, grammar)


def bidding() -> Grammar:
    """The seat is asked for a bid, and may answer expansion and purchases ahead."""
    return Grammar((Section(TOKENS, (STAKE,), 4, open=True), LATER, SHOPS), REACTIONS, FACTS, "en", TOPICS)


def shown(*names: str) -> Words:
    """Words that are the same in both languages."""
    return Words.same(*names)
