"""Words that nobody else has, searched for wherever they must not be."""
