"""Other plain readings of a question: do they give another answer than its query?"""
