"""How a program comes in: a bearer token in a header and nothing else, so no cookie, no session and no form key.

In this order, so that no answer tells more than the token shows: the method, the token, what it may do, whether there
is such a table for it, and only then what was sent.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import version
from typing import Any, TypeVar, cast

import msgspec
from flask import Response, g, request
from werkzeug.exceptions import HTTPException

from pbem.service.access import programs
from pbem.service.access.permissions import Who, let_in
from pbem.service.access.programs import MASTER, PLAY, READ, Bearer
from pbem.states import GameState
from pbem.web.api.problems import Trouble, answer_to, language
from pbem.web.site import PageVisit, Site
from pbem.web.visitor import site

T = TypeVar("T")
PREFIX = "/api/v2"
"""Where the interface begins; the number rises when what a program reads changes its meaning."""

JSON = "application/json"
BINARY, PICTURE = "application/zip", "image/svg+xml"
KEY = "Idempotency-Key"
KEY_PATTERN = "^[!-~]{1,100}$"
RUNNING = (GameState.RUNNING,)
_VERSION = version("pbem")
"""Another program may tell the same entry otherwise."""
_FOUND, _UNKNOWN = "pbem_bearer", object()


@dataclass(frozen=True)
class Operation:
    """One thing that a program can ask.

    `path`: below /api/v2.  `who`: as of a page.  `acts`: it changes something, so the token must be allowed to play
    and the call names itself by a key.  `masters`: it is for tokens that may do masters' acts, and for no others.
    `wide`: it is about more than one table, so that a token for one seat does not reach it.  `states`: those of the
    table in which it can be done.  `takes`, `asks`: what comes in the body and in the query.  `gives`: what it
    answers; None: a file, of the type `media`.  `tagged`: whether its answer has a tag from the journal, by which an
    unchanged one need not be sent again.  `more`: problems of its own.
    """

    name: str
    method: str
    path: str
    view: "Answer"
    gives: type[msgspec.Struct] | None
    who: Who = Who.USER
    acts: bool = False
    states: tuple[str, ...] = ()
    takes: type[msgspec.Struct] | None = None
    asks: type[msgspec.Struct] | None = None
    tagged: bool = False
    status: int = 200
    media: str = BINARY
    more: tuple[str, ...] = ()
    masters: bool = False
    wide: bool = False

    @property
    def scope(self) -> str:
        """Which tokens it is for."""
        return MASTER if self.masters else PLAY if self.acts else READ


@dataclass(frozen=True)
class Call:
    """One call: who makes it, what they are to the table that it is about, and what they sent."""

    visit: PageVisit
    bearer: Bearer
    at: Mapping[str, Any]
    body: Any = None
    asked: Any = None
    key: str = ""

    @property
    def game(self) -> str:
        """The table."""
        return self.visit.game

    @property
    def seat(self) -> str:
        """One's seat at it; raises Trouble where there is none."""
        if self.visit.place is None or self.visit.place.seat is None:
            raise Trouble("not_found")
        return self.visit.place.seat

    @property
    def user(self) -> int:
        """Whose program it is."""
        return self.visit.me.id

    def sent(self, kind: type[T]) -> T:
        """What came in the body."""
        return cast(T, self.body)

    def query(self, kind: type[T]) -> T:
        """What came in the query."""
        return cast(T, self.asked)


@dataclass(frozen=True)
class Reply:
    """An answer with more to it than its body."""

    body: msgspec.Struct | bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = Callable[[Call], msgspec.Struct | Reply]


