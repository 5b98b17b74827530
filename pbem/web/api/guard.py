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

from pbem.common.states import GameState
from pbem.service.access import api_tokens
from pbem.service.access.api_tokens import MASTER, PLAY, READ, ApiClient
from pbem.service.access.permissions import Permission, find_membership
from pbem.web.access import current_site
from pbem.web.apart import is_apart
from pbem.web.api.problems import ApiProblem, problem_language, problem_response
from pbem.web.site import PageRequest

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

    `path`: below /api/v2.  `permission`: as of a page.  `writes`: it changes something, so the token must be allowed to
    play and the call names itself by a key.  `opens_sealed`: it reads sealed orders back, so the token must be allowed
    to play.  `masters`: it is for tokens that may do masters' acts, and for no others.
    `whole_account`: it is about more than one table, so that a token for one seat does not reach it.  `states`: those
    of the table in which it can be done.  `body`, `query`: what comes in the body and in the query.  `returns`: what it
    answers; None: a file, of the type `media`.  `etag`: whether its answer has a tag from the journal, by which an
    unchanged one need not be sent again.  `extra_problems`: problems of its own.
    """

    method: str
    path: str
    view: "Answer"
    returns: type[msgspec.Struct] | None
    permission: Permission = Permission.USER
    writes: bool = False
    opens_sealed: bool = False
    states: tuple[str, ...] = ()
    body: type[msgspec.Struct] | None = None
    query: type[msgspec.Struct] | None = None
    etag: bool = False
    status: int = 200
    media: str = BINARY
    extra_problems: tuple[str, ...] = ()
    masters: bool = False
    whole_account: bool = False

    @property
    def name(self) -> str:
        """Its operationId, which is the name of the function that answers."""
        return self.view.__name__

    @property
    def scope(self) -> str:
        """Which tokens it is for."""
        return MASTER if self.masters else PLAY if self.writes or self.opens_sealed else READ


@dataclass(frozen=True)
class ApiRequest:
    """One call: who makes it, what they are to the table that it is about, and what they sent."""

    operation: str
    visit: PageRequest
    client: ApiClient
    at: Mapping[str, Any]
    body: Any = None
    query_data: Any = None
    key: str = ""

    @property
    def game(self) -> str:
        """The table."""
        return self.visit.game

    @property
    def seat(self) -> str:
        """One's seat at it; raises ApiProblem where there is none."""
        if self.visit.membership is None or self.visit.membership.seat is None:
            raise ApiProblem("not_found")
        return self.visit.membership.seat

    @property
    def user(self) -> int:
        """Whose program it is."""
        return self.visit.me.id

    def form_id(self, about: str = "") -> str:
        """What its key stands for: the operation, what its path names, and what else it is about."""
        table = self.visit.membership.game if self.visit.membership is not None else ""
        return self.client.form_id("/".join((self.operation, table, *map(str, self.at.values()), about)), self.key)

    def sent(self, kind: type[T]) -> T:
        """What came in the body."""
        return cast(T, self.body)

    def query(self, kind: type[T]) -> T:
        """What came in the query."""
        return cast(T, self.query_data)


@dataclass(frozen=True)
class ApiResponse:
    """An answer with more to it than its body."""

    body: msgspec.Struct | bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Answer = Callable[[ApiRequest], msgspec.Struct | ApiResponse]


