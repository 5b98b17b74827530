"""Rulings at random: lines that a master might write, and games that are put right over and over."""
