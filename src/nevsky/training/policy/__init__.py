"""How policy weights are learned: the heuristic policy plays against itself, what led to good ends gets likelier."""
