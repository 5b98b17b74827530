"""Every operation there is, in the order in which the documentation lists them.  What is not here does not exist."""

from pbem.web.api import games, me, orders, pictures, questions, records, reports, shapes, talk
from pbem.web.api.guard import BEGUN, PICTURE, RUNNING, Operation
from pbem.web.visitor import Who

_GAME = "/games/<game>"

OPERATIONS: tuple[Operation, ...] = (
    Operation("me", "GET", "/me", me.me, shapes.Me),
    Operation("games", "GET", "/games", me.games, shapes.Games),
    Operation("deadlines", "GET", "/deadlines", me.deadlines, shapes.Deadlines),
    Operation("game", "GET", _GAME, games.game, shapes.Table, Who.TABLE),
    Operation("public", "GET", f"{_GAME}/public", games.public, shapes.Shown, Who.SEES, states=BEGUN, tagged=True),
    Operation("view", "GET", f"{_GAME}/view", games.mine, shapes.Shown, Who.ANSWERS, states=BEGUN, tagged=True),
    Operation("feed", "GET", f"{_GAME}/feed", games.feed, shapes.Feed, Who.SEES, states=BEGUN, tagged=True),
    Operation(
        "decisions", "GET", f"{_GAME}/decisions", questions.questions, shapes.Questions, Who.ANSWERS, states=RUNNING,
        asks=shapes.Which,
    ),
    Operation("help", "GET", f"{_GAME}/help", questions.explained, shapes.Help, Who.ANSWERS, states=RUNNING),
    Operation(
        "preview", "POST", f"{_GAME}/preview", orders.preview, shapes.Receipt, Who.ANSWERS, states=RUNNING,
        takes=shapes.Written,
    ),
    Operation(
        "submit", "POST", f"{_GAME}/orders", orders.submit, shapes.Receipt, Who.ANSWERS, acts=True, states=RUNNING,
        takes=shapes.Written,
    ),
    Operation(
        "withdraw", "POST", f"{_GAME}/withdraw", orders.withdraw, shapes.Receipt, Who.ANSWERS, acts=True,
        states=RUNNING, takes=shapes.Known,
    ),
    Operation(
        "pace", "POST", f"{_GAME}/pace", orders.pace, shapes.Receipt, Who.ANSWERS, acts=True, states=RUNNING,
        takes=shapes.Pace,
    ),
    Operation(
        "ask_back", "POST", f"{_GAME}/standing", orders.ask_back, shapes.Asked, Who.ANSWERS, states=RUNNING, status=202,
    ),
    Operation(
        "read_back", "POST", f"{_GAME}/standing/<number>", orders.read_back, shapes.Standing, Who.ANSWERS,
        states=RUNNING, takes=shapes.Opening,
    ),
    Operation("reports", "GET", f"{_GAME}/reports", reports.listed, shapes.Reports, Who.ANSWERS, states=BEGUN),
    Operation(
        "report", "GET", f"{_GAME}/reports/<int:entry>", reports.report, shapes.Report, Who.ANSWERS, states=BEGUN,
        tagged=True,
    ),
    Operation(
        "map", "GET", f"{_GAME}/map", pictures.board, None, Who.ANSWERS, states=BEGUN, asks=shapes.Drawing,
        tagged=True, media=PICTURE,
    ),
    Operation(
        "talk", "GET", f"{_GAME}/talk", talk.heard, shapes.Talk, Who.SEES, states=BEGUN, asks=shapes.Older,
    ),
    Operation(
        "say", "POST", f"{_GAME}/talk", talk.say, shapes.Spoken, Who.SEES, acts=True, states=RUNNING,
        takes=shapes.Saying, more=("cannot_say",),
    ),
    Operation(
        "note", "POST", f"{_GAME}/diary", talk.note, shapes.Spoken, Who.SEES, acts=True, states=RUNNING,
        takes=shapes.Noting, more=("cannot_say",),
    ),
    Operation("records", "GET", "/records", records.listed, shapes.Records, asks=shapes.Wanted),
    Operation("record", "GET", "/records/<game>", records.last, shapes.Record, Who.RECORD),
    Operation("then", "GET", "/records/<game>/<viewer>/<int:entry>", records.then, shapes.Record, Who.RECORD),
    Operation("file", "GET", "/records/<game>/file", records.file, None, Who.RECORD),
)  # fmt: skip
