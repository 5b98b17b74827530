"""What the server does: one function for each thing that a player, a worker or the clock can ask for."""
