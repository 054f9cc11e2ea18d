"""Puzzles on the server: asked, answered once for the rating, and explained."""
