"""The one exception that bad input raises."""

__all__ = ["NevskyError"]


class NevskyError(ValueError):
    """Something that was asked for cannot be done; the message is a sentence for people.

    Whatever raised it has changed nothing.
    """
