"""The mail entrance and exit, held to what real clients and servers do."""
