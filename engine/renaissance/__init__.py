"""Renaissance: three to six powers of Italy, from 1454 to 1494."""

from engine.renaissance.ruleset import RULES

__all__ = ["RULES"]
