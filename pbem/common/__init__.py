"""Small tools that all packages may use: addresses, text, look-alike names, limits of CPU, states."""
