"""The systems, one file each: the file is called as the system, its class is `SYSTEM`."""
