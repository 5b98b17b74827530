"""Benchmarks: `engine`, `moves`, `cycle`, `clock`, `pages`, `fairness`; each `measure` returns figures to print."""