class Unchanged(Exception):
    """The caller has already what they would get."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.tag = tag


def tag(call: Call, *parts: object) -> str:
    """The tag of an answer that follows from the journal: the same parts, the same answer.  Raises Unchanged.

    Whose eyes, and in which language, belongs to it; it is hashed, so that it can be said in any header.
    """
    said = "\0".join(map(str, (_VERSION, call.visit.language, call.user, *parts)))
    made = f'"{sha256(said.encode()).hexdigest()[:24]}"'
    if request.if_none_match.contains_weak(made.strip('"')):
        raise Unchanged(made)
    return made


def tagged(body: msgspec.Struct, made: str) -> Reply:
    """An answer with its tag."""
    return Reply(body, headers={"ETag": made})


# --- the way in


def view_of(operation: Operation) -> Callable[..., Response]:
    """What answers the calls of an operation."""

    def view(**at: Any) -> Response:
        said_in = language()
        try:
            with site().services.one_look() if operation.method == "GET" else nullcontext():
                call = _let_in(operation, at)
                said_in = call.visit.language
                answer = operation.view(call)
                return _answered(operation, call, answer if isinstance(answer, Reply) else Reply(answer))
        except Unchanged as unchanged:
            return _headed(Response(status=304, headers={"ETag": unchanged.tag}), said_in)
        except Trouble as trouble:
            return answer_to(trouble, said_in)
        except HTTPException as error:
            if error.code == 404:
                return answer_to(Trouble("not_found"), said_in)
            raise

    view.__name__ = f"api_{operation.name}"
    return view


def bearer() -> Bearer | None:
    """Who makes this call, looked up once."""
    if g.get(_FOUND, _UNKNOWN) is _UNKNOWN:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        known = programs.bearer(site().services, token.strip()) if kind.lower() == "bearer" else None
        setattr(g, _FOUND, known)
    found: Bearer | None = g.get(_FOUND)
    return found


def _let_in(operation: Operation, at: dict[str, Any]) -> Call:
    found = bearer()
    if found is None:
        came = "Authorization" in request.headers
        wanted = 'Bearer realm="pbem"' + (', error="invalid_token"' if came else "")
        raise Trouble("no_token", {"WWW-Authenticate": wanted})
    _scoped(operation, found)
    visit = PageVisit(site(), found.person, language() or found.person.language)
    visit = _placed(visit, operation, found, at)
    _negotiated(operation)
    call = Call(visit, found, at, _body(operation), _query(operation), _key(operation))
    if operation.states and (visit.place is None or visit.place.state not in operation.states):
        raise Trouble("not_running")
    if operation.acts and not programs.may_act(visit.services, found):
        raise Trouble("too_many", {"Retry-After": str(programs.next_hour(visit.services))})
    return call


def _scoped(operation: Operation, found: Bearer) -> None:
    """What the token may do, and whether for more than one seat."""
    if not found.may(operation.scope):
        scope = f'Bearer realm="pbem", error="insufficient_scope", scope="{operation.scope}"'
        plain = found.scope == READ and operation.scope == PLAY
        raise Trouble("looks_only" if plain else "other_scope", {"WWW-Authenticate": scope}, scope=operation.scope)
    if operation.wide and found.game:
        raise Trouble("one_seat")


def _placed(visit: PageVisit, operation: Operation, found: Bearer, at: dict[str, Any]) -> PageVisit:
    """How the caller stands to the table; a token for one seat knows no other table."""
    if "game" not in at:
        return visit
    game = at.pop("game")
    if found.game and found.game != game:
        raise Trouble("not_found")
    place = let_in(visit.services, visit.me.id, game, operation.who)
    if place is None:
        raise Trouble("not_found")
    if place.state == GameState.HELD:
        raise Trouble("held")
    return PageVisit(visit.site, visit.person, visit.language, place)


def _negotiated(operation: Operation) -> None:
    """Only what was asked for is sent (RFC 9110 §12.5.1); who names nothing takes anything."""
    kind = JSON if operation.gives is not None else operation.media
    if request.accept_mimetypes and not request.accept_mimetypes[kind]:
        raise Trouble("cannot_answer_so", kind=kind)


def _body(operation: Operation) -> msgspec.Struct | None:
    if operation.takes is None:
        return None
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if (
        request.mimetype != JSON
        or charset != "utf-8"
        or request.headers.get("Content-Encoding", "identity") != "identity"
    ):
        raise Trouble("wrong_type", {"Accept": JSON})
    try:
        return msgspec.convert(_whole(msgspec.json.decode(request.get_data())), operation.takes)
    except msgspec.ValidationError as error:
        raise Trouble("does_not_fit", wrong=_where(error)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Trouble("not_json") from None


def _whole(thing: Any) -> Any:
    """Numbers as JSON means them: 3.0 is the integer 3 (RFC 8259 §6 knows one kind, JSON Schema §6.1.1 says so)."""
    if isinstance(thing, float) and thing.is_integer():
        return int(thing)
    if isinstance(thing, dict):
        return {name: _whole(value) for name, value in thing.items()}
    return [_whole(value) for value in thing] if isinstance(thing, list) else thing


def _query(operation: Operation) -> msgspec.Struct | None:
    """What stands behind the question mark, each name once."""
    if operation.asks is None:
        return None
    if any(len(values) != 1 for _, values in request.args.lists()):
        raise Trouble("does_not_fit", wrong="?")
    try:
        return msgspec.convert(request.args.to_dict(), operation.asks, strict=False)
    except msgspec.ValidationError as error:
        raise Trouble("does_not_fit", wrong=_where(error)) from None


def _where(error: msgspec.ValidationError) -> str:
    """The place that does not fit, and what would stand there: the technical words, which are those of the schema."""
    return str(error)[:300]


def _key(operation: Operation) -> str:
    """The key that makes a call one call, however often it is sent."""
    if not operation.acts:
        return ""
    key = request.headers.get(KEY, "")
    if not 1 <= len(key) <= 100 or not all("!" <= sign <= "~" for sign in key):
        raise Trouble("no_key")
    return key


# --- the way out


def _answered(operation: Operation, call: Call, reply: Reply) -> Response:
    binary = isinstance(reply.body, bytes)
    content = reply.body if isinstance(reply.body, bytes) else msgspec.json.encode(reply.body)
    status = reply.status if reply.status != 200 else operation.status
    answer = Response(content, status, mimetype=operation.media if binary else JSON)
    for name, value in reply.headers.items():
        answer.headers[name] = value
    return _headed(answer, call.visit.language)


def _headed(answer: Response, said_in: str) -> Response:
    answer.headers["Vary"] = "Accept-Language, Authorization"
    if said_in and "Content-Language" not in answer.headers:
        answer.headers["Content-Language"] = said_in
    return answer


def place_of(found: Site) -> str:
    """Where the interface begins, as the outside writes it."""
    return f"{found.services.public_url}{PREFIX}"
