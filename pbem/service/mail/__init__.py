"""Emails: the inbox, the outbox, how they are assembled, and delivery."""
