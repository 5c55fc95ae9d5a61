"""From a goal to sentences: one realiser, with a policy for each form."""
