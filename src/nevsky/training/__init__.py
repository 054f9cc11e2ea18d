"""How the network of the master bot is made: games against itself, and learning from how they end."""
