"""Whole games, or much of one, played by letters through the engine, with draws scripted."""
