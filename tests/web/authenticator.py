"""An operator's authenticator: knows the secret, and says the code of a moment."""

from base64 import b32decode
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from pbem.service.access import operators
from pbem.store.models import User
from tests.service.server_fixtures import ServerHarness


class Authenticator:
    """Made of the address that the enrolment prints."""

    def __init__(self, harness: ServerHarness, user: int) -> None:
        """Enrol an operator of a server."""
        with harness.resolver.db.transaction() as session:
            self.uri = operators.enroll(harness.resolver, session, session.get_one(User, user))
        self.harness = harness

    def code(self, steps: int = 0) -> str:
        """The code of now, or of so many steps later."""
        secret = b32decode(parse_qs(urlsplit(self.uri).query)["secret"][0])
        return TOTP(secret, 6, SHA1(), 30).generate(self.harness.web.now() // 1000 + 30 * steps).decode()
