"""How the table is drawn: colours and signs, what things do in signs and in words, ships, cards, zones."""
