"""Stub: every turn each player offers stones in secret, and the highest single offer scores."""

from pbem.stub.game.rules import RULES

__all__ = ["RULES"]
