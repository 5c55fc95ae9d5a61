"""What the programs that we write are made of: each takes the functions that it needs as they are.

These modules may import numpy, polars, faker and the standard library only, because a program
stands alone.
"""
