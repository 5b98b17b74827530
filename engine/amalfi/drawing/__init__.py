"""The parts of the picture of the table: colours, signs, effects in signs and words, ships, cards, zones."""
