"""Settings, read from the environment."""
