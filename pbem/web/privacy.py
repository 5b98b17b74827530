"""What the server keeps and how long, and all that it keeps about who asks, as a file."""

from typing import Final

from flask import Response, jsonify
from flask.typing import ResponseReturnValue

from pbem.service.base import keeping
from pbem.service.pages import kept
from pbem.web.site import PageVisit, page

ROWS: Final = ("address", "letters", "passing", "orders", "views", "talk", "links", "ended", "logs", "copies")
"""In the order of the table; their words are in the catalogue."""
SPANS: Final = {"days": keeping.DONE_DAYS, "reply": keeping.REPLY_DAYS}


def table(visit: PageVisit) -> ResponseReturnValue:
    """What is kept of everybody, a row each."""
    return page(visit, "kept.html", rows=ROWS, spans=SPANS)


def file(visit: PageVisit) -> ResponseReturnValue:
    """What is kept of this person."""
    answer: Response = jsonify(kept.about(visit.services, visit.me.id))
    answer.headers["Content-Disposition"] = 'attachment; filename="pbem.json"'
    return answer
