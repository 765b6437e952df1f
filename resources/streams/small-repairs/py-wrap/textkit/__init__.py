from .wrap import wrap
