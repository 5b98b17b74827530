"""The rules of Amalfi, one module for each chapter."""
