"""How the table is drawn: territories, the offer, routes, levels."""
