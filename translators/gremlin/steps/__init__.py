"""Traversals as data: their steps, what these remember, and their text."""
