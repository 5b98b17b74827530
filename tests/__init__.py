"""Tests: the tree mirrors that of the code; the first line of each test is the requirement it holds."""
