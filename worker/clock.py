"""`celery -A worker.clock worker -Q clock`: tells all others when to look; holds no key."""

from worker.app import create_worker

app = create_worker("clock")
