"""Diplomacy: the rules of the game, as positions and orders; it is not played at tables yet."""

from engine.diplomacy.positions import POSITIONS

__all__ = ["POSITIONS"]
