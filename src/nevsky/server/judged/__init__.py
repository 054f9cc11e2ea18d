"""Finished games reviewed on the server: small jobs in the bots' queue, kept in the database, told to browsers."""
