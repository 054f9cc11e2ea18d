"""Module 3, the Assistants (11.3): they make cards cheaper and wander counter-clockwise."""
