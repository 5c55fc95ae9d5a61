"""What `verify` holds a corpus to: its records, its files, what running again gives."""
