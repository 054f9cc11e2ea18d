"""Telling people who are not there: that it is their turn, that a game starts or ends, that somebody invites them.

`watching` looks at tables and writes down whom to tell, at most once for each turn; `dispatch` tells them when it is
time, over the channels they chose.
"""
