"""How the network of the master bot is made: games against itself, and learning from how they end.

Internal: ``nevsky train`` is its face, and what stays is the command and its files, not what can be imported.
"""
