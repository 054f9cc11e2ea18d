"""The rules of the game, pure and compiled: no input, no output."""
