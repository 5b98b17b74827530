"""Pure rules of the games: standard library only, no clock, no randomness, no input or output."""
