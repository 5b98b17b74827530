"""Benchmarks: `engine`, `cycle`, `clock`, `pages`, `fairness`; each `measure` returns figures to print."""
