"""Mutation operators, one file for each family.

A family has `NAMES` and `variants(node, context)`, which yields (name, what could stand there).
"""
