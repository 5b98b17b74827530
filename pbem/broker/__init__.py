"""The queue of tasks and the counters in Redis."""
