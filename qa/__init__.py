"""Judge: checks, difficulty, duplicates. A check never repairs."""
