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
    orders,
    participants,
    pictures,
    questions,
    records,
    shapes,
    shapes_master,
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
        name: str,
        path: str,
        view: Answer,
        returns: type[Struct] | None,
        permission: Permission = USER,
        **more: Any,
    ) -> Operation:
        """Describe a GET."""
        return self._describe(name, "GET", path, view, returns, permission, **more)

    def image(self, name: str, path: str, view: Answer, permission: Permission, query: type[Struct]) -> Operation:
        """Describe a GET of a picture."""
        return self.read(name, path, view, None, permission, query=query, etag=True, media=PICTURE)

    def ask(
        self, name: str, path: str, view: Answer, returns: type[Struct], permission: Permission, **more: Any
    ) -> Operation:
        """Describe a POST that changes nothing."""
        return self._describe(name, "POST", path, view, returns, permission, **more)

    def act(
        self,
        name: str,
        path: str,
        view: Answer,
        permission: Permission = USER,
        returns: type[Struct] = shapes.ActionResult,
        extra_problems: tuple[str, ...] = ("refused",),
        **rest: Any,
    ) -> Operation:
        """Describe a POST that changes something; most can be refused."""
        return self.ask(name, path, view, returns, permission, writes=True, extra_problems=extra_problems, **rest)

    def _describe(
        self,
        name: str,
        method: str,
        path: str,
        view: Answer,
        returns: type[Struct] | None,
        permission: Permission,
        **more: Any,
    ) -> Operation:
        path = self.path + path
        return Operation(
            name, method, path, view, returns, permission, states=self.states, whole_account=self.whole_account, **more
        )


_GAME = "/games/<game>"
_anywhere, _account = _Group(), _Group(whole_account=True)
_table, _waiting, _begun, _running = (_Group(_GAME, states) for states in ((), WAITING, BEGUN, RUNNING))
_over = _Group(_GAME, (GameState.OVER,), whole_account=True)
_record = _Group("/records/<game>")

_MINE = (
    _anywhere.read("me", "/me", me.get_me, shapes.Me),
    _anywhere.read("games", "/games", me.list_games, shapes.Games),
    _anywhere.read("deadlines", "/deadlines", me.list_deadlines, shapes.Deadlines),
    _account.act("letters", "/letters", times.set_muted, body=shapes_tables.MuteAllRequest, extra_problems=()),
    _account.read("absences", "/absences", times.list_absences, shapes_tables.Absences),
    _account.act("announce", "/absences", times.add_absence, body=shapes_tables.AbsenceRequest),
    _account.act("call_off", "/absences/end", times.cancel_absence, body=shapes_tables.IdRequest),
)

_FINDING = (
    _anywhere.read("rules", "/rules", tables.list_game_types, shapes_tables.RulesList),
    _account.act("create", "/tables", tables.create_game, body=shapes_tables.NewTable),
    _account.read(
        "open_tables", "/tables/open", tables.list_open_tables, shapes_tables.OpenTables, query=shapes_records.PageQuery
    ),
    _account.act("sit_down", "/tables/open", tables.join_open_table, body=shapes_tables.JoinRequest),
    _account.act(
        "ask_no_more", "/tables/open/end", tables.withdraw_application, body=shapes_tables.AtTable, extra_problems=()
    ),
    _account.read(
        "vacancies", "/seats", tables.list_open_seats, shapes_tables.OpenSeats, query=shapes_records.PageQuery
    ),
    _account.act("take", "/seats", tables.take_seat, body=shapes_tables.TakeSeatRequest),
    _account.read(
        "watched_tables", "/watch", tables.list_followed, shapes_tables.FollowedGames, query=shapes_records.PageQuery
    ),
    _account.act("look_on", "/watch", tables.follow_game, body=shapes_tables.FollowRequest),
)

