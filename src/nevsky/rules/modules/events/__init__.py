"""Module 4, the Events (11.4): six cards, each used once in the game, one for each player."""
