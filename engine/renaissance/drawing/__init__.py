"""The parts of the picture of the board; `engine.renaissance.picture` combines them."""
