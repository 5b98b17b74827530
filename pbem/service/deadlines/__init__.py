"""Deadlines, missed deadlines, pauses, absences, and time given back."""
