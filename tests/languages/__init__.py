"""Languages: the registry, the catalogues, and a language that nobody speaks."""
