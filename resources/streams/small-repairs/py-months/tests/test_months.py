import unittest
from datetime import date

from calendar_tools.months import add_months, quarter


class MonthsTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(add_months(date(2024, 5, 15), 10), date(2025, 3, 15))
        self.assertEqual(quarter(date(2024, 12, 1)), 4)
