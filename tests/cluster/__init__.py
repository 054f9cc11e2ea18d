"""Several servers as one, with faults: what everybody was told is compared with what the database holds at the end.

Written apart from the server: it speaks HTTP and WebSockets as any client, reads the database with plain SQL, and
shares nothing with the server but the rules of the game.
"""
