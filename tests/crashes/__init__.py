"""Real processes, killed at named points of a gate's life."""
