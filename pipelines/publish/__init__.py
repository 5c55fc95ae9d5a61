"""A finished corpus on its way to others: exported for the Hub, checked, uploaded."""
