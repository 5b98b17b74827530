"""Letters: taken in, laid out, put together, sent."""
