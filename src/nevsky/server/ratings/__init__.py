"""Ratings of profiles: from games at tables that were made as rated ones (see docs/ratings.md)."""
