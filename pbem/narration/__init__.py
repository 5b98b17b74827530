"""Facts into sentences: for one reader, in one language, from what he may know and nothing else."""
