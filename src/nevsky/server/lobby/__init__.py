"""Where people find each other: the live list of open tables, who is online, and who waits to be matched."""
