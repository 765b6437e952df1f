from datetime import date


def add_months(day: date, months: int) -> date:
    """The same day so many months later (earlier, when negative)."""
    month = day.month + months
    year = day.year
    while month > 12:
        month -= 12
        year += 1
    while month < 0:
        month += 12
        year -= 1
    return day.replace(year=year, month=month)


def quarter(day: date) -> int:
    return (day.month - 1) // 3 + 1
