import unittest

from textkit import wrap


class WrapTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(wrap("the quick brown fox", 10), "the quick\nbrown fox")
        with self.assertRaises(ValueError):
            wrap("x", 0)
