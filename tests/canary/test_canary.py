"""Nothing sealed, held or undrawn can be read before its time: random words are looked for wherever a leak might be."""

import json
import os
import random
import secrets
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.budget import budget
from tests.canary.decks import DECKS
from tests.canary.renamed_cards import copied

pytestmark = pytest.mark.timeout(1500)
FIRST, *OTHERS = DECKS


@pytest.mark.parametrize(
    "title",
    [pytest.param(FIRST, marks=pytest.mark.long), *(pytest.param(title, marks=pytest.mark.night) for title in OTHERS)],
)
def test_whole_turns_leak_nothing(title: str) -> None:
    """No word of sealed orders, a reaction, hand or deck stands in any file, page or letter of those who may not know
    it, while letters lie unread, while sealed orders wait, and after each gate; and a leak that is planted is found.
    """
    seed, turns = secrets.token_hex(8), budget(1, 2)
    with TemporaryDirectory(prefix="pbem-can-") as copy, TemporaryDirectory(prefix="pbem-st-") as state:
        copied(Path(copy), title, random.Random(seed))
        done = subprocess.run(
            [sys.executable, "-m", "tests.canary.play", title, state, seed, str(turns)],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": copy},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        pytest.fail(f"seed {seed}: {done.stderr[-4000:]}", pytrace=False)
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["leaks"] == [], f"seed {seed}"
    assert result["missed"] == [], "a planted leak was not found, so that finding none proves nothing"
    assert result["unseen"] == [], "a page was never opened by anybody"
    assert result["deaths"] == []
    assert result["turn"] > turns
    assert result["hidden_cards"] >= 20
    assert (
        min(result["searches"], result["pages"], result["calls"], result["letters"], result["messages"]) >= 10 * turns
    )
    assert min(result["pictures"], result["drawn"]) >= 3 * turns, "too few letters brought a picture"
