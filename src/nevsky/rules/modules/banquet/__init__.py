"""Module 1, the Banquet (11.1): purple cards that are taken first and played later."""
