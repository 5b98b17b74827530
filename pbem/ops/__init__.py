"""Running a server: health, figures, processes, logs, setting up, and games tried without mail."""
