"""A finished game looked at again: what each decision of a seat was worth, and what would have been better.

Only what the seat could know at the time counts. The same game has the same verdicts, whoever asks and wherever.
"""

from nevsky.review.judging import VERSION, Effort, decisions, judge, review_seat
from nevsky.review.summary import Summary, moments, summarize
from nevsky.review.verdict import MARKS, Mark, Verdict

__all__ = [
    "MARKS",
    "VERSION",
    "Effort",
    "Mark",
    "Summary",
    "Verdict",
    "decisions",
    "judge",
    "moments",
    "review_seat",
    "summarize",
]
