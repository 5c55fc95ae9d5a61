"""Graph-IR run in this process, on graphs of a few dozen elements.

Tables and SQL cost milliseconds a query, whatever the size of the graph; mutation analysis asks
thousands of questions of tiny graphs. So the IR is turned into Python functions, with the same
semantics: bags, three-valued logic, nulls last, different edges in a MATCH. What is not said here
is refused (`Unsupported`) and left to an engine. It is a searcher's tool, never a witness:
certificates come from engines alone.
"""
