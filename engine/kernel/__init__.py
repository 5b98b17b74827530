"""What every game shares: secrets, orders, steps, draws, and the loop that carries them out."""
