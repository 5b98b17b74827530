"""What pages and programs show to one person."""
