"""Who sits where: tables that form, invitations, substitutes, deputies, spectators, elections."""
