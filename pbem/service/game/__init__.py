"""What the database knows of a game: journal, sealed orders, stored views, what stands still."""
