import unittest

from intervals import covered, merge


class MergeTest(unittest.TestCase):
    def test_overlapping(self):
        self.assertEqual(merge([(5, 8), (1, 3), (2, 4)]), [(1, 4), (5, 8)])

    def test_nothing(self):
        self.assertEqual(merge([]), [])
        self.assertEqual(covered([]), 0)
