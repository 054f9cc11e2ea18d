"""The six modules of the second edition (section 11), each a layer in a file of its own."""
