"""How the habits of the instinct are made: it plays against itself, and what led to good ends becomes likelier."""
