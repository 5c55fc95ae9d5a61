"""The stages of a build, from candidates to proven records."""
