"""What a run is asked for: configuration, given pairs, versions, finished work."""
