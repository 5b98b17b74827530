"""Benchmarks: `engine`, `cycle` (and `cycle --cpu`), `clock`, `pages` and `fairness`; each `measure` returns figures to print."""
