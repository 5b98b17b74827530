"""Every operation there is, in the order in which the documentation lists them.  What is not here does not exist."""

from pbem.service.access.permissions import Who
from pbem.web.api import (
    company,
    games,
    master,
    me,
    orders,
    pictures,
    questions,
    records,
    reports,
    shapes,
    shapes_master,
    shapes_records,
    shapes_tables,
    shapes_talk,
    tables,
    talk,
    times,
)
from pbem.web.api.guard import BEGUN, PICTURE, RUNNING, WAITING, Operation

_GAME = "/games/<game>"
_RECORD = "/records/<game>"

_MINE = (
    Operation("me", "GET", "/me", me.me, shapes.Me),
    Operation("games", "GET", "/games", me.games, shapes.Games),
    Operation("deadlines", "GET", "/deadlines", me.deadlines, shapes.Deadlines),
    Operation("letters", "POST", "/letters", times.letters, shapes.Done, acts=True, wide=True,
              takes=shapes_tables.Muting),
    Operation("absences", "GET", "/absences", times.away, shapes_tables.Absences, wide=True),
    Operation("announce", "POST", "/absences", times.announce, shapes.Done, acts=True, wide=True,
              takes=shapes_tables.Leaving, more=("refused",)),
    Operation("call_off", "POST", "/absences/end", times.call_off, shapes.Done, acts=True, wide=True,
              takes=shapes_tables.Numbered, more=("refused",)),
)  # fmt: skip

_FINDING = (
    Operation("titles", "GET", "/titles", tables.titles, shapes_tables.Titles),
    Operation("create", "POST", "/tables", tables.create, shapes.Done, acts=True, wide=True,
              takes=shapes_tables.NewTable, more=("refused",)),
    Operation("open_tables", "GET", "/tables/open", tables.looking, shapes_tables.OpenTables, wide=True,
              asks=shapes_records.Onward),
    Operation("sit_down", "POST", "/tables/open", tables.sit_down, shapes.Done, acts=True, wide=True,
              takes=shapes_tables.Sitting, more=("refused",)),
    Operation("ask_no_more", "POST", "/tables/open/end", tables.ask_no_more, shapes.Done, acts=True, wide=True,
              takes=shapes_tables.AtTable),
    Operation("vacancies", "GET", "/seats", tables.vacancies, shapes_tables.Vacancies, wide=True,
              asks=shapes_records.Onward),
    Operation("take", "POST", "/seats", tables.take, shapes.Done, acts=True, wide=True, takes=shapes_tables.Taking,
              more=("refused",)),
    Operation("sights", "GET", "/watch", tables.sights, shapes_tables.Sights, wide=True, asks=shapes_records.Onward),
    Operation("look_on", "POST", "/watch", tables.look_on, shapes.Done, acts=True, wide=True,
              takes=shapes_tables.Looking, more=("refused",)),
)  # fmt: skip

_WAITING = (
    Operation("waiting", "GET", f"{_GAME}/waiting", tables.waiting, shapes_tables.Forming, Who.TABLE, states=WAITING),
    Operation("accept", "POST", f"{_GAME}/accept", tables.accept, shapes.Done, Who.INVITED, acts=True,
              takes=shapes_tables.Accepting, more=("refused",)),
    Operation("invite", "POST", f"{_GAME}/invite", tables.invite, shapes.Done, Who.HOST, acts=True, states=WAITING,
              takes=shapes_tables.Inviting, more=("refused",)),
    Operation("publish", "POST", f"{_GAME}/open", tables.publish, shapes.Done, Who.HOST, acts=True, states=WAITING,
              takes=shapes_tables.Publishing),
)  # fmt: skip

_TABLE = (
    Operation("game", "GET", _GAME, games.game, shapes.Table, Who.TABLE),
    Operation("public", "GET", f"{_GAME}/public", games.public, shapes.Shown, Who.SEES, states=BEGUN, tagged=True),
    Operation("view", "GET", f"{_GAME}/view", games.mine, shapes.Shown, Who.ANSWERS, states=BEGUN, tagged=True),
    Operation("feed", "GET", f"{_GAME}/feed", games.feed, shapes.Feed, Who.SEES, states=BEGUN, tagged=True),
    Operation("map", "GET", f"{_GAME}/map", pictures.board, None, Who.ANSWERS, states=BEGUN, asks=shapes.Drawing,
              tagged=True, media=PICTURE),
    Operation("board", "GET", f"{_GAME}/board", pictures.common, None, Who.SEES, states=BEGUN, asks=shapes.Paper,
              tagged=True, media=PICTURE),
    Operation("figures", "GET", f"{_GAME}/figures", pictures.figures, shapes_records.Course, Who.SEES, states=BEGUN,
              tagged=True),
    Operation("plot", "GET", f"{_GAME}/plot", pictures.plot, None, Who.SEES, states=BEGUN, asks=shapes.Charted,
              tagged=True, media=PICTURE),
    Operation("reports", "GET", f"{_GAME}/reports", reports.listed, shapes.Reports, Who.ANSWERS, states=BEGUN),
    Operation("report", "GET", f"{_GAME}/reports/<int:entry>", reports.report, shapes.Report, Who.ANSWERS,
              states=BEGUN, tagged=True),
    Operation("history", "GET", f"{_GAME}/history", records.entries, shapes_records.History, Who.ANSWERS,
              states=BEGUN, asks=shapes_records.Earlier),
    Operation("past", "GET", f"{_GAME}/history/<int:entry>", records.past, shapes_records.Record, Who.ANSWERS,
              states=BEGUN),
)  # fmt: skip

