"""Every operation there is, in the order in which the documentation lists them.  What is not here does not exist."""

from pbem.web.api import games, me, orders, questions, records, reports, shapes
from pbem.web.api.guard import BEGUN, RUNNING, Operation
from pbem.web.visitor import Who

_GAME = "/games/<game>"

OPERATIONS: tuple[Operation, ...] = (
    Operation("me", "GET", "/me", me.me, shapes.Me),
    Operation("games", "GET", "/games", me.games, shapes.Games),
    Operation("deadlines", "GET", "/deadlines", me.deadlines, shapes.Deadlines),
    Operation("game", "GET", _GAME, games.game, shapes.Table, Who.TABLE),
    Operation("public", "GET", f"{_GAME}/public", games.public, shapes.Shown, Who.TABLE, states=BEGUN, tagged=True),
    Operation("view", "GET", f"{_GAME}/view", games.mine, shapes.Shown, Who.SEAT, states=BEGUN, tagged=True),
    Operation("feed", "GET", f"{_GAME}/feed", games.feed, shapes.Feed, Who.TABLE, states=BEGUN, tagged=True),
    Operation(
        "decisions", "GET", f"{_GAME}/decisions", questions.questions, shapes.Questions, Who.SEAT, states=RUNNING,
        asks=shapes.Which,
    ),
    Operation("help", "GET", f"{_GAME}/help", questions.explained, shapes.Help, Who.SEAT, states=RUNNING),
    Operation(
        "preview", "POST", f"{_GAME}/preview", orders.preview, shapes.Receipt, Who.SEAT, states=RUNNING,
        takes=shapes.Written,
    ),
    Operation(
        "submit", "POST", f"{_GAME}/orders", orders.submit, shapes.Receipt, Who.SEAT, acts=True, states=RUNNING,
        takes=shapes.Written,
    ),
    Operation(
        "withdraw", "POST", f"{_GAME}/withdraw", orders.withdraw, shapes.Receipt, Who.SEAT, acts=True, states=RUNNING,
        takes=shapes.Known,
    ),
    Operation(
        "pace", "POST", f"{_GAME}/pace", orders.pace, shapes.Receipt, Who.SEAT, acts=True, states=RUNNING,
        takes=shapes.Pace,
    ),
    Operation(
        "ask_back", "POST", f"{_GAME}/standing", orders.ask_back, shapes.Asked, Who.SEAT, states=RUNNING, status=202,
    ),
    Operation(
        "read_back", "POST", f"{_GAME}/standing/<number>", orders.read_back, shapes.Standing, Who.SEAT,
        states=RUNNING, takes=shapes.Opening,
    ),
    Operation("reports", "GET", f"{_GAME}/reports", reports.listed, shapes.Reports, Who.SEAT, states=BEGUN),
    Operation(
        "report", "GET", f"{_GAME}/reports/<int:entry>", reports.report, shapes.Report, Who.SEAT, states=BEGUN,
        tagged=True,
    ),
    Operation("records", "GET", "/records", records.listed, shapes.Records, asks=shapes.Wanted),
    Operation("record", "GET", "/records/<game>", records.last, shapes.Record, Who.RECORD),
    Operation("then", "GET", "/records/<game>/<viewer>/<int:entry>", records.then, shapes.Record, Who.RECORD),
    Operation("file", "GET", "/records/<game>/file", records.file, None, Who.RECORD),
)  # fmt: skip
