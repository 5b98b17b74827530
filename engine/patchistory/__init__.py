"""Patchistory: the rules of the game."""

from engine.patchistory.ruleset import RULES

__all__ = ["RULES"]
