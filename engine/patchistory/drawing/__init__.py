"""The parts of the picture of the table: territories, offer, routes, levels."""
