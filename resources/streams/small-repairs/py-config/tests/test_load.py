import unittest

from conf import load


class LoadTest(unittest.TestCase):
    def test_top_level(self):
        self.assertEqual(load({"name": "mine"})["name"], "mine")
