"""The parts of the picture of the board."""
