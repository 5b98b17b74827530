"""`python -m worker.run NAME`: a worker, without what Celery's command line loads; `mailer2` is a second mailer."""

import sys

from pbem.ops.supervisor import parse_role
from worker.app import create_worker


def main() -> None:
    """Take tasks until a signal to stop comes."""
    name = sys.argv[1]
    role = parse_role(name)
    worker = create_worker(role).Worker(
        hostname=f"{role}@pbem",
        queues=[role],
        pool="solo",
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
