"""Units of a build, and who does them: this process, other processes, a cluster."""
