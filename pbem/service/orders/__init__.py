"""Orders from email, pages and API: validated, sealed, answered with a receipt."""
