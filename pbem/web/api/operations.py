"""Every operation there is, in the order in which the documentation lists them.  What is not here does not exist."""

from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from pbem.common.states import BEGUN, WAITING, GameState
from pbem.service.access.permissions import Permission
from pbem.web.api import (
    games,
    master,
    me,
    moves,
    orders,
    participants,
    pictures,
    questions,
    records,
    shapes,
    shapes_master,
    shapes_moves,
    shapes_records,
    shapes_tables,
    shapes_talk,
    tables,
    talk,
    times,
)
from pbem.web.api.guard import PICTURE, RUNNING, Answer, Operation

USER = Permission.USER


@dataclass(frozen=True)
class _Group:
    """Operations below one path, in the same states of its table; `whole_account`: not for a token of one seat."""

    path: str = ""
    states: tuple[str, ...] = ()
    whole_account: bool = False

    def read(
        self,
        path: str,
        view: Answer,
        returns: type[Struct] | None,
        permission: Permission = USER,
        **more: Any,
    ) -> Operation:
        """Describe a GET."""
        return self._describe("GET", path, view, returns, permission, **more)

    def image(self, path: str, view: Answer, permission: Permission, query: type[Struct]) -> Operation:
        """Describe a GET of a picture."""
        return self.read(path, view, None, permission, query=query, etag=True, media=PICTURE)

    def ask(self, path: str, view: Answer, returns: type[Struct], permission: Permission, **more: Any) -> Operation:
        """Describe a POST that changes nothing."""
        return self._describe("POST", path, view, returns, permission, **more)

    def act(
        self,
        path: str,
        view: Answer,
        permission: Permission = USER,
        returns: type[Struct] = shapes.ActionResult,
        extra_problems: tuple[str, ...] = ("refused",),
        **rest: Any,
    ) -> Operation:
        """Describe a POST that changes something; most can be refused."""
        return self.ask(path, view, returns, permission, writes=True, extra_problems=extra_problems, **rest)

    def delete(
        self,
        path: str,
        view: Answer,
        permission: Permission = USER,
        extra_problems: tuple[str, ...] = ("refused",),
    ) -> Operation:
        """Describe a DELETE."""
        return self._describe(
            "DELETE", path, view, shapes.ActionResult, permission, writes=True, extra_problems=extra_problems
        )

    def _describe(
        self,
        method: str,
        path: str,
        view: Answer,
        returns: type[Struct] | None,
        permission: Permission,
        **more: Any,
    ) -> Operation:
        path = self.path + path
        return Operation(
            method, path, view, returns, permission, states=self.states, whole_account=self.whole_account, **more
        )


_GAME = "/games/<game>"
_anywhere, _account = _Group(), _Group(whole_account=True)
_table, _waiting, _begun, _running = (_Group(_GAME, states) for states in ((), WAITING, BEGUN, RUNNING))
_over = _Group(_GAME, (GameState.OVER,), whole_account=True)
_record = _Group("/records/<game>")

_MINE = (
    _anywhere.read("/me", me.get_me, shapes.Me),
    _anywhere.read("/games", me.list_games, shapes.Games),
    _anywhere.read("/deadlines", me.list_deadlines, shapes.Deadlines),
    _account.act("/mail-preferences", times.set_mail_preferences, body=shapes_tables.MuteAllRequest, extra_problems=()),
    _account.read("/absences", times.list_absences, shapes_tables.Absences),
    _account.act("/absences", times.create_absence, body=shapes_tables.AbsenceRequest),
    _account.delete("/absences/<int:absence>", times.delete_absence),
)

