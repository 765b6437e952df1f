"""Intervals are pairs of numbers, start before end."""


def merge(intervals):
    """The same time as few intervals that do not overlap, in order."""
    merged = []
    for start, end in sorted(intervals):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def covered(intervals):
    """How much time the intervals cover together."""
    return sum(end - start for start, end in merge(intervals))
