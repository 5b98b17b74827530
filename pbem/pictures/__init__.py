"""SVG made into PNG, for letters."""
