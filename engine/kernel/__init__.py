"""Code that every game shares: secrets, orders, steps, draws, and the loop that runs a game."""
