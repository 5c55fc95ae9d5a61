"""Where and how a query may be changed: sites, scopes, conditions; what an operator is."""
