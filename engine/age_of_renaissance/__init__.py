"""The Age of Renaissance: three to six trading powers, from 750 to 1750."""
