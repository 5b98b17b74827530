"""The sequences of the rulebook, one module each: what they do, ask, refuse and take by default."""
