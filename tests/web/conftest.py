"""A table of two under way, and browsers for everybody who might come."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from pbem.service.seats import tables
from tests.service.hall import Hall, build, seated
from tests.web.guests import Browser, site


@dataclass
class Town:
    """A server with a game under way."""

    hall: Hall
    app: Flask
    game: str

    def user(self, address: str) -> int:
        """Somebody's number."""
        with self.hall.web.db.writing() as session:
            return tables.user_of(self.hall.web, session, address).id

    def user_in(self, session: Session, address: str) -> int:
        """Somebody's number, within a transaction."""
        return tables.user_of(self.hall.web, session, address).id

    def browser(self, address: str = "") -> Browser:
        """Somebody at the pages, signed in if an address is given."""
        guest = Browser(self.app)
        return guest.sign_in(self.hall, self.user(address)) if address else guest


@pytest.fixture
def town(state_dir: Path) -> Town:
    """Two seats, p1@ and p2@, who are asked for bids."""
    hall = build(state_dir)
    return Town(hall, site(hall), seated(hall, "toy", 2))