_WAITING = (
    _waiting.read("waiting", "/waiting", tables.get_lobby, shapes_tables.Lobby, Permission.TABLE),
    _table.act("accept", "/accept", tables.accept_invitation, Permission.INVITED, body=shapes_tables.AcceptRequest),
    _waiting.act("invite", "/invite", tables.send_invitations, Permission.HOST, body=shapes_tables.InvitationRequest),
    _waiting.act(
        "publish", "/open", tables.set_open, Permission.HOST, body=shapes_tables.PublishRequest, extra_problems=()
    ),
    _waiting.act("seat_bots", "/bots", tables.seat_bots, Permission.HOST, body=shapes_tables.BotsRequest),
    _waiting.act("make_link", "/link", tables.make_link, Permission.HOST, returns=shapes_tables.TableLink),
    _waiting.act("end_link", "/link/end", tables.revoke_link, Permission.HOST),
    _waiting.act("cancel", "/cancel", tables.cancel_game, Permission.HOST),
)

_TABLE = (
    _table.read("game", "", games.get_game, shapes.TableDetails, Permission.TABLE),
    _begun.read("public", "/public", games.get_public_view, shapes.BoardView, Permission.SEES, etag=True),
    _begun.read("view", "/view", games.get_own_view, shapes.BoardView, Permission.ANSWERS, etag=True),
    _begun.read("feed", "/feed", games.get_feed, shapes.Feed, Permission.SEES, etag=True),
    _begun.image("map", "/map", pictures.get_board, Permission.ANSWERS, shapes.BoardQuery),
    _begun.image("board", "/board", pictures.get_public_board, Permission.SEES, shapes.ArchivedBoardQuery),
    _begun.read("figures", "/figures", pictures.get_series, shapes_records.Series, Permission.SEES, etag=True),
    _begun.image("plot", "/plot", pictures.get_chart, Permission.SEES, shapes.ChartQuery),
    _begun.read("reports", "/reports", games.list_reports, shapes.Reports, Permission.ANSWERS),
    _begun.read("report", "/reports/<int:entry>", games.get_report, shapes.Report, Permission.ANSWERS, etag=True),
    _begun.read(
        "history",
        "/history",
        records.list_entries,
        shapes_records.History,
        Permission.ANSWERS,
        query=shapes_records.HistoryQuery,
    ),
    _begun.read("past", "/history/<int:entry>", records.get_past_entry, shapes_records.Record, Permission.ANSWERS),
)

_ORDERS = (
    _running.read(
        "decisions",
        "/decisions",
        questions.list_questions,
        shapes.Questions,
        Permission.ANSWERS,
        query=shapes.QuestionQuery,
    ),
    _running.read("help", "/help", questions.get_help, shapes.Help, Permission.ANSWERS),
    _running.ask(
        "preview", "/preview", orders.preview_orders, shapes.Receipt, Permission.ANSWERS, body=shapes.OrdersRequest
    ),
    _running.act(
        "submit",
        "/orders",
        orders.submit_orders,
        Permission.ANSWERS,
        body=shapes.OrdersRequest,
        returns=shapes.Receipt,
        extra_problems=(),
    ),
    _running.act(
        "withdraw",
        "/withdraw",
        orders.withdraw_orders,
        Permission.ANSWERS,
        body=shapes.EntryRequest,
        returns=shapes.Receipt,
        extra_problems=(),
    ),
    _running.act(
        "pace",
        "/pace",
        orders.set_pace,
        Permission.ANSWERS,
        body=shapes.PaceRequest,
        returns=shapes.Receipt,
        extra_problems=(),
    ),
    _running.ask(
        "ask_back", "/standing", orders.request_own_orders, shapes.OwnOrdersRequest, Permission.ANSWERS, status=202
    ),
    _running.ask(
        "read_back",
        "/standing/<number>",
        orders.get_own_orders,
        shapes.OwnOrders,
        Permission.ANSWERS,
        body=shapes.OwnOrdersQuery,
    ),
)