_ORDERS = (
    Operation("decisions", "GET", f"{_GAME}/decisions", questions.questions, shapes.Questions, Who.ANSWERS,
              states=RUNNING, asks=shapes.Which),
    Operation("help", "GET", f"{_GAME}/help", questions.explained, shapes.Help, Who.ANSWERS, states=RUNNING),
    Operation("preview", "POST", f"{_GAME}/preview", orders.preview, shapes.Receipt, Who.ANSWERS, states=RUNNING,
              takes=shapes.Written),
    Operation("submit", "POST", f"{_GAME}/orders", orders.submit, shapes.Receipt, Who.ANSWERS, acts=True,
              states=RUNNING, takes=shapes.Written),
    Operation("withdraw", "POST", f"{_GAME}/withdraw", orders.withdraw, shapes.Receipt, Who.ANSWERS, acts=True,
              states=RUNNING, takes=shapes.Known),
    Operation("pace", "POST", f"{_GAME}/pace", orders.pace, shapes.Receipt, Who.ANSWERS, acts=True, states=RUNNING,
              takes=shapes.Pace),
    Operation("ask_back", "POST", f"{_GAME}/standing", orders.ask_back, shapes.Asked, Who.ANSWERS, states=RUNNING,
              status=202),
    Operation("read_back", "POST", f"{_GAME}/standing/<number>", orders.read_back, shapes.Standing, Who.ANSWERS,
              states=RUNNING, takes=shapes.Opening),
)  # fmt: skip

_COMPANY = (
    Operation("talk", "GET", f"{_GAME}/talk", talk.heard, shapes_talk.Talk, Who.SEES, states=BEGUN,
              asks=shapes_talk.Older),
    Operation("say", "POST", f"{_GAME}/talk", talk.say, shapes_talk.Spoken, Who.SEES, acts=True, states=RUNNING,
              takes=shapes_talk.Saying, more=("cannot_say",)),
    Operation("note", "POST", f"{_GAME}/diary", talk.note, shapes_talk.Spoken, Who.SEES, acts=True, states=RUNNING,
              takes=shapes_talk.Noting, more=("cannot_say",)),
    Operation("hear", "POST", f"{_GAME}/hear", talk.hear, shapes.Done, Who.SEES, acts=True, states=BEGUN,
              takes=shapes_talk.Hearing),
    Operation("onlookers", "GET", f"{_GAME}/watchers", tables.onlookers, shapes_tables.Onlookers, Who.SEES),
    Operation("let_look", "POST", f"{_GAME}/watchers", tables.let_look, shapes.Done, Who.MASTERS, acts=True,
              states=RUNNING, takes=shapes_tables.Letting, more=("refused",)),
    Operation("deputies", "GET", f"{_GAME}/deputies", company.own, shapes_tables.Deputies, Who.SEAT, states=RUNNING),
    Operation("name_deputy", "POST", f"{_GAME}/deputies", company.name, shapes.Done, Who.SEAT, acts=True,
              states=RUNNING, takes=shapes_tables.Naming, more=("refused",)),
    Operation("end_deputy", "POST", f"{_GAME}/deputies/end", company.call_off, shapes.Done, Who.SEAT, acts=True,
              states=RUNNING, takes=shapes_tables.Numbered, more=("refused",)),
    Operation("time", "GET", f"{_GAME}/time", times.table, shapes_tables.Timetable, Who.SEAT, states=BEGUN),
    Operation("wish", "POST", f"{_GAME}/time", times.wish, shapes_tables.Wished, Who.SEAT, acts=True, states=RUNNING,
              takes=shapes_tables.Wish, more=("refused",)),
    Operation("leave", "POST", f"{_GAME}/leave", tables.leave, shapes.Done, Who.SEAT, acts=True, states=RUNNING,
              takes=shapes_tables.Sure, more=("refused",)),
    Operation("give_back", "POST", f"{_GAME}/give-back", tables.give_back, shapes.Done, Who.SEAT, acts=True,
              states=RUNNING, takes=shapes_tables.Sure, more=("refused",)),
)  # fmt: skip

_MASTERS = (
    Operation("desk", "GET", f"{_GAME}/master", master.desk, shapes_master.MasterDesk, Who.SEES,
              asks=shapes_records.Earlier),
    Operation("master_preview", "POST", f"{_GAME}/master/preview", master.attempt, shapes_master.MasterAnswer,
              Who.SEES, masters=True, takes=shapes_master.MasterTry),
    Operation("master", "POST", f"{_GAME}/master", master.act, shapes_master.MasterAnswer, Who.SEES, acts=True,
              masters=True, takes=shapes_master.MasterLines),
)  # fmt: skip

_PAST = (
    Operation("records", "GET", "/records", records.listed, shapes_records.Records, asks=shapes_records.Wanted),
    Operation("record", "GET", _RECORD, records.last, shapes_records.Record, Who.RECORD),
    Operation("then", "GET", f"{_RECORD}/<viewer>/<int:entry>", records.then, shapes_records.Record, Who.RECORD),
    Operation("recorded_board", "GET", f"{_RECORD}/<viewer>/<int:entry>/board", pictures.recorded, None, Who.RECORD,
              asks=shapes.Paper, tagged=True, media=PICTURE),
    Operation("recorded_talk", "GET", f"{_RECORD}/talk", talk.recorded, shapes_records.RecordTalk, Who.RECORD,
              asks=shapes_records.Onward),
    Operation("file", "GET", f"{_RECORD}/file", records.file, None, Who.RECORD),
    Operation("all_figures", "GET", "/figures", records.figures, shapes_records.Figures, wide=True),
)  # fmt: skip

OPERATIONS: tuple[Operation, ...] = (*_MINE, *_FINDING, *_WAITING, *_TABLE, *_ORDERS, *_COMPANY, *_MASTERS, *_PAST)
