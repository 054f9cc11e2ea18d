"""Changes of the database, one file each, carried out when the server starts."""
