"""Module 6, the Obstacles (11.6): tiles on the score track that pay, or stop whoever is not ready."""
