"""One example of what goes in and out, for the documentation: of the same types as the real answers."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from engine.kernel.languages import DEFAULT
from pbem.web.api import shapes, shapes_master, shapes_records, shapes_tables, shapes_talk

_GAME, _DUE = "bcdfghjkmnpq", datetime(2026, 11, 27, 19, 0, tzinfo=UTC)
_DUTY = shapes.Duty("bid", "Bids", _DUE, False)
_SLOT = shapes.Slot("coins", "coins", "number", False, False, None, 0, 9, None, [3])
_FORM = shapes.Form("BID", "BID <coins>", "Bid so many coins in secret.", "BID 3", False, [_SLOT])
_TAKEN = shapes.SetTold("Bids", True, True, False, False, "", "10583801e580", "",
                        [shapes.LineTold(1, "bid 3", "BID 3", "", "", [])])  # fmt: skip

EXAMPLES: Mapping[type[Any], Any] = {
    shapes.Me: shapes.Me("Ann", "ann@example.org", DEFAULT, "Europe/Paris", False,
                         shapes.ProgramShape("my bot", "play", datetime(2027, 2, 18, tzinfo=UTC), None, None)),
    shapes.Games: shapes.Games([shapes.Card(_GAME, "toy", "Toy", "Rose", "running", [_DUTY], 0)], []),
    shapes.Deadlines: shapes.Deadlines(
        [shapes.Term(_GAME, "Rose", "bid", "Bids", _DUE, datetime(2026, 11, 20, 19, 0, tzinfo=UTC), False)]
    ),
    shapes.Questions: shapes.Questions(
        _GAME, 1, "s1",
        [shapes.Question("s0", "open", "bid", "Bids", "A secret bid.", "FOR TURN 1 BIDS", True, False, ["BID 3"],
                         [_FORM], "Bid in secret.", "Without an answer your bid is 0.", "", _DUE, False)],
        {}, [],
    ),
    shapes.Written: shapes.Written(1, ["FOR TURN 1 BIDS", "BID 3"]),
    shapes.Known: shapes.Known(1),
    shapes.Pace: shapes.Pace(1, "wait"),
    shapes.Opening: shapes.Opening("the key that came with the request"),
    shapes_talk.Saying: shapes_talk.Saying(["all"], "Good luck to all of you."),
    shapes_talk.Noting: shapes_talk.Noting("Never trust a banker."),
    shapes_talk.Hearing: shapes_talk.Hearing("s2", True),
    shapes.Done: shapes.Done("done", _GAME),
    shapes_tables.Muting: shapes_tables.Muting(True),
    shapes_tables.Leaving: shapes_tables.Leaving(date(2026, 12, 24), date(2027, 1, 2)),
    shapes_tables.Numbered: shapes_tables.Numbered(1),
    shapes_tables.NewTable: shapes_tables.NewTable("toy", "Rose", 2, {"pace": "sealed"}, shapes_tables.Pacing(48)),
    shapes_tables.Sitting: shapes_tables.Sitting(_GAME, "a word of mine"),
    shapes_tables.AtTable: shapes_tables.AtTable(_GAME),
    shapes_tables.Taking: shapes_tables.Taking(_GAME, "s2"),
    shapes_tables.Looking: shapes_tables.Looking(_GAME, True),
    shapes_tables.Accepting: shapes_tables.Accepting("a word of mine"),
    shapes_tables.Inviting: shapes_tables.Inviting(["ann@example.org"]),
    shapes_tables.Publishing: shapes_tables.Publishing(True),
    shapes_tables.SeatingBots: shapes_tables.SeatingBots(1, "hour"),
    shapes_tables.Letting: shapes_tables.Letting("otto@example.org"),
    shapes_tables.Naming: shapes_tables.Naming("zoe@example.org", 1),
    shapes_tables.Wish: shapes_tables.Wish("pause"),
    shapes_tables.Sure: shapes_tables.Sure("yes"),
    shapes_tables.Absences: shapes_tables.Absences([shapes_tables.Away(1, _DUE, datetime(2026, 12, 1, tzinfo=UTC))]),
    shapes_master.MasterTry: shapes_master.MasterTry(["EXTEND 2 days"]),
    shapes_master.MasterLines: shapes_master.MasterLines(["PROCESS BID 1"], "3HWK5N"),
    shapes_master.MasterAnswer: shapes_master.MasterAnswer(
        _GAME, "read", [shapes_master.ActTold(1, "process bid 1", "PROCESS BID 1", "done",
                                              ["BID 1 is closed now, with the default for Romain."], "")]),
    shapes_records.History: shapes_records.History(_GAME, 12, [12, 9, 4, 1], 0),
    shapes_records.Course: shapes_records.Course(_GAME, 12, [1, 2], [
        shapes_records.Figure("coins", "Coins", [shapes_records.Count("s1", "Ann", [3, 5])])]),
    shapes.Receipt: shapes.Receipt(_GAME, 1, "taken", [_TAKEN], awaited=["s2"],
                                   duties=[shapes.Duty("bid", "Bids", _DUE, True)]),
}  # fmt: skip
