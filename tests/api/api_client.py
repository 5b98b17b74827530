"""A program in a test: a token, and calls with it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Flask

from pbem.bot import ApiError
from pbem.service.access import api_tokens
from pbem.web.api.examples import EXAMPLES, PATH_EXAMPLES
from pbem.web.api.guard import Operation
from pbem.web.api.openapi import PARAMETER
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness

PREFIX = "/api/v2"


def issued(harness: ServerHarness, address: str, *, scope: str = "play", game: str = "", days: int = 30) -> str:
    """A token of somebody's, as the page of tokens makes it."""
    return api_tokens.create_token(
        harness.web, get_user_id(harness, address), name="a bot", scope=scope, days=days, game_id=game
    )


class Program:
    """Calls with one token, or with none."""

    def __init__(self, app: Flask, token: str = "") -> None:
        self.client, self.token, self.calls = app.test_client(), token, 0

    def _headers(self, more: Mapping[str, str]) -> dict[str, str]:
        shown = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**shown, **more}

    def get(self, path: str, **headers: str) -> Any:
        """Look."""
        return self.client.get(PREFIX + path, headers=self._headers(_spelt(headers)))

    def post(self, path: str, body: Any = None, *, key: str | None = None, **headers: str) -> Any:
        """Send a body as JSON, under a key of its own unless one is given; an empty one: without."""
        self.calls += 1
        named = {"Idempotency-Key": f"call-{self.calls}" if key is None else key}
        more = {**({} if key == "" else named), **_spelt(headers)}
        return self.client.post(PREFIX + path, json=body, headers=self._headers(more))

    def delete(self, path: str) -> Any:
        """End something, under a key of its own."""
        self.calls += 1
        return self.client.delete(PREFIX + path, headers=self._headers({"Idempotency-Key": f"call-{self.calls}"}))

    def tried(self, operation: Operation, game: str) -> Any:
        """The answer to an operation about a table, with the example of its body."""
        path = PARAMETER.sub(lambda found: {**PATH_EXAMPLES, "game": game}[found[1]], operation.path)
        body = msgspec.to_builtins(EXAMPLES[operation.body]) if operation.body is not None else None
        if operation.method == "GET":
            return self.get(path)
        return self.delete(path) if operation.method == "DELETE" else self.post(path, body)


def _spelt(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


class Inside:
    """The calls of the bot, without a line between it and the server."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def get(self, path: str) -> Any:
        """Look."""
        return self._read(self.program.get(path))

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Ask for something."""
        return self._read(self.program.post(path, dict(body)))

    def _read(self, answer: Any) -> Any:
        if answer.status_code >= 300:
            raise ApiError(answer.status_code, answer.json or {})
        return answer.json
