"""What game masters do: acts, rulings, rewinds, and their audit."""
