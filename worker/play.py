"""`celery -A worker.play worker -Q play`: opens what is sealed and plays; holds the keys of play."""

from worker.app import create_worker

app = create_worker("play")