_FINDING = (
    _anywhere.read("/game-types", tables.list_game_types, shapes_tables.RulesList),
    _account.act("/tables", tables.create_game, body=shapes_tables.NewTable),
    _account.read("/tables/open", tables.list_open_tables, shapes_tables.OpenTables, query=shapes_records.PageQuery),
    _account.act("/tables/open", tables.join_open_table, body=shapes_tables.JoinRequest),
    _account.delete("/applications/<table>", tables.withdraw_application, extra_problems=()),
    _account.read("/seats/open", tables.list_open_seats, shapes_tables.OpenSeats, query=shapes_records.PageQuery),
    _account.act("/seats/open", tables.take_seat, body=shapes_tables.TakeSeatRequest),
    _account.read(
        "/spectating", tables.list_followed_games, shapes_tables.FollowedGames, query=shapes_records.PageQuery
    ),
    _account.act("/spectating", tables.follow_game, body=shapes_tables.FollowRequest),
)

_WAITING = (
    _waiting.read("/lobby", tables.get_lobby, shapes_tables.Lobby, Permission.TABLE),
    _table.act("/accept", tables.accept_invitation, Permission.INVITED, body=shapes_tables.AcceptRequest),
    _waiting.act("/invite", tables.send_invitations, Permission.HOST, body=shapes_tables.InvitationRequest),
    _waiting.act("/open", tables.set_open, Permission.HOST, body=shapes_tables.PublishRequest, extra_problems=()),
    _waiting.act("/bots", tables.seat_bots, Permission.HOST, body=shapes_tables.BotsRequest),
    _waiting.act("/link", tables.create_link, Permission.HOST, returns=shapes_tables.TableLink),
    _waiting.delete("/link", tables.revoke_link, Permission.HOST),
    _waiting.act("/cancel", tables.cancel_game, Permission.HOST),
)

_TABLE = (
    _table.read("", games.get_game, shapes.TableDetails, Permission.TABLE),
    _begun.read("/public", games.get_public_view, shapes.BoardView, Permission.SEES, etag=True),
    _begun.read("/view", games.get_own_view, shapes.BoardView, Permission.ANSWERS, etag=True),
    _begun.read("/feed", games.get_feed, shapes.Feed, Permission.SEES, etag=True),
    _begun.image("/map", pictures.get_own_board, Permission.ANSWERS, shapes.BoardQuery),
    _begun.image("/board", pictures.get_public_board, Permission.SEES, shapes.ArchivedBoardQuery),
    _begun.read("/figures", pictures.get_series, shapes_records.Series, Permission.SEES, etag=True),
    _begun.image("/chart", pictures.get_chart, Permission.SEES, shapes.ChartQuery),
    _begun.read("/reports", games.list_reports, shapes.Reports, Permission.ANSWERS),
    _begun.read("/reports/<int:entry>", games.get_report, shapes.Report, Permission.ANSWERS, etag=True),
    _begun.read(
        "/history",
        records.list_entries,
        shapes_records.History,
        Permission.ANSWERS,
        query=shapes_records.HistoryQuery,
    ),
    _begun.read("/history/<int:entry>", records.get_past_entry, shapes_records.Record, Permission.ANSWERS),
)

_ORDERS = (
    _running.read(
        "/questions",
        questions.list_questions,
        shapes.Questions,
        Permission.ANSWERS,
        query=shapes.QuestionQuery,
    ),
    _running.ask("/moves", moves.list_moves, shapes_moves.Moves, Permission.ANSWERS, body=shapes_moves.MovesRequest),
    _running.read("/help", questions.get_help, shapes.Help, Permission.ANSWERS),
    _running.ask("/preview", orders.preview_orders, shapes.Receipt, Permission.ANSWERS, body=shapes.OrdersRequest),
    _running.act(
        "/orders",
        orders.submit_orders,
        Permission.ANSWERS,
        body=shapes.OrdersRequest,
        returns=shapes.Receipt,
        extra_problems=(),
    ),
    _running.act(
        "/withdraw",
        orders.withdraw_orders,
        Permission.ANSWERS,
        body=shapes.EntryRequest,
        returns=shapes.Receipt,
        extra_problems=(),
    ),
    _running.act(
        "/pace",
        orders.set_pace,
        Permission.ANSWERS,
        body=shapes.PaceRequest,
        returns=shapes.Receipt,
        extra_problems=(),
    ),
    _running.ask(
        "/own-orders",
        orders.request_own_orders,
        shapes.OwnOrdersRequest,
        Permission.ANSWERS,
        status=202,
        opens_sealed=True,
    ),
    _running.ask(
        "/own-orders/<number>",
        orders.get_own_orders,
        shapes.OwnOrders,
        Permission.ANSWERS,
        body=shapes.OwnOrdersQuery,
        opens_sealed=True,
    ),
)

