"""Tables and elements of a source become a graph, by a mapping, without loss."""
