"""What ORDER BY means when a language has no place for it: keys that ask, orders that go on."""
