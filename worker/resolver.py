"""`celery -A worker.resolver worker -Q resolver`: opens what is sealed and plays; holds the keys of the resolver."""

from worker.app import create_worker

app = create_worker("resolver")
