"""What a query is asked for: its goal, recognised from the plan, with everything it says."""
