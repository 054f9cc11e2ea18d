"""What those who run a server can do: through the socket of a running one, or with the database of a stopped one."""
