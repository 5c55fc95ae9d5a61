"""What grafeo 0.6 answers otherwise than Cypher, said so that it answers rightly."""
