import unittest

from ledger import Ledger


class BookTest(unittest.TestCase):
    def test_transfer(self):
        book = Ledger()
        book.open("ada", 10)
        book.open("bo")
        book.transfer("ada", "bo", 4)
        self.assertEqual((book.balance("ada"), book.balance("bo")), (6, 4))
        self.assertEqual(book.history, [("ada", "bo", 4)])