_COMPANY = (
    _begun.read(
        "talk",
        "/talk",
        talk.get_conversation,
        shapes_talk.Conversation,
        Permission.SEES,
        query=shapes_talk.MessageQuery,
    ),
    _running.act(
        "say",
        "/talk",
        talk.send_message,
        Permission.SEES,
        body=shapes_talk.MessageRequest,
        returns=shapes_talk.MessageResult,
        extra_problems=("cannot_say",),
    ),
    _running.act(
        "note",
        "/diary",
        talk.write_diary,
        Permission.SEES,
        body=shapes_talk.DiaryRequest,
        returns=shapes_talk.MessageResult,
        extra_problems=("cannot_say",),
    ),
    _begun.act("hear", "/hear", talk.set_mute, Permission.SEES, body=shapes_talk.MuteRequest, extra_problems=()),
    _table.read("spectators", "/watchers", tables.list_spectators, shapes_tables.Spectators, Permission.SEES),
    _running.act(
        "let_look", "/watchers", tables.invite_spectator, Permission.MASTERS, body=shapes_tables.SpectatorInvitation
    ),
    _running.read("deputies", "/deputies", participants.list_deputies, shapes_tables.Deputies, Permission.SEAT),
    _running.act(
        "name_deputy", "/deputies", participants.invite_deputy, Permission.SEAT, body=shapes_tables.DeputyInvitation
    ),
    _running.act(
        "end_deputy", "/deputies/end", participants.cancel_deputy, Permission.SEAT, body=shapes_tables.IdRequest
    ),
    _begun.read("time", "/time", times.get_deadlines, shapes_tables.GameDeadlines, Permission.SEAT),
    _running.act(
        "wish",
        "/time",
        times.request_pause,
        Permission.SEAT,
        body=shapes_tables.PauseRequest,
        returns=shapes_tables.PauseResult,
    ),
    _running.act("leave", "/leave", tables.offer_seat, Permission.SEAT, body=shapes_tables.Confirmation),
    _running.act("give_back", "/give-back", tables.return_seat, Permission.SEAT, body=shapes_tables.Confirmation),
)

_MASTERS = (
    _table.read(
        "master_page",
        "/master",
        master.get_master_page,
        shapes_master.MasterPage,
        Permission.SEES,
        query=shapes_records.HistoryQuery,
    ),
    _table.ask(
        "master_preview",
        "/master/preview",
        master.try_commands,
        shapes_master.MasterResult,
        Permission.SEES,
        masters=True,
        body=shapes_master.MasterPreviewRequest,
    ),
    _table.act(
        "master",
        "/master",
        master.run_commands,
        Permission.SEES,
        body=shapes_master.MasterRequest,
        returns=shapes_master.MasterResult,
        extra_problems=(),
        masters=True,
    ),
)

_PAST = (
    _anywhere.read(
        "records", "/records", records.list_archive, shapes_records.Records, query=shapes_records.ArchiveQuery
    ),
    _record.read("record", "", records.get_last, shapes_records.Record, Permission.RECORD),
    _record.read("then", "/<viewer>/<int:entry>", records.get_archived_entry, shapes_records.Record, Permission.RECORD),
    _record.image(
        "recorded_board",
        "/<viewer>/<int:entry>/board",
        pictures.get_archived_board,
        Permission.RECORD,
        shapes.ArchivedBoardQuery,
    ),
    _record.read(
        "recorded_talk",
        "/talk",
        talk.get_archived_talk,
        shapes_records.RecordTalk,
        Permission.RECORD,
        query=shapes_records.PageQuery,
    ),
    _record.read("file", "/file", records.get_file, None, Permission.RECORD),
    _over.act("rematch", "/rematch", tables.create_rematch, Permission.SEAT),
    _account.read("all_figures", "/figures", records.get_statistics, shapes_records.Figures),
)

OPERATIONS: tuple[Operation, ...] = (*_MINE, *_FINDING, *_WAITING, *_TABLE, *_ORDERS, *_COMPANY, *_MASTERS, *_PAST)
