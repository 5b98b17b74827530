"""Amalfi: Renaissance: the rules of the game."""
