from .account import Account


class Closed(Exception):
    """The account takes nothing any more."""


class Ledger:
    def __init__(self):
        self.accounts = {}
        self.history = []

    def open(self, name, balance=0):
        self.accounts[name] = Account(name, balance)

    def close(self, name):
        self.accounts[name].is_open = False

    def balance(self, name):
        return self.accounts[name].balance

    def transfer(self, source, target, amount):
        self.history.append((source, target, amount))
        giver = self.accounts[source]
        if giver.balance < amount:
            raise ValueError("not enough money")
        giver.balance -= amount
        taker = self.accounts[target]
        if not taker.is_open:
            raise Closed(target)
        taker.balance += amount
