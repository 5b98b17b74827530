"""Patchistory: the rules of the game."""
