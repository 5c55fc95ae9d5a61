"""`[privacy] pseudonyms`: a corpus of a private database without its texts."""
