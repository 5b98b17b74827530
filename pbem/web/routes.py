"""Every address there is: its methods and for whom it is.  What is not here does not exist.

A database refuses some signs, and numbers that are too large for it: an address with them leads nowhere.
"""

from werkzeug.routing import BaseConverter, IntegerConverter

from pbem.service.access.permissions import Permission
from pbem.web import (
    auth,
    boards,
    channels,
    ending,
    feeds,
    forming,
    health,
    landing,
    maps,
    master,
    notices,
    operator,
    participants,
    play,
    plots,
    privacy,
    programs,
    records,
    tables,
    talk,
    times,
)
from pbem.web.access import Route
from pbem.web.api import docs

READ, SEND, BOTH = ("GET",), ("POST",), ("GET", "POST")


class NameConverter(BaseConverter):
    """A name: ASCII that can be printed, and not longer than any that is given here."""

    regex = "[ -.0-~]{1,128}"


class NumberConverter(IntegerConverter):
    """A number that any database can hold."""

    regex = "[0-9]{1,9}"


ROUTES: tuple[Route, ...] = (
    Route("/", "home", READ, Permission.ANYBODY, tables.home),
    Route("/healthz", "alive", READ, Permission.ANYBODY, health.alive),
    Route("/readyz", "ready", READ, Permission.ANYBODY, health.ready),
    Route("/practice", "practice", SEND, Permission.ANYBODY, landing.start_practice, is_rate_limited=True),
    Route("/game-types/<title>.svg", "sample", READ, Permission.ANYBODY, landing.sample_board),
    Route("/sign-in", "sign_in", BOTH, Permission.ANYBODY, auth.sign_in, is_rate_limited=True),
    Route("/sign-in/<token>", "enter", BOTH, Permission.BEARER, auth.complete_sign_in),
    Route("/sign-out", "sign_out", SEND, Permission.USER, auth.sign_out, guests=True),
    Route("/keys", "signing_keys", READ, Permission.ANYBODY, auth.show_signing_keys),
    Route("/language", "language", SEND, Permission.ANYBODY, auth.change_language),
    Route("/settings", "settings", BOTH, Permission.USER, auth.edit_settings),
    Route("/settings/privacy", "kept", READ, Permission.USER, privacy.data_policy),
    Route("/settings/address", "address", BOTH, Permission.USER, privacy.change_address, is_rate_limited=True),
    Route("/settings/account-deletion", "forget", BOTH, Permission.USER, privacy.request_deletion, is_rate_limited=True),
    Route("/address-change/<token>", "move", BOTH, Permission.BEARER, privacy.confirm_address),
    Route("/account-deletion/<token>", "forgotten", BOTH, Permission.BEARER, privacy.delete_account),
    Route("/settings/privacy.json", "kept_file", READ, Permission.USER, privacy.download_data),
    Route("/operator", "operator", BOTH, Permission.OPERATOR, operator.operator_page),
    Route("/settings/discord", "account", BOTH, Permission.USER, channels.discord_account),
    Route("/settings/programs", "programs", BOTH, Permission.USER, programs.api_tokens),
    Route("/api/docs", "api_docs", READ, Permission.ANYBODY, docs.read_page),
    Route("/api/openapi.json", "api_document", READ, Permission.ANYBODY, docs.serve_document),
    Route("/tables/new", "new", BOTH, Permission.USER, tables.new_game),
    Route("/tables/open", "open_tables", BOTH, Permission.USER, tables.open_tables_page),
    Route("/join/<token>", "join", BOTH, Permission.BEARER, tables.join_by_invitation),
    Route("/games/<game>", "seat", READ, Permission.TABLE, play.seat_page, guests=True),
    Route("/games/<game>/invite", "invite", SEND, Permission.HOST, tables.send_invitations),
    Route("/games/<game>/open", "publish", SEND, Permission.HOST, tables.set_open),
    Route("/games/<game>/lobby", "form_table", SEND, Permission.HOST, forming.edit_lobby),
    Route("/join-link/<token>", "table_link", BOTH, Permission.BEARER, forming.join_by_link, is_rate_limited=True),
    Route("/games/<game>/accept", "accept", SEND, Permission.INVITED, tables.accept_invitation),
    Route("/games/<game>/orders", "orders", BOTH, Permission.ANSWERS, play.send_orders, guests=True),
    Route("/games/<game>/preview", "check", SEND, Permission.ANSWERS, play.preview, guests=True),
    Route("/games/<game>/status", "pulse", READ, Permission.ANSWERS, play.game_status, guests=True),
    Route("/games/<game>/own-orders", "read", BOTH, Permission.ANSWERS, play.own_orders, guests=True),
    Route("/games/<game>/help", "explain", READ, Permission.ANSWERS, play.help_page, guests=True),
    Route("/games/<game>/table", "table", READ, Permission.SEES, play.table_page, guests=True),
    Route("/games/<game>/reports/<int:entry>", "report", READ, Permission.ANSWERS, play.report_page, guests=True),
    Route("/games/<game>/map.svg", "map", READ, Permission.ANSWERS, maps.seat_map, guests=True),
    Route("/games/<game>/board.svg", "board", READ, Permission.SEES, boards.public_board, guests=True),
    Route("/games/<game>/charts", "plots", READ, Permission.SEES, plots.charts_page, guests=True),
    Route("/games/<game>/chart.svg", "plot", READ, Permission.SEES, plots.chart_image, guests=True),
    Route("/games/<game>/history", "lookup", READ, Permission.ANSWERS, play.go_to_entry, guests=True),
    Route("/games/<game>/history/<int:entry>", "past", READ, Permission.ANSWERS, play.entry_page, guests=True),
    Route("/games/<game>/master", "master", BOTH, Permission.SEES, master.master_acts),
    Route("/games/<game>/mute", "mute", BOTH, Permission.SEAT, notices.mute_game),
    Route("/games/<game>/resign", "leave", BOTH, Permission.SEAT, notices.resign),
    Route("/games/<game>/talk", "talk", BOTH, Permission.SEES, talk.conversation),
    Route("/games/<game>/deputy", "deputies", BOTH, Permission.SEAT, participants.own_deputies),
    Route("/deputy/<token>", "deputy", BOTH, Permission.BEARER, participants.answer_deputy_request),
    Route("/seat/<token>", "offer", BOTH, Permission.BEARER, participants.answer_seat_offer),
    Route("/spectating", "watch", BOTH, Permission.USER, participants.followed_games),
    Route("/games/<game>/spectators", "watchers", BOTH, Permission.MASTERS, participants.spectators_page),
    Route("/records/<game>/talk", "record_talk", READ, Permission.RECORD, talk.archived_talk),
    Route("/records", "records", READ, Permission.USER, records.list_archive),
    Route("/records/figures", "figures", READ, Permission.USER, records.statistics_page),
    Route("/records/figures.txt", "plain_figures", READ, Permission.USER, records.plain_statistics),
    Route("/records/<game>/at/<int:entry>", "at", READ, Permission.RECORD, records.entry_page, guests=True),
    Route("/records/<game>", "record", READ, Permission.RECORD, records.last_entry, guests=True),
    Route("/records/<game>/file", "file", READ, Permission.RECORD, records.download_file, guests=True),
    Route("/records/<game>/<viewer>/<int:entry>", "then", READ, Permission.RECORD, records.archived_view, guests=True),
    Route(
        "/records/<game>/<viewer>/<int:entry>/map.svg",
        "record_map",
        READ,
        Permission.RECORD,
        boards.archived_board,
        guests=True,
    ),
    Route("/games/<game>/end", "end", READ, Permission.RECORD, ending.game_over, guests=True),
    Route("/games/<game>/rematch", "rematch", SEND, Permission.SEAT, ending.create_rematch),
    Route("/games/<game>/deadlines", "timetable", BOTH, Permission.SEAT, times.deadlines),
    Route("/games/<game>/channels", "channels", BOTH, Permission.HOST, channels.edit_webhooks),
    Route("/absences", "time", BOTH, Permission.USER, times.absences_page),
    Route("/seats/open", "open_seats", BOTH, Permission.USER, times.open_seats),
    Route("/calendar/<token>.ics", "calendar", READ, Permission.BEARER, feeds.calendar_feed),
    Route("/feed/<token>.atom", "feed", READ, Permission.BEARER, feeds.news_feed),
    Route("/spectator/<token>", "spectator", BOTH, Permission.BEARER, participants.unfollow_by_link, form=False),
    Route("/invitations/<token>", "invitations", BOTH, Permission.BEARER, notices.edit_invitations, form=False),
    Route("/unsubscribe/<token>/<table>", "unsubscribe", BOTH, Permission.BEARER, notices.unsubscribe, form=False),
)
