"""The path of StockGQL: masked pairs for every sub-schema, filled from the graph, told back.

>>> from generators.masked.base import MASK
>>> bool(MASK.fullmatch("[s2]")), bool(MASK.fullmatch("[stock]"))
(True, False)
"""
