"""The Age of Renaissance: three to six trading powers, from 750 to 1750."""

from engine.age_of_renaissance.ruleset import RULES

__all__ = ["RULES"]
