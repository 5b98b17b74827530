"""Resolve the due gates of a game, append to its journal, and enqueue the reports."""
