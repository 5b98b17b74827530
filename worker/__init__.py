"""The Celery application: it wakes, and decides nothing."""
