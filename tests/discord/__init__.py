"""Channels of chat services: a false Discord, and all that is told to it."""
