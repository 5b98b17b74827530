"""One example of what goes in and out, for the documentation: of the same types as the real answers."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from engine.kernel.languages import DEFAULT
from pbem.web.api import shapes, shapes_master, shapes_moves, shapes_records, shapes_tables, shapes_talk

_GAME, _DUE = "bcdfghjkmnpq", datetime(2026, 11, 27, 19, 0, tzinfo=UTC)
PATH_EXAMPLES: Mapping[str, str] = {
    "game": _GAME,
    "table": _GAME,
    "entry": "1",
    "viewer": "public",
    "number": "0123456789abcdef" * 2,
    "absence": "1",
    "deputy": "1",
}
"""What fills the parts of a path."""

_DUTY = shapes.DueQuestion("bid", "Bids", _DUE, False)
_SLOT = shapes.Slot("coins", "coins", "number", False, False, None, 0, 9, None, [3])
_FORM = shapes.Form("BID", "BID <coins>", "Bid so many coins in secret.", "BID 3", False, [_SLOT])
_TAKEN = shapes.SetResult("Bids", True, True, False, False, "", "10583801e580", "",
                        [shapes.LineResult(1, "bid 3", "BID 3", "", "", [])])  # fmt: skip

EXAMPLES: Mapping[type[Any], Any] = {
    shapes.Me: shapes.Me("Ann", "ann@example.org", DEFAULT, "Europe/Paris", False,
                         shapes.TokenInfo("my bot", "play", datetime(2027, 2, 18, tzinfo=UTC), None, None)),
    shapes.Games: shapes.Games([shapes.GameCard(_GAME, "toy", "Toy", "Rose", "running", [_DUTY], 0)], []),
    shapes.Deadlines: shapes.Deadlines(
        [shapes.Deadline(_GAME, "Rose", "bid", "Bids", _DUE, datetime(2026, 11, 20, 19, 0, tzinfo=UTC), False)]
    ),
    shapes.Questions: shapes.Questions(
        _GAME, 1, "s1",
        [shapes.Question("s0", "open", "bid", "Bids", "A secret bid.", "FOR TURN 1 BIDS", True, False, ["BID 3"],
                         [_FORM], "Bid in secret.", "Without an answer your bid is 0.", "", _DUE, False)],
        {}, [],
    ),
    shapes_moves.MovesRequest: shapes_moves.MovesRequest("s0", form=0),
    shapes_moves.Moves: shapes_moves.Moves(
        _GAME, 1, "s0", [shapes_moves.FormMoves(0, "BID", "", "", shapes_moves.SlotMoves("coins", [0, 1, 2], [2], [],
        "something is missing.", 1, None))], "BID 0"),
    shapes.OrdersRequest: shapes.OrdersRequest(1, ["FOR TURN 1 BIDS", "BID 3"]),
    shapes.EntryRequest: shapes.EntryRequest(1),
    shapes.PaceRequest: shapes.PaceRequest(1, "wait"),
    shapes.OwnOrdersQuery: shapes.OwnOrdersQuery("the key that came with the request"),
    shapes_talk.MessageRequest: shapes_talk.MessageRequest(["all"], "Good luck to all of you."),
    shapes_talk.DiaryRequest: shapes_talk.DiaryRequest("Never trust a banker."),
    shapes_talk.MuteRequest: shapes_talk.MuteRequest("s2", True),
    shapes.ActionResult: shapes.ActionResult("done", _GAME),
    shapes_tables.MuteAllRequest: shapes_tables.MuteAllRequest(True),
    shapes_tables.AbsenceRequest: shapes_tables.AbsenceRequest(date(2026, 12, 24), date(2027, 1, 2)),
    shapes_tables.NewTable: shapes_tables.NewTable(
        "toy", "Rose", 2, {"pace": "sealed"}, shapes_tables.DeadlineSettings(48)
    ),
    shapes_tables.JoinRequest: shapes_tables.JoinRequest(_GAME, "a word of mine"),
    shapes_tables.TakeSeatRequest: shapes_tables.TakeSeatRequest(_GAME, "s2"),
    shapes_tables.FollowRequest: shapes_tables.FollowRequest(_GAME, True),
    shapes_tables.AcceptRequest: shapes_tables.AcceptRequest("a word of mine"),
    shapes_tables.InvitationRequest: shapes_tables.InvitationRequest(["ann@example.org"]),
    shapes_tables.PublishRequest: shapes_tables.PublishRequest(True),
    shapes_tables.BotsRequest: shapes_tables.BotsRequest(1, "hour"),
    shapes_tables.SpectatorInvitation: shapes_tables.SpectatorInvitation("otto@example.org"),
    shapes_tables.DeputyInvitation: shapes_tables.DeputyInvitation("zoe@example.org", 1),
    shapes_tables.PauseRequest: shapes_tables.PauseRequest("pause"),
    shapes_tables.Confirmation: shapes_tables.Confirmation("yes"),
    shapes_tables.Absences: shapes_tables.Absences([shapes_tables.Absence(1, _DUE, datetime(2026, 12, 1, tzinfo=UTC))]),
    shapes_master.MasterPreviewRequest: shapes_master.MasterPreviewRequest(["EXTEND 2 days"]),
    shapes_master.MasterRequest: shapes_master.MasterRequest(["PROCESS BID 1"], "3HWK5N"),
    shapes_master.MasterResult: shapes_master.MasterResult(
        _GAME, "read", [shapes_master.CommandResult(1, "process bid 1", "PROCESS BID 1", "done",
                                              ["BID 1 is closed now, with the default for Romain."], "")]),
    shapes_records.History: shapes_records.History(_GAME, 12, [12, 9, 4, 1], 0),
    shapes_records.Series: shapes_records.Series(_GAME, 12, [1, 2], [
        shapes_records.Figure("coins", "Coins", [shapes_records.Count("s1", "Ann", [3, 5])])]),
    shapes.Receipt: shapes.Receipt(_GAME, 1, "taken", [_TAKEN], awaited=["s2"],
                                   questions=[shapes.DueQuestion("bid", "Bids", _DUE, True)]),
}  # fmt: skip
