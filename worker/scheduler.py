"""`celery -A worker.scheduler worker -Q scheduler`: tells all others when to look; holds no key."""

from worker.app import create_worker

app = create_worker("scheduler")
