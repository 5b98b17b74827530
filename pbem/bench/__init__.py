"""How fast it is: the engine alone, and whole exchanges of letters through the real entrance."""
