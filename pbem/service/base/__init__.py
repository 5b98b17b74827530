"""What every service stands on: services and clock, limits, calendar arithmetic, the states of an answer."""
