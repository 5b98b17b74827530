"""Commands that root calls on a server with a user for each process act as the user of the process they belong to."""

import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pbem.crypto.keys import Role


def step_down(env: Mapping[str, str], role: Role) -> str:
    """Become the user who has the keys of a role, and return their name; "" if we are not root or root has them.

    The keys of other processes are then out of reach, and the database knows us as that process.
    """
    keys = Path(env.get("PBEM_KEYS_DIR") or Path(env.get("PBEM_STATE_DIR", "/")) / "keys")
    folder = keys / role if (keys / role).is_dir() else keys
    if os.geteuid() != 0 or not folder.is_dir() or (owner := folder.stat().st_uid) == 0:
        return ""
    user = pwd.getpwuid(owner)
    os.initgroups(user.pw_name, user.pw_gid)
    os.setresgid(user.pw_gid, user.pw_gid, 0)
    os.setresuid(owner, owner, 0)
    return user.pw_name


@contextmanager
def as_caller() -> Iterator[None]:
    """Act for a while as root again, if root has called us: only they may write where they said."""
    user, group = os.geteuid(), os.getegid()
    saved = os.getresuid()[2]
    os.seteuid(saved)
    os.setegid(os.getresgid()[2])
    try:
        yield
    finally:
        os.setegid(group)
        os.seteuid(user)
