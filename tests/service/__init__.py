"""The services, with a real database and real keys; only the wire is left out."""
