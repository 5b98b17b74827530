"""The rules of Amalfi, chapter by chapter."""
