"""Every address there is: its methods and for whom it is.  What is not here does not exist."""

from pbem.web import auth, channels, company, feeds, maps, master, notices, play, programs, records, tables, talk, times
from pbem.web.api import docs
from pbem.web.visitor import Route, Who

READ, SEND, BOTH = ("GET",), ("POST",), ("GET", "POST")

ROUTES: tuple[Route, ...] = (
    Route("/", "home", READ, Who.ANYBODY, tables.home),
    Route("/sign-in", "sign_in", BOTH, Who.ANYBODY, auth.sign_in, rare=True),
    Route("/sign-in/<token>", "enter", BOTH, Who.BEARER, auth.enter),
    Route("/sign-out", "sign_out", SEND, Who.USER, auth.sign_out),
    Route("/language", "language", SEND, Who.ANYBODY, auth.language),
    Route("/settings", "settings", BOTH, Who.USER, auth.settings),
    Route("/settings/discord", "account", BOTH, Who.USER, channels.mine),
    Route("/settings/programs", "programs", BOTH, Who.USER, programs.mine),
    Route("/api/docs", "api_docs", READ, Who.ANYBODY, docs.read),
    Route("/api/openapi.json", "api_document", READ, Who.ANYBODY, docs.openapi),
    Route("/tables/new", "new", BOTH, Who.USER, tables.new),
    Route("/join/<token>", "join", BOTH, Who.BEARER, tables.join),
    Route("/games/<game>", "seat", READ, Who.TABLE, play.seat),
    Route("/games/<game>/invite", "invite", SEND, Who.HOST, tables.invite),
    Route("/games/<game>/accept", "accept", SEND, Who.INVITED, tables.accept),
    Route("/games/<game>/orders", "orders", BOTH, Who.ANSWERS, play.orders),
    Route("/games/<game>/check", "check", SEND, Who.ANSWERS, play.check),
    Route("/games/<game>/read", "read", BOTH, Who.ANSWERS, play.read),
    Route("/games/<game>/help", "explain", READ, Who.ANSWERS, play.explain),
    Route("/games/<game>/table", "table", READ, Who.SEES, play.table),
    Route("/games/<game>/reports/<int:entry>", "report", READ, Who.ANSWERS, play.report),
    Route("/games/<game>/map.svg", "map", READ, Who.ANSWERS, maps.board),
    Route("/games/<game>/history", "lookup", READ, Who.ANSWERS, play.lookup),
    Route("/games/<game>/history/<int:entry>", "past", READ, Who.ANSWERS, play.past),
    Route("/games/<game>/master", "master", BOTH, Who.MASTER, master.desk),
    Route("/games/<game>/mute", "mute", BOTH, Who.SEAT, notices.mute),
    Route("/games/<game>/leave", "leave", BOTH, Who.SEAT, notices.leave),
    Route("/games/<game>/talk", "talk", BOTH, Who.SEES, talk.table),
    Route("/games/<game>/deputy", "deputies", BOTH, Who.SEAT, company.own),
    Route("/deputy/<token>", "deputy", BOTH, Who.BEARER, company.asked),
    Route("/watch", "watch", BOTH, Who.USER, company.sights),
    Route("/games/<game>/watchers", "watchers", BOTH, Who.HOST, company.onlookers),
    Route("/records/<game>/talk", "record_talk", READ, Who.RECORD, talk.record),
    Route("/records", "records", READ, Who.USER, records.listed),
    Route("/records/<game>", "record", READ, Who.RECORD, records.last),
    Route("/records/<game>/file", "file", READ, Who.RECORD, records.file),
    Route("/records/<game>/<viewer>/<int:entry>", "then", READ, Who.RECORD, records.then),
    Route("/games/<game>/time", "timetable", BOTH, Who.SEAT, times.table),
    Route("/games/<game>/channels", "channels", BOTH, Who.HOST, channels.table),
    Route("/time", "time", BOTH, Who.USER, times.mine),
    Route("/seats", "open_seats", BOTH, Who.USER, times.open_seats),
    Route("/calendar/<token>.ics", "calendar", READ, Who.BEARER, feeds.calendar),
    Route("/feed/<token>.atom", "feed", READ, Who.BEARER, feeds.atom),
    Route("/unsubscribe/<token>", "unsubscribe", BOTH, Who.BEARER, notices.unsubscribe, form=False),
)
