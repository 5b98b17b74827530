"""Games as files: what they prove, and that every lie is found."""
