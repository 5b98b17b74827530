"""Webhooks and chat: what a table tells elsewhere."""
