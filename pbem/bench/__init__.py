"""Benchmarks: `engine`, `cycle` (and `cycle --cpu`), `clock` and `pages`; each `measure` returns figures to print."""
