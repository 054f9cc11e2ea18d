"""The deal of the day and of the week: one deal for everybody, with the same bots, and one try that counts."""