class NotModified(Exception):
    """The caller has already what they would get."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.tag = tag


def make_etag(call: ApiRequest, *parts: object) -> str:
    """The tag of an answer that follows from the journal: the same parts, the same answer.  Raises NotModified.

    Whose eyes, and in which language, belongs to it; it is hashed, so that it can be said in any header.
    """
    said = "\0".join(map(str, (_VERSION, call.visit.language, call.user, *parts)))
    made = f'"{sha256(said.encode()).hexdigest()[:24]}"'
    if request.if_none_match.contains_weak(made.strip('"')):
        raise NotModified(made)
    return made


def with_etag(body: msgspec.Struct, made: str) -> ApiResponse:
    """An answer with its tag."""
    return ApiResponse(body, headers={"ETag": made})


# --- the way in


def make_view(operation: Operation) -> Callable[..., Response]:
    """What answers the calls of an operation."""

    def view(**at: Any) -> Response:
        said_in = problem_language()
        try:
            with current_site().services.shared_snapshot() if operation.method == "GET" else nullcontext():
                call = _authenticate(operation, at)
                said_in = call.visit.language
                answer = operation.view(call)
                if isinstance(answer, Response):
                    return answer
                return _to_response(operation, call, answer if isinstance(answer, ApiResponse) else ApiResponse(answer))
        except NotModified as unchanged:
            return _with_headers(Response(status=304, headers={"ETag": unchanged.tag}), said_in)
        except ApiProblem as trouble:
            return problem_response(trouble, said_in)
        except HTTPException as error:
            if error.code == 404:
                return problem_response(ApiProblem("not_found"), said_in)
            raise

    view.__name__ = f"api_{operation.name}"
    return view


def client_of() -> ApiClient | None:
    """Who makes this call, looked up once."""
    if g.get(_FOUND, _UNKNOWN) is _UNKNOWN:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        known = api_tokens.authenticate(current_site().services, token.strip()) if kind.lower() == "bearer" else None
        setattr(g, _FOUND, known)
    found: ApiClient | None = g.get(_FOUND)
    return found


def _authenticate(operation: Operation, at: dict[str, Any]) -> ApiRequest:
    found = client_of()
    if found is None:
        came = "Authorization" in request.headers
        wanted = 'Bearer realm="pbem"' + (', error="invalid_token"' if came else "")
        raise ApiProblem("no_token", {"WWW-Authenticate": wanted})
    if not found.person.email_verified:
        raise ApiProblem("unverified")
    _check_scope(operation, found)
    visit = PageRequest(current_site(), found.person, problem_language() or found.person.language)
    visit = _find_membership(visit, operation, found, at)
    _check_accept(operation)
    body, query, key = _parse_body(operation), _parse_query(operation), _idempotency_key(operation)
    call = ApiRequest(operation.name, visit, found, at, body, query, key)
    if operation.states and (visit.membership is None or visit.membership.state not in operation.states):
        raise ApiProblem("not_running")
    if operation.writes and not is_apart() and not api_tokens.count_write(visit.services, found):
        raise ApiProblem("too_many", {"Retry-After": str(api_tokens.retry_after(visit.services))})
    return call


def _check_scope(operation: Operation, found: ApiClient) -> None:
    """What the token may do, and whether for more than one seat."""
    if not found.may(operation.scope):
        scope = f'Bearer realm="pbem", error="insufficient_scope", scope="{operation.scope}"'
        plain = found.scope == READ and operation.scope == PLAY
        raise ApiProblem("looks_only" if plain else "other_scope", {"WWW-Authenticate": scope}, scope=operation.scope)
    if operation.whole_account and found.game:
        raise ApiProblem("one_seat")


def _find_membership(visit: PageRequest, operation: Operation, found: ApiClient, at: dict[str, Any]) -> PageRequest:
    """How the caller stands to the table; a token for one seat knows no other table."""
    if "game" not in at:
        return visit
    game = at.pop("game")
    if found.game and found.game != game:
        raise ApiProblem("not_found")
    place = find_membership(visit.services, visit.me.id, game, operation.permission)
    if place is None:
        raise ApiProblem("not_found")
    if place.state == GameState.HELD:
        raise ApiProblem("held")
    return PageRequest(visit.site, visit.person, visit.language, place)


def _check_accept(operation: Operation) -> None:
    """Only what was asked for is sent (RFC 9110 §12.5.1); who names nothing takes anything."""
    kind = JSON if operation.returns is not None else operation.media
    if request.accept_mimetypes and not request.accept_mimetypes[kind]:
        raise ApiProblem("cannot_answer_so", kind=kind)


def _parse_body(operation: Operation) -> msgspec.Struct | None:
    if operation.body is None:
        return None
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if (
        request.mimetype != JSON
        or charset != "utf-8"
        or request.headers.get("Content-Encoding", "identity") != "identity"
    ):
        raise ApiProblem("wrong_type", {"Accept": JSON})
    try:
        return msgspec.convert(_read_body(msgspec.json.decode(request.get_data())), operation.body)
    except msgspec.ValidationError as error:
        raise ApiProblem("does_not_fit", wrong=_error_location(error)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise ApiProblem("not_json") from None


def _read_body(thing: Any) -> Any:
    """Numbers as JSON means them: 3.0 is the integer 3 (RFC 8259 §6 knows one kind, JSON Schema §6.1.1 says so)."""
    if isinstance(thing, float) and thing.is_integer():
        return int(thing)
    if isinstance(thing, dict):
        return {name: _read_body(value) for name, value in thing.items()}
    return [_read_body(value) for value in thing] if isinstance(thing, list) else thing


def _parse_query(operation: Operation) -> msgspec.Struct | None:
    """What stands behind the question mark, each name once."""
    if operation.query is None:
        return None
    if any(len(values) != 1 for _, values in request.args.lists()):
        raise ApiProblem("does_not_fit", wrong="?")
    try:
        return msgspec.convert(request.args.to_dict(), operation.query, strict=False)
    except msgspec.ValidationError as error:
        raise ApiProblem("does_not_fit", wrong=_error_location(error)) from None


def _error_location(error: msgspec.ValidationError) -> str:
    """The place that does not fit, and what would stand there: the technical words, which are those of the schema."""
    return str(error)[:300]


def _idempotency_key(operation: Operation) -> str:
    """The key that makes a call one call, however often it is sent."""
    if not operation.writes:
        return ""
    key = request.headers.get(KEY, "")
    if not 1 <= len(key) <= 100 or not all("!" <= sign <= "~" for sign in key):
        raise ApiProblem("no_key")
    return key


# --- the way out


def _to_response(operation: Operation, call: ApiRequest, reply: ApiResponse) -> Response:
    binary = isinstance(reply.body, bytes)
    content = reply.body if isinstance(reply.body, bytes) else msgspec.json.encode(reply.body)
    status = reply.status if reply.status != 200 else operation.status
    answer = Response(content, status, mimetype=operation.media if binary else JSON)
    for name, value in reply.headers.items():
        answer.headers[name] = value
    return _with_headers(answer, call.visit.language)


def _with_headers(answer: Response, said_in: str) -> Response:
    answer.headers["Vary"] = "Accept-Language, Authorization"
    if said_in and "Content-Language" not in answer.headers:
        answer.headers["Content-Language"] = said_in
    return answer
