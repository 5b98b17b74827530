"""What runs when.  Deadlines lie in the database; the beat only looks at the clock."""

from typing import Any

BEAT: dict[str, dict[str, Any]] = {
    "tick": {"task": "tick", "schedule": 5.0, "options": {"expires": 5.0, "queue": "post"}},
    "announce": {"task": "announce", "schedule": 5.0, "options": {"expires": 5.0, "queue": "post"}},
    "tidy": {"task": "tidy", "schedule": 86_400.0, "options": {"expires": 3600.0, "queue": "post"}},
    "sweep": {"task": "sweep", "schedule": 5.0, "options": {"expires": 5.0, "queue": "post"}},
}
