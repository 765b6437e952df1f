from .book import Closed, Ledger
