"""The parts of the picture of the board; `engine.age_of_renaissance.picture` combines them."""
