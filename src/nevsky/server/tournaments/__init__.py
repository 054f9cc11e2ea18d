"""Tournaments: several rounds at tables with changing opponents, and standings."""