_COMPANY = (
    _begun.read(
        "/talk",
        talk.get_conversation,
        shapes_talk.Conversation,
        Permission.SEES,
        query=shapes_talk.MessageQuery,
    ),
    _running.act(
        "/talk",
        talk.send_message,
        Permission.SEES,
        body=shapes_talk.MessageRequest,
        returns=shapes_talk.MessageResult,
        extra_problems=("cannot_say",),
    ),
    _running.act(
        "/diary",
        talk.write_diary,
        Permission.SEES,
        body=shapes_talk.DiaryRequest,
        returns=shapes_talk.MessageResult,
        extra_problems=("cannot_say",),
    ),
    _begun.act("/mutes", talk.set_mute, Permission.SEES, body=shapes_talk.MuteRequest, extra_problems=()),
    _table.read("/spectators", tables.list_spectators, shapes_tables.Spectators, Permission.SEES),
    _running.act("/spectators", tables.invite_spectator, Permission.MASTERS, body=shapes_tables.SpectatorInvitation),
    _running.read("/deputies", participants.list_deputies, shapes_tables.Deputies, Permission.SEAT),
    _running.act("/deputies", participants.invite_deputy, Permission.SEAT, body=shapes_tables.DeputyInvitation),
    _running.delete("/deputies/<int:deputy>", participants.cancel_deputy, Permission.SEAT),
    _begun.read("/deadlines", times.get_deadlines, shapes_tables.GameDeadlines, Permission.SEAT),
    _running.act(
        "/pause",
        times.request_pause,
        Permission.SEAT,
        body=shapes_tables.PauseRequest,
        returns=shapes_tables.PauseResult,
    ),
    _running.act("/resign", tables.resign_seat, Permission.SEAT, body=shapes_tables.Confirmation),
    _running.act("/give-back", tables.return_seat, Permission.SEAT, body=shapes_tables.Confirmation),
)

_MASTERS = (
    _table.read(
        "/master",
        master.get_master_page,
        shapes_master.MasterPage,
        Permission.SEES,
        query=shapes_records.HistoryQuery,
    ),
    _table.ask(
        "/master/preview",
        master.preview_commands,
        shapes_master.MasterResult,
        Permission.SEES,
        masters=True,
        body=shapes_master.MasterPreviewRequest,
    ),
    _table.act(
        "/master",
        master.execute_commands,
        Permission.SEES,
        body=shapes_master.MasterRequest,
        returns=shapes_master.MasterResult,
        extra_problems=(),
        masters=True,
    ),
)

_PAST = (
    _anywhere.read("/records", records.list_archive, shapes_records.Records, query=shapes_records.ArchiveQuery),
    _record.read("", records.get_archived_game, shapes_records.Record, Permission.RECORD),
    _record.read("/<viewer>/<int:entry>", records.get_archived_entry, shapes_records.Record, Permission.RECORD),
    _record.image(
        "/<viewer>/<int:entry>/board",
        pictures.get_archived_board,
        Permission.RECORD,
        shapes.ArchivedBoardQuery,
    ),
    _record.read(
        "/talk",
        talk.get_archived_talk,
        shapes_records.RecordTalk,
        Permission.RECORD,
        query=shapes_records.PageQuery,
    ),
    _record.read("/file", records.get_game_file, None, Permission.RECORD),
    _over.act("/rematch", tables.create_rematch, Permission.SEAT),
    _account.read("/statistics", records.get_statistics, shapes_records.Figures),
)

OPERATIONS: tuple[Operation, ...] = (*_MINE, *_FINDING, *_WAITING, *_TABLE, *_ORDERS, *_COMPANY, *_MASTERS, *_PAST)
