"""Who may do what: people, sign-in, programs, masters, acting deputies."""
