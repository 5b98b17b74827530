"""Facts into sentences: for one reader, in one language, from what they may know and nothing else."""
