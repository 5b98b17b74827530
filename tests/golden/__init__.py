"""One turn's letters, kept as files and read as a player would read them."""
