"""One example of what goes in and out, for the documentation: of the same types as the real answers."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from pbem.web.api import shapes

_GAME, _DUE = "bcdfghjkmnpq", datetime(2026, 11, 27, 19, 0, tzinfo=UTC)
_DUTY = shapes.Duty("bid", "Bids", _DUE, False)
_SLOT = shapes.Slot("coins", "coins", "number", False, False, None, 0, 9, None, [3])
_FORM = shapes.Form("BID", "BID <coins>", "Bid so many coins in secret.", "BID 3", False, [_SLOT])
_TAKEN = shapes.SetTold("Bids", True, True, False, False, "", "10583801e580", "",
                        [shapes.LineTold(1, "bid 3", "BID 3", "", "", [])])  # fmt: skip

EXAMPLES: Mapping[type[Any], Any] = {
    shapes.Me: shapes.Me("Ann", "ann@example.org", "en", "Europe/Paris",
                         shapes.ProgramShape("my bot", "play", datetime(2027, 2, 18, tzinfo=UTC), None, None)),
    shapes.Games: shapes.Games([shapes.Card(_GAME, "toy", "Toy", "Rose", "running", [_DUTY], 0)], []),
    shapes.Deadlines: shapes.Deadlines(
        [shapes.Term(_GAME, "Rose", "bid", "Bids", _DUE, datetime(2026, 11, 20, 19, 0, tzinfo=UTC), False)]
    ),
    shapes.Questions: shapes.Questions(
        _GAME, 1, "s1",
        [shapes.Question("s0", "open", "bid", "Bids", "A secret bid.", "FOR TURN 1 BIDS", True, False, ["BID 3"],
                         [_FORM], "Bid in secret.", "Without an answer your bid is 0.", _DUE, False)],
        {}, [],
    ),
    shapes.Written: shapes.Written(1, ["FOR TURN 1 BIDS", "BID 3"]),
    shapes.Known: shapes.Known(1),
    shapes.Pace: shapes.Pace(1, "wait"),
    shapes.Opening: shapes.Opening("the key that came with the request"),
    shapes.Saying: shapes.Saying(["all"], "Good luck to all of you."),
    shapes.Noting: shapes.Noting("Never trust a banker."),
    shapes.Receipt: shapes.Receipt(_GAME, 1, "taken", [_TAKEN], awaited=["s2"],
                                   duties=[shapes.Duty("bid", "Bids", _DUE, True)]),
}  # fmt: skip
