"""The compiled part of the bots that search: a quick policy, a network and a tree."""
