"""One table of who may do and see what; each visitor tries everything in it."""
