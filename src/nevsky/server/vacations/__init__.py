"""Vacations: clocks of games over days stand still for whoever is away."""
