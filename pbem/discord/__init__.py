"""Other ways than mail: webhooks that tables are linked to, and players who write from Discord."""
