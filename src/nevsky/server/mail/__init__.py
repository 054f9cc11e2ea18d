"""Mail: what is sent, and how it gets to the mail server."""
