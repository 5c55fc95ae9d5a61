"""Engines that execute queries, each in a worker process that can be killed."""
