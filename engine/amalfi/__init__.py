"""Amalfi: Renaissance: the rules of the game."""

from engine.amalfi.ruleset import RULES

__all__ = ["RULES"]
