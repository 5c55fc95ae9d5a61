"""What Neo4j, the reference, compares and orders in ways that no other engine can follow."""
