"""A play-by-mail server for board games with secret orders."""
