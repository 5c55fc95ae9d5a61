"""What confines a program, from inside its own process: standard library only, Python 3.11 on.

`generators.sandbox.runner` starts `__main__.py` by its path, under the interpreter that will run
the program; nothing of graphmill but this folder is imported there.
"""
