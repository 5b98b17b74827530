"""What the workers call: process an email, resolve a game, send reminders, play for bots."""
