"""Rate limits: how often people, emails and programs may ask, for email, pages and API in one way.

The services' `count` counts, where all processes see it.  Keys hold digests: no address and no token lies there.

Also how long rows of work that is done are kept.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from pbem.service.base.services import RequestRefused, Services

LIMITS = {
    "letters": 120,
    "email_cpu_ms": 30_000,
    "sign_ins_by_one": 6,
    "sign_ins_by_one_today": 10,
    "sign_ins": 20,
    "sign_ins_today": 40,
    "sign_ins_beyond": 1,
    "sign_ins_from": 100,
    "joins_from": 100,
    "tables": 20,
    "invitations": 40,
    "acts": 240,
    "talk": 60,
    "channels": 20,
    "links": 10,
    "codes": 12,
    "address_changes": 6,
    "address_letters": 3,
    "invited": 3,
    "invited_by_friend": 12,
    "table_invitations": 40,
    "practice": 120,
    "practice_from": 10,
    "show": 2,
}
"""What is allowed within an hour, by sort; the settings may say otherwise.

`email_cpu_ms`: milliseconds of CPU time that the emails of one seat, account or network take; a hundred times what
people write.

Sign-in links are counted by who asks, a line or a browser that was signed in as their owner: `sign_ins_by_one` for one
mailbox.  All strangers together have `sign_ins` mailed to one mailbox, and `sign_ins_beyond` once a day's are used up:
a link is valid for an hour, so that the owner of the mailbox has one in it whoever asked.

Within a day: `sign_ins_by_one_today` and `sign_ins_today` of the same; `sign_ins_from`, links asked for from one line
for everybody; `joins_from`, seats taken from one line by links of tables; `invited`, to one address by all
whom its owner has not played with, `invited_by_friend`, by one of the others, and `table_invitations`, of one table;
`practice_from`, practice tables begun from one line (`practice`: those of everybody, within an hour; `show`:
tables that bots play for people who look on);
`address_letters`, to an address that somebody says is theirs.
"""

MINUTE_S, HOUR_S, DAY_S = 60, 3_600, 86_400


def is_exceeded(services: Services, sort: str, who: str, seconds: int = HOUR_S) -> bool:
    """Count one more; return True once there were more within this hour, or this many seconds, than allowed."""
    return excess(services, sort, who, seconds) > 0


def excess(services: Services, sort: str, who: str, seconds: int = HOUR_S) -> int:
    """Count one more; return how far those of this hour exceed what is allowed: 1 for the first too many."""
    return max(0, hit(services, sort, who, seconds) - allowed(services, sort))


def count_excesses(services: Services, sort: str, people: Sequence[str]) -> Sequence[int]:
    """The same as `excess` for several, counted at once."""
    counts = services.rate_counter.count_all([count_of(services, sort, who, HOUR_S) for who in people])
    return [max(0, count - allowed(services, sort)) for count in counts]


def allowed(services: Services, sort: str) -> int:
    """What is allowed within an hour."""
    return services.limits.get(sort, LIMITS[sort])


def hit(services: Services, sort: str, who: str, seconds: int, amount: int = 1) -> int:
    """Count so many more; return how many there were within this minute or hour, which begins on the full one."""
    return services.rate_counter(*count_of(services, sort, who, seconds, amount))


def count_of(services: Services, sort: str, who: str, seconds: int, amount: int = 1) -> tuple[str, int, int]:
    """What `hit` counts, for who counts several at once."""
    return _key(services, sort, who, seconds), seconds, amount


def count_hits(services: Services, sort: str, people: Sequence[str], seconds: int) -> Mapping[str, int]:
    """How many there were of each of these within this minute or hour, asked at once."""
    found = services.rate_counter.read([_key(services, sort, who, seconds) for who in people])
    return dict(zip(people, found, strict=True))


def _key(services: Services, sort: str, who: str, seconds: int) -> str:
    window = services.now() // (seconds * 1000)
    mark = hashlib.sha256(f"{sort}\0{who.lower()}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{sort}/{mark}/{window}"


def rate_limit_error(services: Services, seconds: int = HOUR_S) -> RequestRefused:
    """What to raise where there were too many within the hour, or the day: it says when the next one begins."""
    if seconds == DAY_S:
        return RequestRefused("too_many_today", hours=retry_after_hours(services))
    return RequestRefused("too_often", minutes=retry_after_minutes(services))


def retry_after_minutes(services: Services) -> int:
    """Minutes until the next hour begins, at least one."""
    return -(-(retry_after_seconds(services, HOUR_S) - 1) // 60)


def retry_after_hours(services: Services) -> int:
    """Hours until the next day of the count begins, at least one."""
    return -(-(retry_after_seconds(services, DAY_S) - 1) // HOUR_S)


def retry_after_seconds(services: Services, seconds: int) -> int:
    """Seconds until the next minute or hour begins, and the count with it."""
    length = seconds * 1000
    return (length - services.now() % length) // 1000 + 1


DONE_DAYS: Final = 30
"""Emails that were dealt with or sent, and the like."""
REPLY_DAYS: Final = 180
"""How long a reply address is remembered: until then an email to it is at least answered."""
