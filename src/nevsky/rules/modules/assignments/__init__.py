"""Module 5, the Assignments (11.5): three secret cards for each player, one of which counts at the end."""
