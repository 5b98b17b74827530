"""`celery -A worker.mailer worker -Q mailer`: reads emails and sends them; holds the keys of the mailer."""

from worker.app import create_worker

app = create_worker("mailer")
