"""Every address there is: its methods and for whom it is.  What is not here does not exist.

A database refuses some signs, and numbers that are too large for it: an address with them leads nowhere.
"""

from werkzeug.routing import BaseConverter, IntegerConverter

from pbem.service.access.permissions import Permission
from pbem.web import (
    auth,
    boards,
    channels,
    charts,
    feeds,
    game_over,
    health,
    landing,
    lobby,
    mail_preferences,
    maps,
    master,
    operator,
    participants,
    play,
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
    Route("/", READ, Permission.ANYBODY, tables.home),
    Route("/healthz", READ, Permission.ANYBODY, health.alive),
    Route("/readyz", READ, Permission.ANYBODY, health.ready),
    Route("/practice", SEND, Permission.ANYBODY, landing.start_practice, is_rate_limited=True),
    Route("/game-types/<title>.svg", READ, Permission.ANYBODY, landing.sample_board),
    Route("/game-types/<title>/cover.svg", READ, Permission.ANYBODY, landing.game_cover),
    Route("/watch", READ, Permission.ANYBODY, landing.watch),
    Route("/watch/board.svg", READ, Permission.ANYBODY, landing.watched_board),
    Route("/sign-in", BOTH, Permission.ANYBODY, auth.sign_in, is_rate_limited=True),
    Route("/sign-in/<token>", BOTH, Permission.BEARER, auth.complete_sign_in),
    Route("/sign-out", SEND, Permission.USER, auth.sign_out, guests=True),
    Route("/keys", READ, Permission.ANYBODY, auth.show_signing_keys),
    Route("/language", SEND, Permission.ANYBODY, auth.change_language),
    Route("/settings", BOTH, Permission.USER, auth.edit_settings),
    Route("/settings/privacy", READ, Permission.USER, privacy.data_policy),
    Route("/settings/address", BOTH, Permission.USER, privacy.change_address, is_rate_limited=True),
    Route("/settings/account-deletion", BOTH, Permission.USER, privacy.request_deletion, is_rate_limited=True),
    Route("/address-change/<token>", BOTH, Permission.BEARER, privacy.confirm_address),
    Route("/account-deletion/<token>", BOTH, Permission.BEARER, privacy.delete_account),
    Route("/settings/privacy.json", READ, Permission.USER, privacy.download_data),
    Route("/operator", BOTH, Permission.OPERATOR, operator.operator_page),
    Route("/settings/discord", BOTH, Permission.USER, channels.discord_account),
    Route("/settings/programs", BOTH, Permission.USER, programs.api_tokens),
    Route("/api/docs", READ, Permission.ANYBODY, docs.api_docs),
    Route("/api/openapi.json", READ, Permission.ANYBODY, docs.api_document),
    Route("/tables/new", BOTH, Permission.USER, tables.new_game),
    Route("/tables/open", BOTH, Permission.USER, tables.open_tables_page),
    Route("/join/<token>", BOTH, Permission.BEARER, tables.join_by_invitation),
    Route("/games/<game>", READ, Permission.TABLE, play.seat_page, guests=True),
    Route("/games/<game>/invite", SEND, Permission.HOST, tables.send_invitations),
    Route("/games/<game>/open", SEND, Permission.HOST, tables.set_open),
    Route("/games/<game>/lobby", SEND, Permission.HOST, lobby.edit_lobby),
    Route("/join-link/<token>", BOTH, Permission.BEARER, lobby.join_by_link, is_rate_limited=True),
    Route("/games/<game>/accept", SEND, Permission.INVITED, tables.accept_invitation),
    Route("/games/<game>/orders", BOTH, Permission.ANSWERS, play.send_orders, guests=True),
    Route("/games/<game>/preview", SEND, Permission.ANSWERS, play.preview, guests=True),
    Route("/games/<game>/status", READ, Permission.ANSWERS, play.game_status, guests=True),
    Route("/games/<game>/own-orders", BOTH, Permission.ANSWERS, play.own_orders, guests=True),
    Route("/games/<game>/help", READ, Permission.ANSWERS, play.help_page, guests=True),
    Route("/games/<game>/table", READ, Permission.SEES, play.table_page, guests=True),
    Route("/games/<game>/reports/<int:entry>", READ, Permission.ANSWERS, play.report_page, guests=True),
    Route("/games/<game>/map.svg", READ, Permission.ANSWERS, maps.seat_map, guests=True),
    Route("/games/<game>/board.svg", READ, Permission.SEES, boards.public_board, guests=True),
    Route("/games/<game>/charts", READ, Permission.SEES, charts.charts_page, guests=True),
    Route("/games/<game>/chart.svg", READ, Permission.SEES, charts.chart_image, guests=True),
    Route("/games/<game>/history", READ, Permission.ANSWERS, play.go_to_entry, guests=True),
    Route("/games/<game>/history/<int:entry>", READ, Permission.ANSWERS, play.entry_page, guests=True),
    Route("/games/<game>/master", BOTH, Permission.SEES, master.master_acts),
    Route("/games/<game>/mute", BOTH, Permission.SEAT, mail_preferences.mute_game),
    Route("/games/<game>/resign", BOTH, Permission.SEAT, mail_preferences.resign),
    Route("/games/<game>/talk", BOTH, Permission.SEES, talk.conversation),
    Route("/games/<game>/deputy", BOTH, Permission.SEAT, participants.own_deputies),
    Route("/deputy/<token>", BOTH, Permission.BEARER, participants.answer_deputy_request),
    Route("/seat/<token>", BOTH, Permission.BEARER, participants.answer_seat_offer),
    Route("/spectating", BOTH, Permission.USER, participants.followed_games),
    Route("/games/<game>/spectators", BOTH, Permission.MASTERS, participants.spectators_page),
    Route("/records/<game>/talk", READ, Permission.RECORD, talk.archived_talk),
    Route("/records", READ, Permission.USER, records.list_archive),
    Route("/records/figures", READ, Permission.USER, records.statistics_page),
    Route("/records/figures.txt", READ, Permission.USER, records.plain_statistics),
    Route("/records/<game>/at/<int:entry>", READ, Permission.RECORD, records.archived_entry, guests=True),
    Route("/records/<game>", READ, Permission.RECORD, records.last_archived_entry, guests=True),
    Route("/records/<game>/file", READ, Permission.RECORD, records.download_file, guests=True),
    Route("/records/<game>/<viewer>/<int:entry>", READ, Permission.RECORD, records.archived_view, guests=True),
    Route(
        "/records/<game>/<viewer>/<int:entry>/map.svg",
        READ,
        Permission.RECORD,
        boards.archived_board,
        guests=True,
    ),
    Route("/games/<game>/end", READ, Permission.RECORD, game_over.game_over, guests=True),
    Route("/games/<game>/rematch", SEND, Permission.SEAT, game_over.create_rematch),
    Route("/games/<game>/deadlines", BOTH, Permission.SEAT, times.deadlines),
    Route("/games/<game>/channels", BOTH, Permission.HOST, channels.edit_webhooks),
    Route("/absences", BOTH, Permission.USER, times.absences_page),
    Route("/seats/open", BOTH, Permission.USER, times.open_seats),
    Route("/calendar/<token>.ics", READ, Permission.BEARER, feeds.calendar_feed),
    Route("/feed/<token>.atom", READ, Permission.BEARER, feeds.news_feed),
    Route("/spectator/<token>", BOTH, Permission.BEARER, participants.unfollow_by_link, form=False),
    Route("/invitations/<token>", BOTH, Permission.BEARER, mail_preferences.edit_invitations, form=False),
    Route("/unsubscribe/<token>/<table>", BOTH, Permission.BEARER, mail_preferences.unsubscribe, form=False),
)
