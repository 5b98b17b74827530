"""`celery -A worker.post worker -Q post`: reads letters and sends them; holds the keys of post."""

from worker.app import create_worker

app = create_worker("post")
