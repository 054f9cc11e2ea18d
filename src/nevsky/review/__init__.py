"""A finished game looked at again: what each decision of a seat was worth, and how good its deal was.

Only what the seat could know at the time counts for its decisions. The same game has the same verdicts and the same
luck, whoever asks and wherever.
"""

from nevsky.review.judging import VERSION, Effort, decisions, judge, review_seat
from nevsky.review.luck import Luck, Sample, Trials, luck_of, luck_of_seats, samples
from nevsky.review.summary import Summary, moments, summarize
from nevsky.review.verdict import MARKS, Mark, Verdict

__all__ = [
    "MARKS",
    "VERSION",
    "Effort",
    "Luck",
    "Mark",
    "Sample",
    "Summary",
    "Trials",
    "Verdict",
    "decisions",
    "judge",
    "luck_of",
    "luck_of_seats",
    "moments",
    "review_seat",
    "samples",
    "summarize",
]
