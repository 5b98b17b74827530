"""What the database stores of a game: journal, sealed orders, seat views, the state of its clock."""
