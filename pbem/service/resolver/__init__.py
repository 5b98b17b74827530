"""What a play worker does in a game: gates closed, reports laid out."""
