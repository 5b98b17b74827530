"""Who may do and see what: one table of everything that can be asked for, tried by everybody there is."""
