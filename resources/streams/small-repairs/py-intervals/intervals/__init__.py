from .merge import covered, merge

__all__ = ["merge", "covered"]
