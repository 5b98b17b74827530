"""The document against the server: calls made from it at random, and nothing that comes back contradicts it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema
from schemathesis.engine.context import EngineContext

from pbem.web.api import OPERATIONS
from tests.api.api_client import issued
from tests.api.world import World, opened
from tests.budget import budget

EXAMPLES, SEED, WALKS = budget(10, 200), 20261120, budget(5, 60)
WITHOUT_INPUT = {f"GET /api/v2/{name}" for name in ("me", "games", "deadlines", "absences", "game-types", "statistics")}
"""There is one way to make these calls."""

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600), pytest.mark.filterwarnings("ignore::DeprecationWarning")]


def configured(token: str, mastering: str) -> SchemathesisConfig:
    """All checks and all phases, with a token that may play, and one for the calls of masters."""
    return SchemathesisConfig.from_dict(
        {
            "seed": SEED,
            "headers": {"Authorization": f"Bearer {token}"},
            "operations": [
                {
                    "include-operation-id": [operation.name for operation in OPERATIONS if operation.masters],
                    "headers": {"Authorization": f"Bearer {mastering}"},
                }
            ],
            "generation": {"max-examples": EXAMPLES, "database": "none"},
            "phases": {
                "fuzzing": {"extra-data-sources": {"responses": False}},
                "stateful": {"max-steps": 8, "generation": {"max-examples": WALKS}},
            },
            "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "304", "404", "409"]}},
        }
    )


def described(world: World) -> Any:
    """The document as it is served, with the tables that there are, and one that there is not."""
    config = configured(*(issued(world.harness, "p1@games.test", scope=scope) for scope in ("play", "master")))
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", world.app, config=config)
    for operations in schema.raw_schema["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter["name"] == "game":
                    parameter["schema"] = {"anyOf": [{"enum": list(world.tables)}, parameter["schema"]]}
                if parameter["name"] == "entry":
                    parameter["schema"] = {"anyOf": [{"enum": [1, 2, 3]}, parameter["schema"]]}
    return schema


@pytest.fixture(autouse=True)
def without_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probes of a WSGI application are not to be given what belongs to a connection: 4.32 would refuse to send them."""
    given = EngineContext.get_transport_kwargs

    def fewer(context: EngineContext, operation: Any = None) -> dict[str, Any]:
        found = given(context, operation)
        return {name: value for name, value in found.items() if name not in ("max_redirects", "verify", "cert")}

    monkeypatch.setattr(EngineContext, "get_transport_kwargs", fewer)


def test_the_document_and_the_server_agree(state_dir: Path) -> None:
    """All checks, so many examples for each operation, one seed, real tables of every game: no fault."""
    world = opened(state_dir)
    schema = described(world)
    told: list[str] = []
    made = Counter[str]()
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            if event.phase.name == "FUZZING":
                made[event.recorder.label] += len(event.recorder.cases)
            told += faults(event)
        if isinstance(event, events.NonFatalError | events.FatalError):
            told.append(repr(getattr(event, "value", None) or getattr(event, "exception", None)))
    assert told == []
    assert len(made) == len(OPERATIONS)
    assert {label for label, count in made.items() if count < EXAMPLES} == WITHOUT_INPUT


def faults(event: Any) -> list[str]:
    """What was found wrong in a scenario."""
    found = []
    for case, checks in event.recorder.checks.items():
        for check in checks:
            if check.status is Status.FAILURE:
                call = event.recorder.interactions.get(case)
                asked = (call.request.method, call.request.uri, call.request.body) if call is not None else ()
                answer = call.response.content[:300] if call is not None and call.response is not None else b""
                found.append(f"{event.recorder.label}: {check.name}: {check.failure_info} {asked} {answer!r}")
    return found
