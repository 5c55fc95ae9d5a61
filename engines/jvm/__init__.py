"""Engines and judges that run in a Java virtual machine, from pip and Maven packages alone."""
