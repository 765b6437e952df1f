from .defaults import DEFAULTS


def load(settings):
    """The defaults with `settings` over them."""
    config = DEFAULTS
    config.update(settings)
    return config
