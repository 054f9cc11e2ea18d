"""People who know each other: following, blocking, inviting."""
