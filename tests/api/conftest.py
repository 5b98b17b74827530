"""A table of two under way, and programs for everybody who might come."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask

from tests.api.api_client import Program, issued
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.form_browser import site


@dataclass
class Quay:
    """A server with a game under way, and its interface."""

    harness: ServerHarness
    app: Flask
    game: str

    def program(self, address: str = "", scope: str = "play", game: str = "") -> Program:
        """Somebody's program; without an address one that has no token."""
        return Program(self.app, issued(self.harness, address, scope=scope, game=game) if address else "")

    @property
    def at(self) -> str:
        """Where the game lies."""
        return f"/games/{self.game}"


@pytest.fixture
def quay(state_dir: Path) -> Quay:
    """Two seats, p1@ and p2@, who are asked for bids."""
    harness = build(state_dir)
    return Quay(harness, site(harness), start_game(harness, "toy", 2, hours=48))
